/** A trace as a mapping from step name to tensor, whichever way the numbers travelled. */

import { flatten, nest, readNumbers } from "./numbers.js";

/** @typedef {import("./types.js").WireTensor} WireTensor */
/** @typedef {import("./types.js").TraceAnswer} TraceAnswer */
/** @typedef {import("./types.js").Nested} Nested */
/** @typedef {Float64Array | Float32Array} Floats */

/** One named value of the block: what it is, how it came about, and its numbers. */
export class Tensor {
  #value;
  #data;

  /** @param {Omit<WireTensor, "value"> & { value?: import("./types.js").Values, data?: Floats }} wire */
  constructor({ value, data, ...about }) {
    /** @readonly */ this.name = about.name;
    /** @readonly */ this.symbol = about.symbol;
    /** @readonly */ this.axes = about.axes;
    /** @readonly */ this.shape = about.shape;
    /** @readonly */ this.dtype = about.dtype;
    /** @readonly */ this.op = about.op;
    /** @readonly */ this.inputs = about.inputs;
    /** @readonly */ this.latex = about.latex;
    this.#value = value === undefined ? undefined : readNumbers(value);
    this.#data = data;
  }

  /** The numbers as nested lists, row-major. A single number is a number. @returns {Nested} */
  get value() {
    this.#value ??= nest(this.#data ?? [], this.shape);
    return this.#value;
  }

  /** The numbers in one typed array, row-major; float16 is held in a Float32Array. @returns {Floats} */
  get data() {
    if (!this.#data) {
      const flat = flatten(this.value);
      this.#data = this.dtype === "float64" ? Float64Array.from(flat) : Float32Array.from(flat);
    }
    return this.#data;
  }

  /** The number at these indices, one an axis. @param {...number} indices */
  at(...indices) {
    const offset = this.shape.reduce((sum, size, axis) => sum * size + (indices[axis] ?? 0), 0);
    const inside = indices.length === this.shape.length && indices.every((i, axis) => i >= 0 && i < (this.shape[axis] ?? 0));
    if (!inside) throw new RangeError(`${this.name} has shape [${this.shape}], got indices [${indices}]`);
    return /** @type {number} */ (this.data[offset]);
  }

  /** @returns {WireTensor} */
  toJSON() {
    const { name, symbol, axes, shape, dtype, op, inputs, latex, value } = this;
    return { name, symbol, axes, shape, dtype, op, inputs, latex, value };
  }
}

/** The answer to a trace: its steps in order of computation, and by name. */
export class Trace {
  #byName;

  /**
   * @param {Omit<TraceAnswer, "steps">} about everything but the steps
   * @param {Tensor[]} steps
   */
  constructor(about, steps) {
    /** All fields of the block, resolved. @readonly */ this.block = about.block;
    /** Where the numbers come from: published, reconstructed or user. @readonly */ this.provenance = about.provenance;
    /** @readonly */ this.interventions = about.interventions;
    /** @readonly */ this.warnings = about.warnings;
    /** @readonly */ this.conventions = about.conventions;
    /** Version of the engine that computed it. @readonly */ this.engine = about.engine;
    /** Name of the block's last step. @readonly */ this.outputName = about.output;
    /** @readonly */ this.steps = steps;
    this.#byName = new Map(steps.map((step) => [step.name, step]));
  }

  /** The tensor of this name. Throws a RangeError that names what the trace has. @param {string} name */
  get(name) {
    const found = this.#byName.get(name);
    if (!found) throw new RangeError(`the trace has no step ${name}; it has ${this.names.join(", ")}`);
    return found;
  }

  /** @param {string} name */
  has(name) {
    return this.#byName.has(name);
  }

  get names() {
    return [...this.#byName.keys()];
  }

  /** The block's last step. */
  get output() {
    return this.get(this.outputName);
  }

  [Symbol.iterator]() {
    return this.steps[Symbol.iterator]();
  }

  /** @returns {TraceAnswer} */
  toJSON() {
    const { block, provenance, interventions, warnings, conventions, engine, outputName: output, steps } = this;
    return { block, output, provenance, steps: steps.map((step) => step.toJSON()), interventions, warnings, conventions, engine };
  }
}

/** @param {TraceAnswer} answer */
export function traceFromJson({ steps, ...about }) {
  return new Trace(about, steps.map((step) => new Tensor(step)));
}

/**
 * The binary answer: each step a tensor of the file, everything else as JSON under `trace`.
 * @param {import("./safetensors.js").SafeTensors} file
 */
export function traceFromSafeTensors({ tensors, metadata }) {
  const { steps, ...about } = JSON.parse(metadata.trace ?? "{}");
  return new Trace(
    about,
    steps.map((/** @type {WireTensor} */ step) => {
      const stored = tensors.get(step.name);
      return new Tensor({ ...step, ...stored });
    }),
  );
}
