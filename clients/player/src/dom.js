/** Elements in one expression, with no markup in strings: what a service sends can never become a script. */

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Properties that are functions become listeners (`onclick`), `false` and `undefined` are left out,
 * `true` sets a bare attribute, everything else an attribute.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, unknown>} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * Put these in place of whatever the element holds. A control that had the focus hands it to its successor, the one
 * of the same `data-focus`: whoever works with the keyboard stays where they are.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) {
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const focused = root.activeElement && element.contains(root.activeElement) ? root.activeElement.getAttribute("data-focus") : null;
  element.replaceChildren(...present(children));
  if (focused === null) return;
  const successor = [...element.querySelectorAll("[data-focus]")].find((each) => each.getAttribute("data-focus") === focused);
  if (successor instanceof HTMLElement) successor.focus({ preventScroll: true });
}

/** @param {(Child | Child[])[]} children */
function present(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child)));
}

let counted = 0;

/** An id that no other element of the player has. @param {string} word */
export function freshId(word) {
  counted += 1;
  return `${word}-${counted}`;
}
