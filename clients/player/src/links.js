/** Where in the player something is shown that the service can compute. */

/** @typedef {import("../../js/src/lecture-types.js").Link} Link */
/** @typedef {Partial<import("./route.js").Route>} Place */

/**
 * The place that shows what a link asks for, or undefined if no view of the player does.
 * @param {Link} link
 * @returns {Place | undefined}
 */
export function placeFor({ href, body }) {
  if (!body) return undefined;
  const path = href.split("?", 1)[0];
  if (path === "/block/trace") return explore({ part: "steps", request: written(without(body, "select", "tokens")) });
  if (path === "/block/jacobian") {
    return explore({ part: "jacobian", request: written(body.trace), of: body.of, of_token: body.of_token, wrt_token: body.wrt_token });
  }
  if (path === "/block/compare") return explore({ part: "comparison", request: written(body.base) });
  if (path === "/exercises") return { view: "practise", patch: undefined, options: texts({ topic: body.topic, seed: body.seed, difficulty: body.difficulty }) };
  return undefined;
}

/** @param {Record<string, unknown>} options @returns {Place} */
function explore(options) {
  return { view: "explore", patch: undefined, options: texts(options) };
}

/** @param {unknown} request */
function written(request) {
  return JSON.stringify(request ?? {});
}

/**
 * @param {Record<string, unknown>} from
 * @param {...string} names
 */
function without(from, ...names) {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
}

/** @param {Record<string, unknown>} options */
function texts(options) {
  return Object.fromEntries(Object.entries(options).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])));
}
