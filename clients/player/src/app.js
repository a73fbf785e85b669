/** The player as a whole: one route, one library, and the views that show them. */

import { h, replace } from "./dom.js";
import { Library } from "./library.js";
import { createExplore } from "./views/explore.js";
import { createFigure } from "./views/figure.js";
import { createMasthead } from "./views/masthead.js";
import { createOpening } from "./views/opening.js";
import { createPractise } from "./views/practise.js";
import { createStepper } from "./views/stepper.js";
import { createText } from "./views/text.js";
import { createWhatIf } from "./views/what-if.js";
import { messageFor, waiting } from "./views/message.js";
import { wordsIn } from "./words.js";
import { Changes } from "./changes.js";

/**
 * @typedef {import("./route.js").Route} Route
 * @typedef {import("../../js/src/lecture-types.js").State} State
 * @typedef {import("../../js/src/lecture-types.js").Lecture} Lecture
 *
 * @typedef {object} Page everything that one route shows
 * @property {Route} route
 * @property {string} lang
 * @property {any[]} lectures
 * @property {Lecture} lecture
 * @property {State[]} states
 * @property {string} current
 *
 * @typedef {object} Host where the player keeps its route and how it is embedded
 * @property {() => Route} read
 * @property {(route: Route, how: "push" | "replace") => void} write
 * @property {(route: Route) => string} address
 * @property {boolean} whole whether the player is the page, and not a part of one
 * @property {(page: Page) => void} [shown]
 */

export class App {
  /** @type {Page | undefined} */
  #page;
  #turn = 0;

  /**
   * @param {string} base
   * @param {Host} host
   */
  constructor(base, host) {
    this.host = host;
    this.library = new Library(base);
    const go = (/** @type {Partial<Route>} */ change) => this.go(change);
    this.changes = new Changes(this.library, () => this.#draw());
    this.masthead = createMasthead(go);
    this.opening = createOpening(go);
    this.figure = createFigure();
    this.stepper = createStepper((state) => this.go({ state }));
    this.whatIf = createWhatIf({
      change: (patch) => this.go({ patch, view: "what-if" }, "replace"),
      share: () => this.#share(),
    });
    this.text = createText({ library: this.library, go });
    this.explore = createExplore(this.library, go);
    this.practise = createPractise(this.library, go);
    this.trouble = h("div", { class: "trouble" });
    this.read = h("div", { class: "read" }, this.figure.element, this.stepper.element, this.whatIf.element, this.text.element);
    this.body = h(host.whole ? "main" : "div", { class: "body", id: "page", tabindex: "-1" });
    this.element = h("div", { class: "player" }, this.masthead.element, this.body);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Somewhere else, or the same place with something changed.
   * @param {Partial<Route>} change
   * @param {"push" | "replace"} [how]
   */
  go(change, how = "push") {
    const here = this.host.read();
    const lecture = here.lecture ?? this.#page?.route.lecture; // an address may leave it out, its successor may not
    this.host.write({ ...here, ...(lecture && { lecture }), ...change }, how);
    return this.show();
  }

  /** Show what the route says; an older call that answers late is dropped. */
  async show() {
    const turn = (this.#turn += 1);
    const route = this.host.read();
    const lang = route.lang ?? preferred();
    const words = wordsIn(lang);
    if (!this.#page) replace(this.body, waiting(words));
    this.element.lang = lang === "zh" ? "zh-CN" : lang;
    try {
      const page = await this.#load(route, lang);
      if (turn !== this.#turn) return;
      this.#page = page;
      this.changes.want(page.route.patch, page);
      this.#draw();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#page = undefined;
      const heading = this.host.whole ? "h1" : "p";
      replace(this.body, messageFor(error, words, { base: this.library.client.base, retry: () => void this.show(), heading }));
    }
  }

  /**
   * @param {Route} route
   * @param {string} lang
   * @returns {Promise<Page>}
   */
  async #load(route, lang) {
    const lectures = await this.library.lectures(lang);
    const id = route.lecture ?? lectures[0]?.id ?? "";
    this.masthead.update({ route, lang, lectures, words: wordsIn(lang) });
    const [lecture, states] = await Promise.all([this.library.lecture(id, lang), this.library.states(id, lang)]);
    const known = states.some(({ state }) => state === route.state);
    const current = known && route.state ? route.state : lecture.default_state;
    return { route: { ...route, lecture: id, state: current }, lang, lectures, lecture, states, current };
  }

  #draw() {
    const page = this.#page;
    if (!page) return;
    const { route, lang, lectures, lecture, states, current } = page;
    const words = wordsIn(lang);
    const { view } = route;
    this.masthead.update({ route, lang, lectures, words });
    this.opening.update({ route, lecture, words });
    const lectureView = view === "read" || view === "what-if";
    const shown = view === "explore" ? this.explore.element : view === "practise" ? this.practise.element : this.read;
    if (this.body.children[1] !== shown) replace(this.body, this.opening.element, shown);
    if (lectureView) {
      this.figure.update({ states, reading: lecture.reading_order, current, changed: this.changes.states, words });
      this.stepper.update({ states, current, words });
      this.text.update({ lecture, words, route, lectures });
      this.whatIf.element.hidden = view !== "what-if";
      if (view === "what-if" && this.changes.base) {
        this.whatIf.update({ base: this.changes.base, patch: route.patch, words, key: `${route.lecture} ${lang}` });
        replace(this.whatIf.notice, this.changes.error ? messageFor(this.changes.error, words, { base: this.library.client.base }) : null);
      }
      this.figure.element.setAttribute("aria-busy", String(this.changes.busy));
      if (view === "what-if" && route.patch && this.changes.base && !this.changes.busy) this.whatIf.tell(this.figure.element.querySelectorAll(".shown .changed").length);
    }
    if (view === "explore") this.explore.update(page);
    if (view === "practise") this.practise.update(page);
    this.host.shown?.(page);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const page = this.#page;
    const target = /** @type {Element} */ (event.composedPath()[0]);
    if (!page || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (page.route.view !== "read" && page.route.view !== "what-if") return;
    if (target.closest("input, textarea, select, [role=group][tabindex]")) return;
    if (event.key === "ArrowRight") this.stepper.step(1);
    else if (event.key === "ArrowLeft") this.stepper.step(-1);
    else if (event.key === "Home") void this.go({ state: page.lecture.default_state });
    else return;
    event.preventDefault();
  }

  async #share() {
    const address = this.host.address(this.host.read());
    try {
      await navigator.clipboard.writeText(address);
      return true;
    } catch {
      return false; // no leave to write to the clipboard: the address bar has the same link
    }
  }
}

/** The reader's own language where there is a choice; the course is Chinese first. */
function preferred() {
  const asked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return asked.find((code) => code === "zh" || code === "en") ?? "zh";
}
