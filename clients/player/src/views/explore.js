/** Explore: the whole block of an example, in four parts, each answered by the service. */

import { h, replace } from "../dom.js";
import { writeRoute } from "../route.js";
import { createComparison } from "./explore/comparison.js";
import { createJacobian } from "./explore/jacobian.js";
import { createSteps } from "./explore/steps.js";
import { createWeights } from "./explore/weights.js";
import { follow } from "./masthead.js";
import { messageFor, waiting } from "./message.js";
import { select } from "./select.js";
import { wordsIn } from "../words.js";

/**
 * @typedef {import("../../../js/src/types.js").TraceRequest} TraceRequest
 * @typedef {import("../../../js/src/index.js").Trace} Trace
 * @typedef {import("../words.js").Words} Words
 * @typedef {import("../route.js").Route} Route
 * @typedef {import("../app.js").Page} Page
 *
 * @typedef {object} Looking what every part is given
 * @property {TraceRequest} request
 * @property {Trace} trace
 * @property {Record<string, string>} options
 * @property {(options: Record<string, string>) => void} choose
 * @property {Words} words
 */

const PARTS = /** @type {const} */ (["steps", "weights", "jacobian", "comparison"]);
const LABELS = /** @type {const} */ ({ steps: "stepGraph", weights: "attentionWeights", jacobian: "jacobian", comparison: "comparison" });

/**
 * @param {import("../library.js").Library} library
 * @param {(change: Partial<Route>, how?: "push" | "replace") => void} go
 */
export function createExplore(library, go) {
  const parts = { steps: createSteps(), weights: createWeights(), jacobian: createJacobian(library), comparison: createComparison(library) };
  const nav = h("nav", { class: "parts" });
  const examples = h("div", { class: "examples" });
  const content = h("div", { class: "part-content" });
  const element = h("div", { class: "explore" }, h("div", { class: "bar" }, nav, examples), content);
  let turn = 0;

  return {
    element,
    /** @param {Page} page */
    async update({ route, lang, lecture }) {
      const mine = (turn += 1);
      const words = wordsIn(lang);
      const { options } = route;
      const part = PARTS.find((known) => known === options.part) ?? "steps";
      const choose = (/** @type {Record<string, string>} */ more) => go({ options: { ...options, ...more } }, "replace");
      nav.setAttribute("aria-label", words.explore);
      replace(nav, PARTS.map((name) => tab(name, route, part, words)));
      if (!content.firstChild) replace(content, waiting(words));
      try {
        const known = await library.examples(lang);
        const request = requestFor(route, lecture, known);
        const trace = await library.trace(request);
        if (mine !== turn) return;
        replace(examples, picker(known, request, lang, words, options), h("p", { class: "provenance" }, words.provenance[trace.provenance]));
        await parts[part].update({ request, trace, options, choose, words });
        if (mine === turn && content.firstChild !== parts[part].element) replace(content, parts[part].element);
      } catch (error) {
        if (mine === turn) replace(content, messageFor(error, words, { base: library.client.base, retry: () => go({}, "replace") }));
      }
    },
  };

  /**
   * @param {typeof PARTS[number]} name
   * @param {Route} route
   * @param {string} current
   * @param {Words} words
   */
  function tab(name, route, current, words) {
    const { example, request } = route.options;
    const options = { part: name, ...(example && { example }), ...(request && { request }) };
    return h(
      "a",
      {
        href: writeRoute({ ...route, options }),
        "aria-current": name === current && "true",
        "data-focus": name,
        onclick: (/** @type {MouseEvent} */ event) => follow(event, () => go({ options })),
      },
      words[LABELS[name]],
    );
  }

  /**
   * @param {{ name: string, title: Record<string, string> }[]} known
   * @param {TraceRequest} request
   * @param {string} lang
   * @param {Words} words
   * @param {Record<string, string>} options
   */
  function picker(known, request, lang, words, { part }) {
    const plain = Object.keys(request).length === 1 && request.example;
    const own = plain ? [] : [{ value: "", label: `${words.ownRequest}: ${summary(request)}` }];
    return select(words.example, [...own, ...known.map(({ name, title }) => ({ value: name, label: title[lang] ?? name }))], plain || "", (example) =>
      go({ options: { ...(part && { part }), example } }, "replace"),
    );
  }
}

/**
 * What the link says, else the example chosen, else the reader's own numbers, else the lecture's example with its upstream.
 * @param {Route} route
 * @param {import("../../../js/src/lecture-types.js").Lecture} lecture
 * @param {{ name: string }[]} known
 * @returns {TraceRequest}
 */
function requestFor({ options: { request, example }, patch }, { trace_request: own }, known) {
  if (request) return JSON.parse(request);
  if (example) return { example };
  if (patch) return { ...own, ...patch };
  const whole = `${own.example}-reconstructed`;
  return known.some(({ name }) => name === whole) ? { example: whole } : own;
}

/** @param {TraceRequest} request */
function summary({ example, ...rest }) {
  const changes = JSON.stringify(rest);
  return [example, changes.length > 60 ? `${changes.slice(0, 57)}…` : changes].filter(Boolean).join(" ");
}
