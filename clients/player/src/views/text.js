/** The sections under the figure: prose with its numbers filled in, formulas, rows, and what the service can answer. */

import { h, replace } from "../dom.js";
import { placeFor } from "../links.js";
import { symbolOf } from "../latex.js";
import { mathFromText } from "../mathml.js";
import { writeRoute } from "../route.js";
import { follow } from "./masthead.js";
import { scroller } from "../scroller.js";

/**
 * @typedef {import("../../../js/src/lecture-types.js").Lecture} Lecture
 * @typedef {import("../../../js/src/lecture-types.js").Part} Part
 * @typedef {import("../words.js").Words} Words
 * @typedef {import("../route.js").Route} Route
 *
 * @param {{ library: import("../library.js").Library, go: (change: Partial<Route>) => void }} context
 */
export function createText({ library, go }) {
  const element = h("div", { class: "text" });
  /** @type {Lecture | undefined} */
  let drawn;
  return {
    element,
    /** @param {{ lecture: Lecture, words: Words, route: Route, lectures: { id: string, title: string }[] }} props */
    update({ lecture, words, route, lectures }) {
      if (lecture === drawn) return;
      drawn = lecture;
      replace(
        element,
        lecture.sections.map((section) =>
          h(
            "section",
            { class: "section" },
            h("h2", {}, section.title, section.subtitle ? h("small", {}, section.subtitle) : null),
            section.parts.map((part) => drawPart(part, route)),
          ),
        ),
        h(
          "div",
          { class: "hand-overs" },
          handOver("from", words.receives, lecture.receives, lectures, route),
          handOver("to", words.handsOn, lecture.hands_on, lectures, route),
        ),
      );
    },
  };

  /**
   * @param {Part} part
   * @param {Route} route
   */
  function drawPart({ title, paragraphs, points, formulas, rows, links }, route) {
    return h(
      "div",
      { class: "part" },
      title ? h("h3", {}, title) : null,
      paragraphs.map((paragraph) => h("p", {}, paragraph)),
      formulas.map((formula) => scroller("formula", undefined, mathFromText(formula.mathml, formula.text))),
      points.length ? h("ul", { class: "points" }, points.map((point) => h("li", {}, point))) : null,
      rows.length ? h("dl", { class: "quoted" }, rows.flatMap((row) => [h("dt", {}, row.label, ...symbol(row)), h("dd", { class: "number" }, row.printed)])) : null,
      links.length ? h("ul", { class: "links" }, links.map((link) => h("li", {}, anchor(link, route)))) : null,
    );
  }

  /**
   * Inside the player where a view shows it, otherwise the service's own answer.
   * @param {import("../../../js/src/lecture-types.js").Link} link
   * @param {Route} route
   */
  function anchor(link, route) {
    const place = placeFor(link);
    if (!place) return h("a", { href: library.client.base + link.href }, link.label);
    return h("a", { href: writeRoute({ ...route, ...place }), onclick: (/** @type {MouseEvent} */ event) => follow(event, () => go(place)) }, link.label);
  }

  /**
   * What stands for a page that is not served here: an example, which Explore shows.
   * @param {string} href
   * @param {string} title
   * @param {Route} route
   */
  function exampleLink(href, title, route) {
    const example = /^\/examples\/(.+)$/.exec(href)?.[1];
    const body = example ? { example: decodeURIComponent(example) } : null;
    return anchor({ id: "", label: title, method: body ? "POST" : "GET", href: body ? "/block/trace" : href, body }, route);
  }

  /**
   * @param {"from" | "to"} direction
   * @param {string} label
   * @param {import("../../../js/src/lecture-types.js").HandOver | null | undefined} over
   * @param {{ id: string, title: string }[]} lectures
   * @param {Route} route
   */
  function handOver(direction, label, over, lectures, route) {
    if (!over) return null;
    const page = lectures.find(({ id }) => id === over.lecture);
    const state = /\/states\/([^/]+)$/.exec(over.href ?? "")?.[1];
    const place = /** @type {Partial<Route>} */ ({ lecture: over.lecture, state, patch: undefined, view: "read", options: {} });
    const title = page ? `${page.id} · ${page.title}` : over.lecture;
    return h(
      "div",
      { class: `hand-over ${direction}` },
      h("p", { class: "direction" }, label),
      page
        ? h("a", { href: writeRoute({ ...route, ...place }), onclick: (/** @type {MouseEvent} */ event) => follow(event, () => go(place)) }, title)
        : over.href
          ? exampleLink(over.href, title, route)
          : h("p", {}, title),
      h("p", {}, over.text),
    );
  }
}

/** Statistics that share a label are told apart by their symbols. @param {{ symbol: string, value: unknown }} row */
function symbol({ symbol: text, value }) {
  return typeof value === "number" ? [" ", symbolOf(text)] : [];
}
