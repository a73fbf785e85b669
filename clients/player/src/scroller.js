/** What is wider than its place scrolls by itself, and can then be reached with the keyboard. */

import { h } from "./dom.js";

const watching = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

/**
 * @param {string} name the class, which also says what it is for
 * @param {string | undefined} label what assistive technology calls it, where its content does not say so itself
 * @param {...import("./dom.js").Child} children
 */
export function scroller(name, label, ...children) {
  const element = h("div", { class: `scroll ${name}`, role: label && "group", "aria-label": label }, children);
  watching.observe(element);
  return element;
}
