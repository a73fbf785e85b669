/** The figure of a page: every state is laid out in the same place and one of them shows, so that nothing shifts. */

import { h, replace } from "../dom.js";
import { diagram } from "./diagram.js";
import { numbersFigure } from "./numbers-figure.js";

/**
 * @typedef {import("../../../js/src/lecture-types.js").State} State
 * @typedef {import("../words.js").Words} Words
 *
 * @typedef {object} FigureProps
 * @property {State[]} states published, in page order
 * @property {string[]} reading ids in reading order
 * @property {string} current
 * @property {Map<string, State>} changed states recomputed with the reader's own numbers
 * @property {Words} words
 */

export function createFigure() {
  const element = h("div", { class: "stack" });
  /** @type {Map<string, { source: State, panel: HTMLElement }>} */
  const panels = new Map();
  /** @type {string | undefined} */
  let last;

  return {
    element,
    /** @param {FigureProps} props */
    update({ states, reading, current, changed, words }) {
      for (const published of states) {
        const source = changed.get(published.state) ?? published;
        if (panels.get(published.state)?.source === source) continue;
        const earlier = notesBefore(published, states, reading);
        panels.set(published.state, { source, panel: panelFor(source, published, reading, earlier, words) });
      }
      for (const id of panels.keys()) if (!states.some((each) => each.state === id)) panels.delete(id);
      const wanted = states.map((each) => /** @type {HTMLElement} */ (panels.get(each.state)?.panel));
      if (wanted.some((panel, i) => element.children[i] !== panel) || element.children.length !== wanted.length) replace(element, wanted);
      const forward = last !== undefined && last !== current && reading.indexOf(current) === reading.indexOf(last) + 1;
      for (const [id, { panel }] of panels) {
        panel.classList.toggle("shown", id === current);
        panel.classList.toggle("arriving", id === current && (forward || (panel.classList.contains("arriving") && last === current)));
      }
      last = current;
    },
  };
}

/**
 * @param {State} state
 * @param {State} published
 * @param {string[]} reading
 * @param {string[]} earlier notes that are not new
 * @param {Words} words
 */
function panelFor(state, published, reading, earlier, words) {
  const changed = state === published ? undefined : published;
  return h(
    "figure",
    { class: `panel ${state.kind}`, "data-state": state.state },
    h("h2", { class: "heading" }, state.figure.heading),
    h("div", { class: "content" }, state.kind === "concept" ? diagram(state) : numbersFigure(state, changed, reading, words)),
    h("ul", { class: "notes" }, notesOf(state).map((note) => h("li", { class: earlier.includes(note) ? undefined : "new" }, note))),
    h("figcaption", {}, state.caption),
  );
}

/**
 * The notes of the state that this one continues; its own, if it continues none.
 * @param {State} state
 * @param {State[]} states
 * @param {string[]} reading
 */
function notesBefore(state, states, reading) {
  const before = states.find((each) => each.state === reading[reading.indexOf(state.state) - 1]);
  return before?.kind === state.kind ? before.figure.notes : state.figure.notes;
}

/** A note that the drawing already carries in a box or beside a row is not said twice. @param {State} state */
function notesOf({ figure: { notes, nodes, rows } }) {
  const drawn = new Set([...nodes.flatMap(({ detail }) => detail ?? []), ...rows.map(({ detail }) => detail)]);
  return notes.filter((note) => !drawn.has(note));
}
