/** The line at the top: whose page this is, the lecture pages there are, and the language. */

import { h, replace } from "../dom.js";
import { LANGUAGES } from "../words.js";
import { writeRoute } from "../route.js";

/**
 * @typedef {import("../route.js").Route} Route
 * @param {(change: Partial<Route>) => void} go
 */
export function createMasthead(go) {
  const pages = h("nav", { class: "pages" });
  const languages = h("div", { class: "languages", role: "group" });
  const element = h("header", { class: "masthead" }, h("p", { class: "brand" }, "Blockwalk"), pages, languages);
  return {
    element,
    /** @param {{ route: Route, lang: string, lectures: { id: string, title: string, available?: boolean }[], words: import("../words.js").Words }} props */
    update({ route, lang, lectures, words }) {
      pages.setAttribute("aria-label", words.lectures);
      languages.setAttribute("aria-label", words.language);
      replace(pages, lectures.filter((each) => each.available !== false).map((each) => page(each, route)));
      replace(
        languages,
        Object.entries(LANGUAGES).map(([code, name]) =>
          h("button", { type: "button", lang: code, "data-focus": code, "aria-pressed": String(code === lang), onclick: () => go({ lang: code }) }, name),
        ),
      );
    },
  };

  /**
   * @param {{ id: string, title: string }} lecture
   * @param {Route} route
   */
  function page({ id, title }, route) {
    const target = { lecture: id, state: undefined, patch: undefined, options: {}, view: /** @type {const} */ ("read") };
    return h(
      "a",
      {
        href: writeRoute({ ...route, ...target }),
        title,
        "aria-current": route.lecture === id && "page",
        "data-focus": id,
        onclick: (/** @type {MouseEvent} */ event) => follow(event, () => go(target)),
      },
      id,
    );
  }
}

/**
 * A plain click stays inside the player; one that opens a new tab is the browser's.
 * @param {MouseEvent} event
 * @param {() => void} act
 */
export function follow(event, act) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  act();
}
