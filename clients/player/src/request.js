/** The parts of a trace request that a reader may change, and where they stand in it. */

/** @typedef {import("../../js/src/types.js").TraceRequest} TraceRequest */
/** @typedef {number[][]} Matrix */

const OUTPUT = "attention.output";
const MOST = { rows: 6, columns: 8 };

/**
 * @typedef {object} Field an array that can be edited
 * @property {"x" | "o" | "gamma" | "beta" | "w1" | "w2"} id
 * @property {(request: TraceRequest) => unknown} read
 * @property {(request: TraceRequest, value: Matrix) => TraceRequest} write
 */

/** @type {Field[]} */
const FIELDS = [
  { id: "x", read: (request) => request.x, write: (request, x) => ({ ...request, x }) },
  { id: "o", read: givenOutput, write: (request, set) => ({ ...request, interventions: [...otherInterventions(request), { step: OUTPUT, set }] }) },
  parameter("gamma", ["norm_1.gamma", "norm_2.gamma"]),
  parameter("beta", ["norm_1.beta", "norm_2.beta"]),
  parameter("w1", ["ffn.w_1"]),
  parameter("w2", ["ffn.w_2"]),
];

/**
 * The arrays of this request that are small enough to edit by hand, each as a matrix.
 * @param {TraceRequest} request
 * @returns {{ field: Field, matrix: Matrix }[]}
 */
export function editable(request) {
  return FIELDS.flatMap((field) => {
    const matrix = asMatrix(field.read(request));
    return matrix && matrix.length <= MOST.rows && (matrix[0]?.length ?? 0) <= MOST.columns ? [{ field, matrix }] : [];
  });
}

/** @param {TraceRequest} request */
export function isZeroed(request) {
  return (request.interventions ?? []).some((each) => each.step === OUTPUT && "set" in each && each.set === 0 && !each.where);
}

/**
 * With the output projection zeroed, or as the base has it.
 * @param {TraceRequest} request
 * @param {boolean} zeroed
 * @param {TraceRequest} base
 * @returns {TraceRequest}
 */
export function withZeroed(request, zeroed, base) {
  const given = (base.interventions ?? []).filter(({ step }) => step === OUTPUT);
  return { ...request, interventions: [...otherInterventions(request), ...(zeroed ? [{ step: OUTPUT, set: 0 }] : given)] };
}

/** @param {TraceRequest} request */
function givenOutput(request) {
  const given = request.interventions?.find(({ step, where }) => step === OUTPUT && !where);
  return given && "set" in given ? given.set : undefined;
}

/** @param {TraceRequest} request */
function otherInterventions(request) {
  return (request.interventions ?? []).filter(({ step }) => step !== OUTPUT);
}

/**
 * One control for parameters that the page keeps alike.
 * @param {Field["id"]} id
 * @param {string[]} names
 * @returns {Field}
 */
function parameter(id, names) {
  return {
    id,
    read: (request) => request.parameters?.[names[0] ?? ""],
    write: (request, matrix) => {
      const flat = Array.isArray(request.parameters?.[names[0] ?? ""]) && !Array.isArray(/** @type {unknown[]} */ (request.parameters?.[names[0] ?? ""])[0]);
      const value = flat ? matrix[0] ?? [] : matrix;
      const known = names.filter((name) => name in (request.parameters ?? {}));
      return { ...request, parameters: { ...request.parameters, ...Object.fromEntries(known.map((name) => [name, value])) } };
    },
  };
}

/** @param {unknown} value @returns {Matrix | undefined} */
function asMatrix(value) {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const rows = Array.isArray(value[0]) ? value : [value];
  return rows.every((row) => Array.isArray(row) && row.every((number) => typeof number === "number")) ? rows : undefined;
}
