/** The working: every step on the way, with its formula and its numbers, when the reader asks for it. */

import { freshId, h, replace } from "../../dom.js";
import { heatMap } from "../../heat-map.js";
import { mathFromLatex } from "../../latex.js";
import { axisNames } from "../explore/axes.js";
import { messageFor, waiting } from "../message.js";
import { scroller } from "../../scroller.js";

/**
 * @param {import("../../library.js").Library} library
 * @param {import("../../../../js/src/types.js").TraceRequest[]} requests
 * @param {import("../../words.js").Words} words
 */
export function createWorking(library, requests, words) {
  const element = h("section", { class: "working", id: freshId("working"), hidden: true, "aria-label": words.working });
  const button = h("button", { type: "button", class: "quiet", "aria-expanded": "false", "aria-controls": element.id, onclick: toggle }, words.working);
  return { element, button };

  async function toggle() {
    element.hidden = !element.hidden;
    button.setAttribute("aria-expanded", String(!element.hidden));
    button.textContent = element.hidden ? words.working : words.hideWorking;
    if (element.hidden || element.firstChild) return;
    replace(element, waiting(words));
    try {
      const traces = await Promise.all(requests.map((request) => library.trace(request)));
      replace(element, traces.map((trace) => h("ol", { class: "lines" }, trace.steps.map((step) => h("li", {}, line(step))))));
    } catch (error) {
      replace(element, messageFor(error, words, { base: library.client.base }));
    }
  }

  /** @param {import("../../../../js/src/index.js").Tensor} step */
  function line(step) {
    const given = step.op === "given";
    return [
      h("p", { class: "name" }, h("code", {}, step.name), given ? ` (${words.given})` : null),
      scroller("formula", undefined, mathFromLatex(given ? step.symbol : `${step.symbol} = ${step.latex}`)),
      heatMap(step.value, { axes: step.axes, name: axisNames(words) }, step.axes.length < 3 ? { caption: step.name } : {}),
    ];
  }
}
