/** One method an operation, each named as the service names it. */

import { readSafeTensors } from "./safetensors.js";
import { Tensor, traceFromJson, traceFromSafeTensors } from "./trace.js";
import { Transport } from "./transport.js";

/**
 * @typedef {import("./types.js").TraceRequest} TraceRequest
 * @typedef {import("./types.js").Patch} Patch
 * @typedef {{ signal?: AbortSignal | undefined }} Cancel
 * @typedef {Omit<import("./types.js").ComparedStep, "base" | "variant" | "max_abs_difference"> &
 *   { max_abs_difference: number | null, base?: Tensor, variant?: Tensor }} ComparedStep
 * @typedef {Omit<import("./types.js").Variant, "steps"> & { steps: ComparedStep[] }} Compared
 * @typedef {Cancel & { lang?: string | undefined }} InLanguage
 */

const BINARY = "application/vnd.blockwalk+safetensors";

/** The service at one address. All methods take an AbortSignal as `signal`. */
export class Client {
  #transport;

  /**
   * @param {string | URL} base address of the service, such as `http://127.0.0.1:8000`
   * @param {import("./transport.js").Options} [options]
   */
  constructor(base, options) {
    this.#transport = new Transport(base, options);
  }

  /** Address of the service, without a slash at its end. */
  get base() {
    return this.#transport.base;
  }

