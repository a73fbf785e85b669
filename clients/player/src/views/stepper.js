/** The buttons of the states, in page order, with one step back and one forward. */

import { h, replace } from "../dom.js";

/**
 * @typedef {import("../../../js/src/lecture-types.js").State} State
 * @param {(state: string) => void} go
 */
export function createStepper(go) {
  const list = h("ol", { class: "states" });
  const back = h("button", { type: "button", class: "quiet step", onclick: () => step(-1) });
  const on = h("button", { type: "button", class: "quiet step", onclick: () => step(1) });
  const keys = h("p", { class: "keys" });
  const spoken = h("p", { class: "hidden", role: "status" });
  const nav = h("nav", { class: "stepper" }, back, list, on);
  const element = h("div", { class: "stepping" }, nav, keys, spoken);
  /** @type {string[]} */
  let order = [];
  let current = "";
  let drawn = "";

  /** @param {number} by */
  function step(by) {
    const next = order[order.indexOf(current) + by];
    if (next !== undefined) go(next);
  }

  return {
    element,
    step,
    /**
     * @param {{ states: State[], current: string, words: import("../words.js").Words }} props
     */
    update({ states, current: now, words }) {
      order = states.map((state) => state.state);
      const key = states.map((state) => `${state.lecture} ${state.lang} ${state.state}`).join();
      if (key !== drawn) {
        replace(list, states.map((state) => h("li", {}, button(state))));
        nav.setAttribute("aria-label", words.states);
        back.textContent = "←";
        on.textContent = "→";
        back.setAttribute("aria-label", words.previous);
        on.setAttribute("aria-label", words.next);
        keys.textContent = words.keys;
      }
      const at = order.indexOf(now);
      for (const each of list.querySelectorAll("button")) {
        if (each.dataset.state === now) each.setAttribute("aria-current", "step");
        else each.removeAttribute("aria-current");
      }
      // Not `disabled`: a button that loses the focus when pressed throws a keyboard reader off the page.
      back.setAttribute("aria-disabled", String(at <= 0));
      on.setAttribute("aria-disabled", String(at >= order.length - 1));
      const state = states[at];
      if (state && drawn !== "" && now !== current) spoken.textContent = `${words.stateOf(state.state, at + 1, order.length)}: ${state.caption}`;
      drawn = key;
      current = now;
    },
  };

  /** @param {State} state */
  function button(state) {
    return h(
      "button",
      { type: "button", class: "state", "data-state": state.state, onclick: () => go(state.state) },
      h("span", { class: "id" }, state.state),
      state.label ? h("span", { class: "what" }, state.label) : null,
    );
  }
}
