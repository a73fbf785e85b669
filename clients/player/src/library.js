/** What the service has said so far: each answer is asked for once, so that stepping needs no network. */

import { Client } from "../../js/src/index.js";

/** @typedef {import("../../js/src/lecture-types.js").State} State */
/** @typedef {import("./route.js").Patch} Patch */

export class Library {
  /** @type {Map<string, Promise<any>>} */
  #kept = new Map();

  /** @param {string} base */
  constructor(base) {
    this.client = new Client(base, { timeout: 15_000 });
  }

  /** @param {string} lang */
  lectures(lang) {
    return this.#once(`lectures ${lang}`, async () => (await this.client.lectures({ lang })).lectures);
  }

  /**
   * @param {string} id
   * @param {string} lang
   * @returns {Promise<import("../../js/src/lecture-types.js").Lecture>}
   */
  lecture(id, lang) {
    return this.#once(`lecture ${id} ${lang}`, () => this.client.lecture(id, { lang }));
  }

  /**
   * All states of a lecture, in page order.
   * @param {string} id
   * @param {string} lang
   * @returns {Promise<State[]>}
   */
  states(id, lang) {
    return this.#once(`states ${id} ${lang}`, async () => {
      const { page_order } = await this.lecture(id, lang);
      return Promise.all(page_order.map((state) => this.client.state(id, state, { lang })));
    });
  }

  /**
   * A state with the reader's own numbers.
   * @param {string} id
   * @param {string} state
   * @param {string} lang
   * @param {Patch} patch
   * @param {AbortSignal} [signal]
   * @returns {Promise<State>}
   */
  changed(id, state, lang, patch, signal) {
    return this.client.state(id, state, { lang, patch, signal });
  }

  /** @param {string} lang */
  examples(lang) {
    return this.#once(`examples ${lang}`, async () => (await this.client.examples({ lang })).examples);
  }

  /** @param {string} name @returns {Promise<import("../../js/src/types.js").TraceRequest>} */
  example(name) {
    return this.#once(`example ${name}`, () => this.client.example(name));
  }

  /** @param {import("../../js/src/types.js").TraceRequest} request @returns {Promise<import("../../js/src/index.js").Trace>} */
  trace(request) {
    return this.#once(`trace ${JSON.stringify(request)}`, () => this.client.trace(request));
  }

  /** @param {import("../../js/src/types.js").JacobianRequest} request @returns {ReturnType<Client["jacobian"]>} */
  jacobian(request) {
    return this.#once(`jacobian ${JSON.stringify(request)}`, () => this.client.jacobian(request));
  }

  /** @param {import("../../js/src/types.js").CompareRequest} request @returns {ReturnType<Client["compare"]>} */
  compare(request) {
    return this.#once(`compare ${JSON.stringify(request)}`, () => this.client.compare(request));
  }

  /** @param {import("../../js/src/grading-types.js").ExerciseRequest} request */
  exercise(request) {
    return /** @type {ReturnType<Client["exercise"]>} */ (this.#once(`exercise ${JSON.stringify(request)}`, () => this.client.exercise(request)));
  }

  /**
   * An answer is kept, a failure is not: the next reader asks again.
   * @param {string} key
   * @param {() => Promise<any>} ask
   */
  #once(key, ask) {
    const known = this.#kept.get(key);
    if (known) return known;
    const asked = ask().catch((error) => {
      this.#kept.delete(key);
      throw error;
    });
    this.#kept.set(key, asked);
    return asked;
  }
}
