/** What an index of an axis is called. */

/**
 * @param {import("../../words.js").Words} words
 * @returns {(axis: string, index: number) => string}
 */
export function axisNames(words) {
  return (axis, index) => {
    if (axis === "token" || axis === "query" || axis === "key" || axis === "memory") return `${words.token} ${index + 1}`;
    if (axis === "head" || axis === "kv_head") return `${words.head} ${index + 1}`;
    if (axis === "batch") return `batch ${index + 1}`;
    return String(index + 1);
  };
}

const DIGITS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number} number */
export function subscript(number) {
  return String(number).replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? digit);
}
