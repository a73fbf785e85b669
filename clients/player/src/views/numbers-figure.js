/** A numbers figure: rows of features, statistics and formulas, in the order in which the page brings them in. */

import { readNumbers } from "../../../js/src/numbers.js";
import { h } from "../dom.js";
import { heatMap, largest, tint } from "../heat-map.js";
import { symbolOf } from "../latex.js";
import { mathFromText } from "../mathml.js";
import { scroller } from "../scroller.js";

/**
 * @typedef {import("../../../js/src/lecture-types.js").State} State
 * @typedef {import("../../../js/src/lecture-types.js").FigureRow} Row
 * @typedef {import("../words.js").Words} Words
 * @typedef {{ since: string, draw: () => HTMLElement }} Item
 */

/**
 * @param {State} state
 * @param {State | undefined} published the same state with the published numbers, when `state` is changed
 * @param {string[]} reading ids of the states in reading order: what came in earlier stands higher
 * @param {Words} words
 */
export function numbersFigure(state, published, reading, words) {
  const columns = Math.max(1, ...state.figure.rows.map((row) => row.printed.length));
  const size = largest(state.figure.rows.map((row) => readNumbers(row.value)));
  const items = itemsOf(state, published, words, size).sort((a, b) => reading.indexOf(a.since) - reading.indexOf(b.since));
  const table = h(
    "div",
    { class: "rows", role: "table", "aria-label": state.figure.heading },
    items.map((item) => item.draw()),
  );
  table.style.setProperty("--columns", String(columns));
  return table;
}

/**
 * @param {State} state
 * @param {State | undefined} published
 * @param {Words} words
 * @param {number} size
 * @returns {Item[]}
 */
function itemsOf(state, published, words, size) {
  const { rows, statistics, heat_maps = [], formulas } = state.figure;
  const before = (/** @type {Row} */ row, /** @type {Row[] | undefined} */ among) =>
    among?.find((other) => other.step === row.step && (other.id ?? other.symbol) === (row.id ?? row.symbol));
  const shared = statistics.length ? [statistics] : [];
  return [
    ...rows.map((row) => ({
      since: row.since,
      draw: () => numbersRow(row, before(row, published?.figure.rows), size, words),
    })),
    ...heat_maps.map((map) => ({
      since: map.since,
      draw: () => h("div", { role: "row", class: "aside" }, h("div", { role: "cell" }, heatMap(readNumbers(map.value), labelsOf(map), { caption: map.label, printed: map.printed }))),
    })),
    ...shared.map((group) => ({
      since: group[0]?.since ?? "",
      draw: () => statisticsRow(group, published?.figure.statistics, words),
    })),
    ...formulas.map((formula) => ({
      since: formula.since,
      draw: () => formulaRow(formula),
    })),
  ];
}

/** @param {import("../../../js/src/lecture-types.js").HeatMap} map */
function labelsOf(map) {
  return { axes: ["rows", "columns"], name: (/** @type {string} */ axis, /** @type {number} */ i) => (axis === "rows" ? map.row_labels : map.column_labels)[i] ?? String(i + 1) };
}

/**
 * @param {Row} row
 * @param {Row | undefined} before
 * @param {number} size
 * @param {Words} words
 */
function numbersRow(row, before, size, words) {
  return h(
    "div",
    { role: "row", class: `row${row.new ? " new" : ""}`, "data-step": row.step },
    h(
      "div",
      { role: "rowheader", class: "label" },
      h("span", { class: "name" }, row.label),
      row.new ? h("span", { class: "hidden" }, `(${words.isNew})`) : null,
    ),
    row.printed.map((printed, i) => {
      const made = h("div", { role: "cell", class: "cell" }, h("span", { class: "number" }, printed), was(printed, before?.printed[i], words));
      tint(made, Number(/** @type {number[]} */ (row.value)[i] ?? 0), size);
      if (before && before.printed[i] !== printed) made.classList.add("changed");
      return made;
    }),
    row.detail ? h("div", { role: "cell", class: "detail" }, row.detail) : null,
  );
}

/**
 * @param {State["figure"]["statistics"]} statistics
 * @param {State["figure"]["statistics"] | undefined} published
 * @param {Words} words
 */
function statisticsRow(statistics, published, words) {
  return h(
    "div",
    { role: "row", class: `aside${statistics.some((each) => each.new) ? " new" : ""}` },
    h(
      "div",
      { role: "cell", class: "statistics" },
      statistics[0]?.label ? h("span", { class: "lead-in" }, statistics[0].label) : null,
      statistics.map((each) => {
        const before = published?.find((other) => other.step === each.step && other.symbol === each.symbol);
        const { printed } = each;
        const changed = before && before.printed !== printed;
        return h(
          "span",
          { class: `statistic${changed ? " changed" : ""}`, "data-step": each.step },
          symbolOf(each.symbol),
          " = ",
          h("span", { class: "number" }, printed),
          was(printed, before?.printed, words),
        );
      }),
    ),
  );
}

/** @param {import("../../../js/src/lecture-types.js").ShownFormula} formula */
function formulaRow(formula) {
  return h(
    "div",
    { role: "row", class: `aside${formula.new ? " new" : ""}` },
    h("div", { role: "cell" }, scroller("formula", undefined, mathFromText(formula.mathml, formula.text))),
  );
}

/**
 * The published number under one that differs from it.
 * @param {string} printed
 * @param {string | undefined} before
 * @param {Words} words
 */
function was(printed, before, words) {
  if (before === undefined || before === printed) return null;
  return h("span", { class: "was" }, h("span", { class: "hidden" }, ` ${words.was} `), before);
}
