/** The attention weights: who reads from whom. */

import { h, replace } from "../../dom.js";
import { heatMap } from "../../heat-map.js";
import { mathFromLatex } from "../../latex.js";
import { axisNames } from "./axes.js";
import { scroller } from "../../scroller.js";

export function createWeights() {
  const element = h("div", { class: "weights" });
  return {
    element,
    /** @param {import("../explore.js").Looking} looking */
    update({ trace, words }) {
      const found = trace.steps.filter(({ name }) => name.endsWith(".weights"));
      replace(
        element,
        h("p", { class: "about" }, found.length ? words.weightsHelp : words.noWeights),
        found.map((step) =>
          h(
            "section",
            {},
            h("h2", {}, h("code", {}, step.name)),
            scroller("formula", undefined, mathFromLatex(`${step.symbol} = ${step.latex}`)),
            heatMap(step.value, { axes: step.axes, name: axisNames(words) }, { scale: 1 }),
          ),
        ),
      );
    },
  };
}
