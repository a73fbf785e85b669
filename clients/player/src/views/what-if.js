/** The reader's own numbers: every change becomes a merge patch of the lecture's trace request. */

import { h, freshId, replace } from "../dom.js";
import { difference, merge } from "../merge-patch.js";
import { parse } from "../numbers.js";
import { editable, isZeroed, withZeroed } from "../request.js";

/**
 * @typedef {import("../../../js/src/types.js").TraceRequest} TraceRequest
 * @typedef {import("../words.js").Words} Words
 * @typedef {import("../route.js").Patch} Patch
 *
 * @typedef {object} Actions
 * @property {(patch: Patch | undefined) => void} change
 * @property {() => Promise<boolean>} share whether the link is on the clipboard
 *
 * @param {Actions} actions
 */
export function createWhatIf({ change, share }) {
  const fields = h("div", { class: "fields" });
  const said = h("p", { class: "said", role: "status" });
  const differing = h("p", { class: "said", role: "status" });
  const notice = h("div", { class: "notice" });
  const reset = h("button", { type: "button", class: "quiet", onclick: () => startAgain() });
  const link = h("button", { type: "button", class: "quiet", onclick: tellLink });
  const about = h("p", { class: "about" });
  const title = h("h2", { id: freshId("what-if") });
  const element = h("section", { class: "what-if", "aria-labelledby": title.id }, title, about, fields, notice, h("div", { class: "actions" }, reset, link), differing, said);
  /** @type {TraceRequest} */
  let base = {};
  /** @type {TraceRequest} */
  let now = {};
  /** @type {Words} */
  let words;
  let drawn = "";

  /** @param {TraceRequest} next */
  function set(next) {
    now = next;
    change(/** @type {Patch | undefined} */ (difference(base, now)));
  }

  function startAgain() {
    drawn = "";
    change(undefined);
  }

  async function tellLink() {
    said.textContent = (await share()) ? words.shared : words.shareHere;
  }

  return {
    element,
    notice,
    /** Say how many numbers of the figure differ now. @param {number} count */
    tell(count) {
      const text = words.differ(count);
      if (differing.textContent !== text) differing.textContent = text;
    },
    /** @param {{ base: TraceRequest, patch: Patch | undefined, words: Words, key: string }} props */
    update(props) {
      ({ base, words } = props);
      const merged = /** @type {TraceRequest} */ (merge(base, props.patch ?? {}));
      reset.textContent = words.reset;
      link.textContent = words.share;
      title.textContent = words.whatIf;
      about.textContent = words.edited;
      reset.setAttribute("aria-disabled", String(props.patch === undefined));
      if (props.patch === undefined) differing.textContent = "";
      // The controls are drawn anew only for what came from elsewhere: a field must not lose its caret to its own change.
      const same = props.key === drawn && JSON.stringify(merged) === JSON.stringify(now);
      now = merged;
      if (same) return;
      drawn = props.key;
      said.textContent = "";
      replace(fields, choices(), editable(now).map(({ field, matrix }) => array(field, matrix)));
    },
  };

  function choices() {
    const epsilon = now.block?.epsilon ?? 1e-5;
    const placement = now.block?.norm_placement ?? "post";
    const name = freshId("placement");
    return h(
      "div",
      { class: "choices" },
      h(
        "fieldset",
        {},
        h("legend", {}, words.placement),
        /** @type {const} */ (["post", "pre"]).map((value) =>
          h(
            "label",
            { class: "choice" },
            h("input", { type: "radio", "data-focus": value, name, value, checked: value === placement, onchange: () => set({ ...now, block: { ...now.block, norm_placement: value } }) }),
            h("span", {}, words[value]),
          ),
        ),
      ),
      h(
        "fieldset",
        {},
        h("legend", {}, words.zero),
        h(
          "label",
          { class: "choice" },
          h("input", {
            type: "checkbox",
            "data-focus": "zero",
            checked: isZeroed(now),
            onchange: (/** @type {Event} */ event) => {
              set(withZeroed(now, /** @type {HTMLInputElement} */ (event.target).checked, base));
              replace(fields, choices(), editable(now).map(({ field, matrix }) => array(field, matrix)));
            },
          }),
          h("span", {}, words.zeroHelp),
        ),
      ),
      h("fieldset", { class: "single" }, h("legend", {}, "ε"), entry("ε", epsilon, (value) => set({ ...now, block: { ...now.block, epsilon: value } }))),
    );
  }

  /**
   * @param {import("../request.js").Field} field
   * @param {number[][]} matrix
   */
  function array(field, matrix) {
    const name = words[field.id];
    const grid = h(
      "div",
      { class: "grid" },
      matrix.flatMap((row, i) =>
        row.map((value, j) => {
          const label = matrix.length === 1 ? words.vector(name, j + 1) : words.entry(name, i + 1, j + 1);
          return entry(label, value, (next) => {
            const current = editable(now).find((each) => each.field.id === field.id)?.matrix ?? matrix;
            set(field.write(now, current.map((old, r) => old.map((number, c) => (r === i && c === j ? next : number)))));
          });
        }),
      ),
    );
    grid.style.setProperty("--columns", String(matrix[0]?.length ?? 1));
    return h("fieldset", { class: "array" }, h("legend", {}, name), grid);
  }

  /**
   * @param {string} label
   * @param {number} value
   * @param {(value: number) => void} changed
   */
  function entry(label, value, changed) {
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": label,
      value: shown(value),
      oninput: () => {
        const typed = parse(input.value);
        input.setAttribute("aria-invalid", String(typed === undefined));
        said.textContent = typed === undefined ? words.notNumber : "";
        if (typed !== undefined) changed(typed);
      },
    });
    return input;
  }
}

/** Short enough for a field; the number behind it keeps all its digits until someone types. @param {number} value */
function shown(value) {
  const rounded = Number.parseFloat(value.toFixed(6));
  return String(rounded === 0 && value !== 0 ? value : rounded).replaceAll("-", "−");
}
