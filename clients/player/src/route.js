/** Where the reader is, as a fragment: `#/R44/b2?lang=en&view=explore&patch={…}`. Everything in it can be shared. */

export const VIEWS = /** @type {const} */ (["read", "what-if", "explore", "practise"]);

/**
 * @typedef {typeof VIEWS[number]} View
 * @typedef {Record<string, unknown>} Patch
 *
 * @typedef {object} Route
 * @property {string} [lecture]
 * @property {string} [state]
 * @property {string} [lang]
 * @property {View} view
 * @property {Patch} [patch]
 * @property {Record<string, string>} options what a view keeps in the address: a step, a topic, a seed
 */

/**
 * @param {string} fragment with or without its `#`
 * @returns {Route}
 */
export function readRoute(fragment) {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split("?", 2);
  const [lecture, state] = path.split("/").map(decode);
  const { lang, view, patch, ...options } = Object.fromEntries(new URLSearchParams(query));
  return {
    ...(lecture && { lecture }),
    ...(state && { state }),
    ...(lang && { lang }),
    ...(patch && { patch: readPatch(patch) }),
    view: VIEWS.find((known) => known === view) ?? (patch ? "what-if" : "read"),
    options,
  };
}

/** @param {Route} route */
export function writeRoute({ lecture = "", state, lang, view, patch, options }) {
  const path = [lecture, state].filter(Boolean).map((part) => encodeURIComponent(String(part))).join("/");
  const query = new URLSearchParams({
    ...(lang && { lang }),
    ...(view !== "read" && { view }),
    ...options,
    ...(patch && { patch: JSON.stringify(patch) }),
  });
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** @param {string} text */
function readPatch(text) {
  try {
    const patch = JSON.parse(text);
    return patch !== null && typeof patch === "object" && !Array.isArray(patch) ? patch : undefined;
  } catch {
    return undefined; // a link cut short shows the published numbers
  }
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
