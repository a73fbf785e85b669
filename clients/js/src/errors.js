/** What can go wrong, as a tree: catch `BlockwalkError` for all of it, or the branch you can do something about. */

/** @typedef {import("./types.js").Problem} Problem */

/**
 * @typedef {object} ErrorDetails
 * @property {Problem} [problem] the service's own words (RFC 9457), when it answered
 * @property {number} [status] HTTP status; undefined when no answer came
 * @property {string} [requestId] what to quote when asking the service's administrator
 * @property {number} [retryAfter] seconds the service asked to wait
 * @property {unknown} [cause] the failure underneath
 */

/** Anything the service or the way to it refused. `pointer` is the JSON pointer of the first field at fault. */
export class BlockwalkError extends Error {
  /**
   * @param {string} message
   * @param {ErrorDetails} [details]
   */
  constructor(message, { problem, status, requestId, retryAfter, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    /** @readonly */ this.problem = problem;
    /** @readonly */ this.status = status;
    /** @readonly */ this.requestId = requestId ?? problem?.request_id;
    /** @readonly */ this.retryAfter = retryAfter;
  }

  /** JSON pointer of the first field at fault, such as `/parameters/attention.w_q`. */
  get pointer() {
    return this.problem?.errors?.[0]?.pointer;
  }
}

/** The request is not one the service can carry out: a wrong shape, an unknown field, not JSON, too large. */
export class InvalidRequest extends BlockwalkError {}

/** No such lecture, state, example or path; the problem's detail names those that exist. */
export class NotFound extends BlockwalkError {}

/** Understood, but over the service's limit; `problem.estimate` and `problem.limit` say by how much. */
export class TooCostly extends BlockwalkError {}

/** Too many requests; `retryAfter` says how long to wait. */
export class RateLimited extends BlockwalkError {}

/** No answer, or one that says to come back later. */
export class ServiceUnavailable extends BlockwalkError {}

/**
 * The error that an answer stands for.
 * @param {number} status
 * @param {Problem | undefined} problem
 * @param {{ requestId?: string, retryAfter?: number }} [about]
 * @returns {BlockwalkError}
 */
export function errorFor(status, problem, about = {}) {
  const Kind = kindOf(status, problem);
  return new Kind(wordsFor(status, problem), { ...about, status, ...(problem && { problem }) });
}

/**
 * @param {number} status
 * @param {Problem | undefined} problem
 */
function kindOf(status, problem) {
  if (problem?.type?.endsWith("/cost-limit")) return TooCostly;
  if (status === 404) return NotFound;
  if (status === 429) return RateLimited;
  if (status >= 502 && status <= 504) return ServiceUnavailable;
  if (status >= 400 && status < 500) return InvalidRequest;
  return BlockwalkError;
}

/**
 * @param {number} status
 * @param {Problem | undefined} problem
 */
function wordsFor(status, problem) {
  const { pointer, detail } = problem?.errors?.[0] ?? {};
  const words = problem?.detail ?? problem?.title ?? `the service answered ${status}`;
  if (!detail || words.includes(detail)) return words;
  return `${words} (${pointer ? `${pointer}: ` : ""}${detail})`;
}
