/** JSON has no infinities: the wire spells them as strings, and `Number` reads them back right. */

/**
 * Nested lists in which every spelled number has become one; changed in place.
 * @param {import("./types.js").Values} value
 * @returns {import("./types.js").Nested}
 */
export function readNumbers(value) {
  if (typeof value === "number") return value;
  if (typeof value === "string") return Number(value);
  for (let i = 0; i < value.length; i += 1) value[i] = readNumbers(value[i] ?? NaN);
  return /** @type {import("./types.js").NumberList} */ (value);
}

/**
 * Row-major numbers as nested lists of this shape.
 * @param {ArrayLike<number>} flat
 * @param {readonly number[]} shape
 * @returns {import("./types.js").Nested}
 */
export function nest(flat, shape) {
  const [length, ...inner] = shape;
  if (length === undefined) return flat[0] ?? NaN;
  if (inner.length === 0) return Array.from(flat).slice(0, length);
  const stride = inner.reduce((product, size) => product * size, 1);
  const all = Array.from(flat);
  return Array.from({ length }, (_, i) => nest(all.slice(i * stride, (i + 1) * stride), inner));
}

/**
 * Nested lists as one row-major list.
 * @param {import("./types.js").Nested} value
 * @returns {number[]}
 */
export function flatten(value) {
  return typeof value === "number" ? [value] : value.flatMap(flatten);
}
