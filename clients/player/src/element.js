/**
 * `<lecture-player src="/lectures/R44" lang="zh">`: the player on any page.
 *
 * Attributes: `src` is the address of a lecture (or `api` that of a service, which then shows its first lecture);
 * `lang` is zh or en; `state` and `view` say where to begin; `routed` keeps the place in the page's own address.
 */

import { App } from "./app.js";
import { h } from "./dom.js";
import { readRoute, VIEWS, writeRoute } from "./route.js";

const SHEETS = ["tokens", "page", "figure", "what-if", "explore", "practise"];

/** @typedef {import("./route.js").Route} Route */

export class LecturePlayer extends HTMLElement {
  static observedAttributes = ["src", "api", "lang", "state", "view"];

  /** @type {App | undefined} */
  #app;
  /** @type {AbortController | undefined} */
  #attached;

  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#attached = new AbortController();
    const { base, lecture } = this.#source();
    const routed = this.hasAttribute("routed");
    const app = new App(base, routed ? addressBar(lecture, this) : memory(this, lecture, base));
    this.#app = app;
    root.replaceChildren(...sheets(), app.element);
    if (routed) {
      const { signal } = this.#attached;
      for (const event of ["popstate", "hashchange"]) window.addEventListener(event, () => void app.show(), { signal });
      document.addEventListener("keydown", (event) => event.target === document.body && app.element.dispatchEvent(new KeyboardEvent("keydown", event)), { signal });
    }
    void styled(root).then(() => app.show());
  }

  disconnectedCallback() {
    this.#attached?.abort();
    this.#app = undefined;
  }

  attributeChangedCallback() {
    if (!this.#app) return;
    this.disconnectedCallback();
    this.connectedCallback();
  }

  /** The service's address and the lecture, from `src` or `api`. */
  #source() {
    const src = this.getAttribute("src");
    const api = this.getAttribute("api");
    const here = new URL(".", document.baseURI);
    if (!src) return { base: new URL(api ?? "", here).href, lecture: undefined };
    const address = new URL(src, api ? new URL(api, here) : here);
    const [, before = "", lecture = ""] = /^(.*?)\/lectures\/([^/]+)/.exec(address.pathname) ?? [];
    return { base: address.origin + before, lecture: lecture === "" ? undefined : decodeURIComponent(lecture) };
  }
}

/**
 * The place is kept in the page's address, so that it can be linked to and the back button works.
 * @param {string | undefined} lecture
 * @param {LecturePlayer} element
 * @returns {import("./app.js").Host}
 */
function addressBar(lecture, element) {
  return {
    whole: true,
    read: () => ({ ...beginning(element, lecture), ...readRoute(location.hash) }),
    write: (route, how) => history[how === "push" ? "pushState" : "replaceState"](null, "", writeRoute(route)),
    address: (route) => new URL(writeRoute(route), location.href).href,
    shown: ({ lecture: { id, title }, lang }) => {
      document.title = `${title} · ${id}`;
      document.documentElement.lang = lang === "zh" ? "zh-CN" : lang;
    },
  };
}

/**
 * The place is the element's own; a link to share is the service's page.
 * @param {LecturePlayer} element
 * @param {string | undefined} lecture
 * @param {string} base the service's address
 * @returns {import("./app.js").Host}
 */
function memory(element, lecture, base) {
  let route = beginning(element, lecture);
  return {
    whole: false,
    read: () => route,
    write: (next) => (route = next),
    address: (shared) => new URL(writeRoute(shared), base.endsWith("/") ? base : `${base}/`).href,
  };
}

/**
 * @param {LecturePlayer} element
 * @param {string | undefined} lecture
 * @returns {Route}
 */
function beginning(element, lecture) {
  const lang = element.getAttribute("lang");
  const state = element.getAttribute("state");
  const view = VIEWS.find((known) => known === element.getAttribute("view")) ?? "read";
  return { view, options: {}, ...(lecture && { lecture }), ...(lang && { lang }), ...(state && { state }) };
}

function sheets() {
  return SHEETS.map((name) => h("link", { rel: "stylesheet", href: new URL(`./style/${name}.css`, import.meta.url).href }));
}

/** Once all style sheets are there, or have failed: a page without them still reads. @param {ShadowRoot} root */
function styled(root) {
  const links = [...root.querySelectorAll("link")];
  return Promise.all(
    links.map(
      (link) =>
        new Promise((resolve) => {
          link.addEventListener("load", resolve, { once: true });
          link.addEventListener("error", resolve, { once: true });
          if (link.sheet) resolve(undefined);
        }),
    ),
  );
}

customElements.define("lecture-player", LecturePlayer);