  /**
   * Run one block and get every intermediate value; `binary` lets the numbers travel as safetensors.
   * @param {TraceRequest} request
   * @param {Cancel & { binary?: boolean }} [options]
   */
  async trace(request, { binary = false, signal } = {}) {
    const call = { path: "/block/trace", body: request, signal };
    if (!binary) return traceFromJson(await this.#json(call));
    const answer = await this.#transport.send({ ...call, accept: BINARY });
    return traceFromSafeTensors(readSafeTensors(await answer.arrayBuffer()));
  }

  /**
   * The steps, axes and shapes of a block and what it would cost, without computing it.
   * @param {TraceRequest} request
   * @param {Cancel} [options]
   * @returns {Promise<import("./types.js").PlanAnswer>}
   */
  plan(request, { signal } = {}) {
    return this.#json({ path: "/block/plan", body: request, signal });
  }

  /**
   * Where variants of a block come to differ from it; steps that are selected come with both values.
   * @param {import("./types.js").CompareRequest} request
   * @param {Cancel} [options]
   */
  async compare(request, { signal } = {}) {
    /** @type {import("./types.js").CompareAnswer} */
    const answer = await this.#json({ path: "/block/compare", body: request, signal });
    const variants = Object.entries(answer.variants).map(([name, variant]) => [name, { ...variant, steps: variant.steps.map(compared) }]);
    return { ...answer, variants: /** @type {Record<string, Compared>} */ (Object.fromEntries(variants)) };
  }

  /**
   * Gradients of one step by earlier ones.
   * @param {import("./types.js").GradientRequest} request
   * @param {Cancel} [options]
   */
  async gradient(request, { signal } = {}) {
    /** @type {import("./types.js").GradientAnswer} */
    const { of, gradients } = await this.#json({ path: "/block/gradient", body: request, signal });
    return { of, gradients: gradients.map((gradient) => new Tensor(gradient)) };
  }

  /**
   * The Jacobian of one token's row by another's, with its attestation by central differences.
   * @param {import("./types.js").JacobianRequest} request
   * @param {Cancel} [options]
   */
  async jacobian(request, { signal } = {}) {
    /** @type {import("./types.js").JacobianAnswer} */
    const { matrix, finite_difference: attested, ...about } = await this.#json({ path: "/block/jacobian", body: request, signal });
    const finite_difference = { ...attested, max_abs_error: Number(attested.max_abs_error) };
    return { ...about, matrix: new Tensor(matrix), finite_difference };
  }

  /**
   * The lectures there are.
   * @param {InLanguage} [options]
   * @returns {Promise<import("./lecture-types.js").LectureList>}
   */
  lectures({ lang, signal } = {}) {
    return this.#json({ path: "/lectures", query: { lang }, signal });
  }

  /**
   * One lecture page: title, lead question, states in their orders, sections, references.
   * @param {string} lecture
   * @param {InLanguage} [options]
   * @returns {Promise<import("./lecture-types.js").Lecture>}
   */
  lecture(lecture, { lang, signal } = {}) {
    return this.#json({ path: path`/lectures/${lecture}`, query: { lang }, signal });
  }

  /**
   * The list of a lecture's states, in page order.
   * @param {string} lecture
   * @param {InLanguage} [options]
   * @returns {Promise<import("./lecture-types.js").StateList>}
   */
  states(lecture, { lang, signal } = {}) {
    return this.#json({ path: path`/lectures/${lecture}/states`, query: { lang }, signal });
  }

  /**
   * One state of a lecture; with a patch, the state recomputed with what the patch changes.
   * @param {string} lecture
   * @param {string} state
   * @param {InLanguage & { patch?: Patch | undefined }} [options]
   * @returns {Promise<import("./lecture-types.js").State>}
   */
  state(lecture, state, { lang, patch, signal } = {}) {
    return this.#json({ path: path`/lectures/${lecture}/states/${state}`, query: { lang }, body: patch, signal });
  }

  /**
   * The figure of a state as SVG text.
   * @param {string} lecture
   * @param {string} state
   * @param {InLanguage & { patch?: Patch | undefined }} [options]
   */
  async figureSvg(lecture, state, { lang, patch, signal } = {}) {
    const answer = await this.#transport.send({
      path: path`/lectures/${lecture}/states/${state}/figure.svg`,
      query: { lang },
      body: patch,
      accept: "image/svg+xml",
      signal,
    });
    return answer.text();
  }

  /**
   * The named examples.
   * @param {InLanguage} [options]
   * @returns {Promise<import("./types.js").ExampleList>}
   */
  examples({ lang, signal } = {}) {
    return this.#json({ path: "/examples", query: { lang }, signal });
  }

  /**
   * One example: a complete request for `trace`.
   * @param {string} name
   * @param {Cancel} [options]
   * @returns {Promise<TraceRequest>}
   */
  example(name, { signal } = {}) {
    return this.#json({ path: path`/examples/${name}`, signal });
  }

  /**
   * The mistakes that `check` can recognise.
   * @param {InLanguage} [options]
   * @returns {Promise<import("./grading-types.js").MisconceptionList>}
   */
  misconceptions({ lang, signal } = {}) {
    return this.#json({ path: "/misconceptions", query: { lang }, signal });
  }

  /**
   * Is an answer right, and if not, which mistake gives it?
   * @param {import("./grading-types.js").CheckRequest} request
   * @param {InLanguage} [options]
   * @returns {Promise<import("./grading-types.js").Verdict>}
   */
  check(request, { lang, signal } = {}) {
    return this.#json({ path: "/checks", query: { lang }, body: request, signal });
  }

  /**
   * An exercise that the same topic, seed and difficulty always give.
   * @param {import("./grading-types.js").ExerciseRequest} request
   * @param {Cancel} [options]
   * @returns {Promise<import("./grading-types.js").Exercise>}
   */
  exercise(request, { signal } = {}) {
    return this.#json({ path: "/exercises", body: request, signal });
  }

  /**
   * What the service will not exceed.
   * @param {Cancel} [options]
   * @returns {Promise<Record<string, unknown>>}
   */
  limits({ signal } = {}) {
    return this.#json({ path: "/limits", signal });
  }

  /**
   * Any JSON answer; readers are typed above, where the answer is named.
   * @param {import("./transport.js").Call} call
   * @returns {Promise<any>}
   */
  async #json(call) {
    return (await this.#transport.send(call)).json();
  }
}

/**
 * A path whose parts are encoded.
 * @param {TemplateStringsArray} text
 * @param {...string} parts
 */
function path(text, ...parts) {
  return String.raw({ raw: text }, ...parts.map(encodeURIComponent));
}

/**
 * @param {import("./types.js").ComparedStep} step
 * @returns {ComparedStep}
 */
function compared({ name, max_abs_difference: most, base, variant }) {
  return {
    name,
    max_abs_difference: most === null ? null : Number(most),
    ...(base && { base: new Tensor(base) }),
    ...(variant && { variant: new Tensor(variant) }),
  };
}
