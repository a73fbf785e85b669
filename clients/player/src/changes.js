/** The states that the reader's own numbers give: the one being looked at first, the others while nobody waits. */

/**
 * @typedef {import("../../js/src/lecture-types.js").State} State
 * @typedef {import("../../js/src/lecture-types.js").Lecture} Lecture
 * @typedef {import("./route.js").Patch} Patch
 * @typedef {import("../../js/src/types.js").TraceRequest} TraceRequest
 */

/** Who is still typing needs the state they look at, not yet the other five. */
const PATIENCE = 400;

export class Changes {
  /** States recomputed with the reader's numbers, by id; until its successor is there, with the numbers before. @type {Map<string, State>} */
  states = new Map();
  /** The lecture's own request, written out. @type {TraceRequest | undefined} */
  base;
  /** @type {unknown} */
  error;
  /** @type {Set<string>} */
  #fresh = new Set();
  #key = "";
  #baseOf = "";
  #current = "";
  #running = new AbortController();

  /**
   * @param {import("./library.js").Library} library
   * @param {() => void} changed called when there is something new to show
   */
  constructor(library, changed) {
    this.library = library;
    this.changed = changed;
  }

  /** Whether the state being looked at still shows other numbers than those asked for. */
  get busy() {
    return this.#key !== "" && this.error === undefined && !this.#fresh.has(this.#current);
  }

  /**
   * @param {Patch | undefined} patch
   * @param {{ lecture: Lecture, lang: string, states: State[], current: string, route: { view: string } }} page
   */
  want(patch, { lecture, lang, states, current, route }) {
    if (route.view === "what-if") void this.#wantBase(lecture);
    const key = patch ? JSON.stringify([lecture.id, lang, patch]) : "";
    const same = key === this.#key;
    this.#current = current;
    if (same && (!patch || this.error !== undefined || this.#fresh.has(current))) return;
    this.#running.abort();
    this.#running = new AbortController();
    if (!same) {
      this.#key = key;
      this.#fresh = new Set();
      this.error = undefined;
    }
    if (!patch) this.states = new Map();
    else void this.#compute(lecture.id, lang, patch, [current, ...states.map(({ state }) => state)], this.#running.signal);
  }

  /**
   * @param {string} lecture
   * @param {string} lang
   * @param {Patch} patch
   * @param {string[]} order
   * @param {AbortSignal} signal
   */
  async #compute(lecture, lang, patch, [first = "", ...others], signal) {
    try {
      await this.#one(lecture, first, lang, patch, signal);
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      for (const state of others) if (!this.#fresh.has(state)) await this.#one(lecture, state, lang, patch, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.error = error;
      this.states = new Map();
      this.changed();
    }
  }

  /**
   * @param {string} lecture
   * @param {string} state
   * @param {string} lang
   * @param {Patch} patch
   * @param {AbortSignal} signal
   */
  async #one(lecture, state, lang, patch, signal) {
    const answer = await this.library.changed(lecture, state, lang, patch, signal);
    signal.throwIfAborted();
    this.states = new Map(this.states).set(state, answer);
    this.#fresh.add(state);
    this.changed();
  }

  /** @param {Lecture} lecture */
  async #wantBase(lecture) {
    if (this.#baseOf === lecture.id) return;
    this.#baseOf = lecture.id;
    this.base = undefined;
    try {
      const { example, ...own } = lecture.trace_request;
      const base = example ? await this.library.example(example) : own;
      if (this.#baseOf !== lecture.id) return;
      this.base = base;
    } catch (error) {
      this.#baseOf = "";
      this.error = error;
    }
    this.changed();
  }
}
