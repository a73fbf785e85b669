/** The derivative of one token's row by another's: the whole, the direct path, and what is left. */

import { h, replace } from "../../dom.js";
import { heatMap, largest } from "../../heat-map.js";
import { lanes } from "../../rail.js";
import { axisNames, subscript } from "./axes.js";
import { select } from "../select.js";

const BRANCHES = ["attention.output", "cross_attention.output", "ffn.output"];

/**
 * @typedef {import("../../../../js/src/index.js").Trace} Trace
 * @param {import("../../library.js").Library} library
 */
export function createJacobian(library) {
  const element = h("div", { class: "jacobian" });
  return {
    element,
    /** @param {import("../explore.js").Looking} looking */
    async update({ request, trace, options, choose, words }) {
      const of = trace.has(options.of ?? "") && options.of !== "x" ? trace.get(options.of ?? "") : trace.output;
      const tokens = trace.get("x").shape.at(-2) ?? 1;
      const token = (/** @type {string} */ name) => Math.min(Number(options[name] ?? 0) || 0, tokens - 1);
      const [ofToken, wrtToken] = [token("of_token"), token("wrt_token")];
      const stop = BRANCHES.filter((name) => ancestors(trace, of.name).has(name));
      const asked = { trace: request, of: of.name, of_token: ofToken, wrt: "x", wrt_token: wrtToken };
      const [whole, direct] = await Promise.all([library.jacobian(asked), library.jacobian({ ...asked, stop })]);

      const total = /** @type {number[][]} */ (whole.matrix.value);
      const straight = /** @type {number[][]} */ (direct.matrix.value);
      const rest = total.map((row, i) => row.map((number, j) => number - (straight[i]?.[j] ?? 0)));
      const scale = largest([total, straight, rest]);
      const letter = /^[a-z]$/i.test(of.symbol) ? of.symbol : "y";
      const labels = { axes: ["of", "wrt"], name: (/** @type {string} */ axis, /** @type {number} */ i) => (axis === "of" ? letter : "x") + subscript(i + 1) };
      const name = axisNames(words);
      const numbered = Array.from({ length: tokens }, (_, i) => ({ value: String(i), label: name("token", i) }));
      replace(
        element,
        h(
          "div",
          { class: "controls" },
          select(words.of, stream(trace).map((step) => ({ value: step, label: step })), of.name, (value) => choose({ of: value })),
          select(words.ofToken, numbered, String(ofToken), (value) => choose({ of_token: value })),
          select(words.wrtToken, numbered, String(wrtToken), (value) => choose({ wrt_token: value })),
        ),
        h("p", { class: "about" }, words.jacobianHelp),
        h(
          "div",
          { class: "matrices" },
          heatMap(total, labels, { scale, caption: `${words.whole}: ∂${letter}/∂x` }),
          heatMap(straight, labels, { scale, caption: words.direct }),
          heatMap(rest, labels, { scale, caption: words.rest }),
        ),
        h("p", { class: "about" }, words.attested(whole.finite_difference.max_abs_error.toExponential(1).replaceAll("-", "−"))),
      );
    },
  };
}

/** The steps on the residual stream, which are those worth differentiating. @param {Trace} trace */
function stream(trace) {
  const on = lanes(trace.steps, trace.outputName).stream;
  return trace.steps.filter((step, i) => on.has(i) && step.op !== "given").map((step) => step.name);
}

/**
 * @param {Trace} trace
 * @param {string} name
 */
function ancestors(trace, name) {
  /** @type {Set<string>} */
  const found = new Set();
  const waitingFor = [name];
  for (let next = waitingFor.pop(); next !== undefined; next = waitingFor.pop()) {
    if (!trace.has(next) || found.has(next)) continue;
    found.add(next);
    waitingFor.push(...trace.get(next).inputs);
  }
  return found;
}
