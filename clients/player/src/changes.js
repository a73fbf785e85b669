/** The states that the reader's own numbers give: the one being looked at first, the others while nobody waits. */

/**
 * @typedef {import("../../js/src/lecture-types.js").State} State
 * @typedef {import("./route.js").Patch} Patch
 * @typedef {import("../../js/src/types.js").TraceRequest} TraceRequest
 */

export class Changes {
  /** States recomputed with the patch, by id. @type {Map<string, State>} */
  states = new Map();
  /** The lecture's own request, written out. @type {TraceRequest | undefined} */
  base;
  /** @type {unknown} */
  error;
  busy = false;
  #key = "";
  #baseKey = "";
  #running = new AbortController();

  /**
   * @param {import("./library.js").Library} library
   * @param {() => void} changed called when there is something new to show
   */
  constructor(library, changed) {
    this.library = library;
    this.changed = changed;
  }

  /**
   * @param {Patch | undefined} patch
   * @param {{ lecture: import("../../js/src/lecture-types.js").Lecture, lang: string, states: State[], current: string, route: { view: string } }} page
   */
  want(patch, { lecture, lang, states, current, route }) {
    if (route.view === "what-if") void this.#wantBase(lecture);
    const key = patch ? JSON.stringify([lecture.id, lang, patch]) : "";
    if (key !== this.#key) {
      this.#running.abort();
      this.#running = new AbortController();
      this.#key = key;
      this.error = undefined;
      if (!patch) this.states = new Map();
    } else if (this.busy || this.states.get(current) || this.error) return;
    if (patch) void this.#compute(lecture.id, lang, patch, [current, ...states.map(({ state }) => state)], this.#running.signal);
    else this.busy = false;
  }

  /**
   * @param {string} lecture
   * @param {string} lang
   * @param {Patch} patch
   * @param {string[]} order
   * @param {AbortSignal} signal
   */
  async #compute(lecture, lang, patch, order, signal) {
    this.busy = true;
    /** @type {Map<string, State>} */
    const fresh = new Map();
    try {
      for (const state of new Set(order)) {
        fresh.set(state, await this.library.changed(lecture, state, lang, patch, signal));
        if (signal.aborted) return;
        // What was shown before stays until its successor is there: nothing flickers back to the published numbers.
        this.states = new Map([...this.states, ...fresh]);
        this.changed();
      }
      this.states = fresh;
    } catch (error) {
      if (signal.aborted) return;
      this.error = error;
      this.states = new Map();
    }
    this.busy = false;
    this.changed();
  }

  /** @param {import("../../js/src/lecture-types.js").Lecture} lecture */
  async #wantBase(lecture) {
    if (this.#baseKey === lecture.id) return;
    this.#baseKey = lecture.id;
    this.base = undefined;
    try {
      const { example, ...own } = /** @type {TraceRequest} */ (lecture.trace_request);
      const base = example ? await this.library.example(example) : own;
      if (this.#baseKey !== lecture.id) return;
      this.base = base;
    } catch (error) {
      this.#baseKey = "";
      this.error = error;
    }
    this.changed();
  }
}
