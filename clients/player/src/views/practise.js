/** Practise: an exercise, the reader's answer, and what became of it. */

import { h } from "../dom.js";

/**
 * @param {import("../library.js").Library} _library
 * @param {(change: Partial<import("../route.js").Route>) => void} _go
 */
export function createPractise(_library, _go) {
  return {
    element: h("div", { class: "practise" }),
    /** @param {import("../app.js").Page} _page */
    update(_page) {},
  };
}
