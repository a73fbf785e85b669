/** JSON Merge Patch (RFC 7396), both ways. */

/** @typedef {Record<string, unknown>} Obj */

/** @param {unknown} value @returns {value is Obj} */
function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * The target with the patch applied; neither is changed.
 * @param {unknown} target
 * @param {unknown} patch
 * @returns {unknown}
 */
export function merge(target, patch) {
  if (!isObject(patch)) return patch;
  /** @type {Obj} */
  const merged = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value);
  }
  return merged;
}

/**
 * The smallest patch that makes `after` of `before`; undefined when they are the same.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {unknown}
 */
export function difference(before, after) {
  if (!isObject(before) || !isObject(after)) return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  /** @type {Obj} */
  const patch = {};
  for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const changed = difference(before[name], value);
    if (changed !== undefined) patch[name] = changed;
  }
  return Object.keys(patch).length ? patch : undefined;
}
