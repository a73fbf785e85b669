/** Numbers as tinted cells: a vector is one line, a matrix a table, three axes one table an index of the first. */

import { h } from "./dom.js";
import { exact, print } from "./numbers.js";
import { scroller } from "./scroller.js";

/** @typedef {import("../../js/src/types.js").Nested} Nested */

/** A page that holds a million cells is of no use: of each axis, so many are shown, and the caption says so. */
const MOST = 32;

/**
 * @typedef {object} Labels
 * @property {string[]} axes
 * @property {(axis: string, index: number) => string} name what one index of an axis is called
 */

/**
 * @param {Nested} value
 * @param {Labels} labels
 * @param {{ scale?: number, caption?: string, printed?: string[][], write?: (value: number) => string }} [options] `scale`: the size that has the full tint;
 *   `printed`: a matrix as the service prints it; `write`: how to print a number otherwise
 * @returns {HTMLElement}
 */
export function heatMap(value, labels, { scale = largest(value), caption, printed, write = print } = {}) {
  if (typeof value === "number") return h("p", { class: "scalar" }, cell(value, scale, "span", write(value)));
  const [axis = "", ...inner] = labels.axes;
  if (inner.length >= 2) {
    const slices = value.slice(0, MOST).map((slice, i) =>
      heatMap(slice, { ...labels, axes: inner }, { scale, write, caption: [caption, labels.name(axis, i)].filter(Boolean).join(" · ") }),
    );
    return h("div", { class: "slices" }, slices);
  }
  const whole = inner.length === 0 ? [value] : /** @type {Nested[][]} */ (value);
  const matrix = whole.slice(0, MOST).map((row) => row.slice(0, MOST));
  const cut = whole.length > MOST || (whole[0]?.length ?? 0) > MOST ? ` (${matrix.length}×${matrix[0]?.length} / ${whole.length}×${whole[0]?.length})` : "";
  const [rows, columns] = inner.length === 0 ? ["", axis] : [axis, inner[0] ?? ""];
  return scroller(
    "map",
    caption ?? labels.axes.join(" × "),
    h(
      "table",
      { class: "heat" },
      h("caption", {}, (caption ?? `${rows ? `${rows} × ` : ""}${columns}`) + cut),
      h(
        "thead",
        {},
        h("tr", {}, rows ? h("td", {}) : null, (matrix[0] ?? []).map((_, j) => h("th", { scope: "col" }, labels.name(columns, j)))),
      ),
      h(
        "tbody",
        {},
        matrix.map((row, i) =>
          h(
            "tr",
            {},
            rows ? h("th", { scope: "row" }, labels.name(rows, i)) : null,
            row.map((number, j) => cell(Number(number), scale, "td", printed?.[i]?.[j] ?? write(Number(number)))),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {number} number
 * @param {number} scale
 * @param {"td" | "span"} tag
 * @param {string} printed
 */
function cell(number, scale, tag, printed) {
  const made = h(tag, { class: "cell", title: exact(number) }, printed);
  tint(made, number, scale);
  return made;
}

/**
 * Colour by sign, strength by size; the number itself stays readable on every tint.
 * @param {HTMLElement} element
 * @param {number} number
 * @param {number} scale
 */
export function tint(element, number, scale) {
  const strength = Number.isFinite(number) && scale > 0 ? Math.min(1, Math.abs(number) / scale) : 0;
  element.classList.add(number < 0 ? "below" : "above");
  element.style.setProperty("--strength", `${Math.round(strength * 100)}%`);
}

/** @param {Nested} value @returns {number} */
export function largest(value) {
  if (typeof value !== "number") return value.reduce((/** @type {number} */ most, inner) => Math.max(most, largest(inner)), 0);
  return Number.isFinite(value) ? Math.abs(value) : 0;
}
