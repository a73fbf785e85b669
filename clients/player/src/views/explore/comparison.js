/** The same numbers through a post-norm and a pre-norm block, side by side. */

import { h, replace } from "../../dom.js";
import { largest, tint } from "../../heat-map.js";
import { mathFromLatex } from "../../latex.js";
import { exact, print } from "../../numbers.js";
import { flatten } from "../../../../js/src/numbers.js";
import { scroller } from "../../scroller.js";
import { axisNames } from "./axes.js";
import { select } from "../select.js";

const SHOWN = ["x", "*.output", "residual_*"];
const WIRING = {
  post: [String.raw`u = \operatorname{LN}\left(x + \operatorname{MHA}(x)\right)`, String.raw`z = \operatorname{LN}\left(u + \operatorname{FFN}(u)\right)`],
  pre: [String.raw`r = x + \operatorname{MHA}\left(\operatorname{LN}(x)\right)`, String.raw`s = r + \operatorname{FFN}\left(\operatorname{LN}(r)\right)`],
};

/** @typedef {import("../../words.js").Words} Words */
/** @typedef {import("../../../../js/src/client.js").ComparedStep} ComparedStep */

/** @param {import("../../library.js").Library} library */
export function createComparison(library) {
  const element = h("div", { class: "comparison" });
  return {
    element,
    /** @param {import("../explore.js").Looking} looking */
    async update({ request, trace, options, choose, words }) {
      const tokens = trace.get("x").shape.at(-2) ?? 1;
      const token = Math.min(Number(options.token ?? 0) || 0, tokens - 1);
      const placed = (/** @type {"post" | "pre"} */ norm_placement) => ({ block: { norm_placement } });
      const base = { ...request, block: { ...request.block, ...placed("post").block }, select: SHOWN, tokens: [token] };
      const answer = (await library.compare({ base, variants: { pre: placed("pre") } })).variants.pre;
      if (!answer) return;
      const compared = answer.steps.filter((step) => step.base && step.variant);
      const scale = largest(compared.flatMap((step) => [step.base?.value ?? 0, step.variant?.value ?? 0]));
      const most = Math.max(0, ...compared.map((step) => Number(step.max_abs_difference)));
      const numbered = Array.from({ length: tokens }, (_, i) => ({ value: String(i), label: axisNames(words)("token", i) }));
      replace(
        element,
        h("div", { class: "controls" }, select(words.token, numbered, String(token), (value) => choose({ token: value }))),
        h(
          "div",
          { class: "sides" },
          side("post-norm", WIRING.post),
          side("pre-norm", WIRING.pre),
        ),
        h("p", { class: "about" }, words.firstDifference, ": ", h("code", {}, answer.first_difference ?? words.same), ". ", only(words, answer)),
        scroller(
          "compared",
          words.comparison,
          h(
            "table",
            { class: "side-by-side" },
            h("caption", { class: "hidden" }, words.comparison),
            h("thead", {}, h("tr", {}, [words.stepName, "post-norm", "pre-norm", words.biggest].map((title) => h("th", { scope: "col" }, title)))),
            h("tbody", {}, compared.map((step) => line(step, scale, most))),
          ),
        ),
      );
    },
  };
}

/**
 * @param {string} title
 * @param {string[]} wiring LaTeX
 */
function side(title, wiring) {
  return h("section", {}, h("h2", {}, title), wiring.map((latex) => scroller("formula", undefined, mathFromLatex(latex))));
}

/**
 * @param {Words} words
 * @param {import("../../../../js/src/client.js").Compared} answer
 */
function only(words, { only_in_base, only_in_variant }) {
  return [
    ...(only_in_base.length ? [`${words.onlyIn("post-norm")}: ${only_in_base.join(", ")}. `] : []),
    ...(only_in_variant.length ? [`${words.onlyIn("pre-norm")}: ${only_in_variant.join(", ")}.`] : []),
  ];
}

/**
 * @param {ComparedStep} step
 * @param {number} scale
 * @param {number} most
 */
function line({ name, max_abs_difference, base, variant }, scale, most) {
  const difference = Number(max_abs_difference);
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", `${most > 0 ? Math.round((difference / most) * 100) : 0}%`);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, mathFromLatex(base?.symbol ?? "", { inline: true }), " ", h("code", {}, name)),
    vector(base, scale),
    vector(variant, scale),
    h("td", { class: "difference" }, h("span", { class: "number", title: exact(difference) }, print(difference)), bar),
  );
}

/**
 * @param {ComparedStep["base"]} tensor
 * @param {number} scale
 */
function vector(tensor, scale) {
  const numbers = flatten(tensor?.value ?? []);
  return h(
    "td",
    {},
    h(
      "span",
      { class: "vector" },
      numbers.flatMap((number, i) => {
        const cell = h("span", { class: "cell", title: exact(number) }, print(number));
        tint(cell, number, scale);
        return i === 0 ? [cell] : [" ", cell];
      }),
    ),
  );
}
