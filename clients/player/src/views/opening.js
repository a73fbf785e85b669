/** The head of a page: which page it is, its question, and the four ways of looking at it. */

import { h, replace } from "../dom.js";
import { VIEWS, writeRoute } from "../route.js";
import { follow } from "./masthead.js";

const LABELS = /** @type {const} */ ({ read: "read", "what-if": "whatIf", explore: "explore", practise: "practise" });

/**
 * @typedef {import("../route.js").Route} Route
 * @param {(change: Partial<Route>) => void} go
 */
export function createOpening(go) {
  const kicker = h("p", { class: "kicker" });
  const title = h("h1");
  const lead = h("p", { class: "lead" });
  const views = h("nav", { class: "views" });
  const element = h("header", { class: "opening" }, kicker, title, lead, views);
  return {
    element,
    /** @param {{ route: Route, lecture: import("../../../js/src/lecture-types.js").Lecture, words: import("../words.js").Words }} props */
    update({ route, lecture, words }) {
      kicker.textContent = [lecture.series, lecture.id, words.provenance[lecture.provenance]].filter(Boolean).join(" · ");
      title.textContent = lecture.title;
      lead.textContent = lecture.lead;
      views.setAttribute("aria-label", words.views);
      replace(
        views,
        VIEWS.map((view) => {
          const target = { view, options: {}, patch: view === "read" ? undefined : route.patch };
          return h(
            "a",
            {
              href: writeRoute({ ...route, ...target }),
              "aria-current": view === route.view && "page",
              "data-focus": view,
              onclick: (/** @type {MouseEvent} */ event) => follow(event, () => go(target)),
            },
            words[LABELS[view]],
          );
        }),
      );
    },
  };
}
