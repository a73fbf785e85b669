/** MathML that came as text, rebuilt element by element from a list of what presentation MathML needs. */

const MATHML = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set(
  "math mrow mi mn mo mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose semantics".split(" "),
);
const ATTRIBUTES = new Set(
  "display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric largeop movablelimits accent accentunder width height depth linethickness columnalign rowspacing columnspacing".split(" "),
);

/**
 * @param {string} text
 * @param {string} [spoken] what assistive technology may say instead
 * @returns {MathMLElement}
 */
export function mathFromText(text, spoken) {
  const parsed = new DOMParser().parseFromString(text, "application/xml").documentElement;
  const math = /** @type {MathMLElement} */ (rebuilt(parsed) ?? element("math"));
  math.setAttribute("display", "block");
  if (spoken) math.setAttribute("aria-label", spoken);
  return math;
}

/**
 * An element of MathML.
 * @param {string} name
 * @param {...(Node | string)} children
 * @returns {MathMLElement}
 */
export function element(name, ...children) {
  const made = /** @type {MathMLElement} */ (document.createElementNS(MATHML, name));
  made.append(...children);
  return made;
}

/**
 * @param {Element} from
 * @returns {MathMLElement | undefined}
 */
function rebuilt(from) {
  if (!ELEMENTS.has(from.localName)) return undefined;
  const made = element(from.localName);
  for (const { name, value } of from.attributes) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  for (const child of from.childNodes) {
    const kept = child.nodeType === Node.TEXT_NODE ? (child.textContent ?? "") : child instanceof Element && rebuilt(child);
    if (kept) made.append(kept);
  }
  return made;
}
