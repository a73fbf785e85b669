/** Numbers as the lectures print them: whole numbers bare, otherwise so many decimals, and the true minus sign. */

/**
 * @param {number} value
 * @param {number} [decimals]
 */
export function print(value, decimals = 3) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  const whole = Number.isInteger(value);
  const text = whole ? String(Math.abs(value)) : Math.abs(value).toFixed(decimals);
  if (whole && text.includes("e")) return minus(value.toPrecision(4));
  if (!whole && Number(text) === 0) return minus(value.toExponential(0));
  return value < 0 ? `−${text}` : text;
}

/** Every digit of a float64, for those who want to go on computing with it. @param {number} value */
export function exact(value) {
  return minus(String(value));
}

/** @param {string} text */
function minus(text) {
  return text.replaceAll("-", "−");
}

/**
 * What someone typed, as a number: either minus sign, a fraction, a decimal point. Undefined if it is none.
 * @param {string} text
 * @returns {number | undefined}
 */
export function parse(text) {
  const plain = text.trim().replaceAll("−", "-");
  const fraction = /^(-?\d+)\s*\/\s*(\d+)$/.exec(plain);
  if (fraction) return Number(fraction[2]) === 0 ? undefined : Number(fraction[1]) / Number(fraction[2]);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}
