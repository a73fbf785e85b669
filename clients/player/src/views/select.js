/** A labelled choice. */

import { freshId, h } from "../dom.js";

/**
 * @param {string} label
 * @param {{ value: string, label: string }[]} options
 * @param {string} chosen
 * @param {(value: string) => void} change
 */
export function select(label, options, chosen, change) {
  const id = freshId("choice");
  const control = h(
    "select",
    { id, "data-focus": label, onchange: () => change(control.value) },
    options.map((option) => h("option", { value: option.value, selected: option.value === chosen }, option.label)),
  );
  return h("div", { class: "select" }, h("label", { for: id }, label), control);
}
