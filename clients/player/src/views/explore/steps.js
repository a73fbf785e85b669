/** The graph of steps, and one step looked at: how it came about, and its numbers. */

import { h, replace } from "../../dom.js";
import { heatMap } from "../../heat-map.js";
import { mathFromLatex } from "../../latex.js";
import { rail } from "../../rail.js";
import { axisNames } from "./axes.js";
import { scroller } from "../../scroller.js";

/**
 * @typedef {import("../../../../js/src/index.js").Trace} Trace
 * @typedef {import("../../../../js/src/index.js").Tensor} Tensor
 * @typedef {import("../../words.js").Words} Words
 */

export function createSteps() {
  const track = h("div", { class: "track" });
  const list = h("ol", { class: "stations" });
  const detail = h("section", { class: "look", "aria-live": "polite" });
  const element = h("div", { class: "steps" }, h("div", { class: "line" }, track, list), detail);
  /** @type {Trace | undefined} */
  let drawn;
  /** @type {Words | undefined} */
  let spoken;

  return {
    element,
    /** @param {import("../explore.js").Looking} looking */
    update({ trace, options, choose, words }) {
      const selected = trace.has(options.step ?? "") ? trace.get(options.step ?? "") : trace.output;
      const pick = (/** @type {string} */ step) => choose({ step });
      if (trace !== drawn || words !== spoken) {
        list.setAttribute("aria-label", words.steps);
        replace(list, trace.steps.map((step) => h("li", {}, station(step))));
        [drawn, spoken] = [trace, words];
      }
      list.onclick = (event) => {
        const name = /** @type {Element} */ (event.target).closest("button")?.dataset.step;
        if (name) pick(name);
      };
      list.onkeydown = (event) => walk(event, list);
      for (const button of list.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.step === selected.name));
      replace(track, rail(trace.steps, trace.outputName, selected.name));
      replace(detail, detailOf(selected, trace, pick, words));
    },
  };
}

/** @param {Tensor} step */
function station(step) {
  return h(
    "button",
    { type: "button", class: "station", "data-step": step.name },
    h("span", { class: "symbol" }, mathFromLatex(step.symbol, { inline: true })),
    h("span", { class: "name" }, step.name),
    h("span", { class: "shape" }, step.shape.join("×")),
  );
}

/**
 * Up and down the list by arrow keys, as along a line.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} list
 */
function walk(event, list) {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  const buttons = [...list.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.click();
}

/**
 * @param {Tensor} step
 * @param {Trace} trace
 * @param {(name: string) => void} pick
 * @param {Words} words
 */
function detailOf(step, trace, pick, words) {
  const given = step.op === "given";
  const children = trace.steps.filter((each) => each.inputs.includes(step.name)).map((each) => each.name);
  return [
    h("h2", {}, h("code", {}, step.name)),
    scroller("formula", undefined, mathFromLatex(given ? step.symbol : `${step.symbol} = ${step.latex}`)),
    h(
      "dl",
      { class: "facts" },
      fact(words.op, h("code", {}, given ? words.given : step.op)),
      fact(words.axes, step.axes.length ? step.axes.map((axis, i) => h("span", { class: "axis" }, h("code", {}, axis), ` ${step.shape[i]}`)) : ["–"]),
      fact(words.parents, names(step.inputs, trace, pick, words.noParents)),
      fact(words.children, names(children, trace, pick, words.noChildren)),
    ),
    h("h3", {}, words.values),
    heatMap(step.value, { axes: step.axes, name: axisNames(words) }),
  ];
}

/**
 * @param {string} term
 * @param {...(Node | string | (Node | string)[])} what
 */
function fact(term, ...what) {
  return h("div", {}, h("dt", {}, term), h("dd", {}, what.flat()));
}

/**
 * @param {string[]} of
 * @param {Trace} trace
 * @param {(name: string) => void} pick
 * @param {string} none
 * @returns {(Node | string)[]}
 */
function names(of, trace, pick, none) {
  if (of.length === 0) return [none];
  return of.map((name) =>
    trace.has(name) ? h("button", { type: "button", class: "quiet name", "data-focus": name, onclick: () => pick(name) }, name) : h("code", { class: "parameter" }, name),
  );
}
