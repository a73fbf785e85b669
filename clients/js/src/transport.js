/** One request over fetch: time limit, retries where they can help, and errors as a tree. */

import { BlockwalkError, ServiceUnavailable, errorFor } from "./errors.js";

/** @typedef {import("./types.js").Problem} Problem */

/**
 * @typedef {object} Options
 * @property {number} [timeout] milliseconds one attempt may take
 * @property {number} [retries] how often to try again after 429, 503 or no connection
 * @property {number} [longestWait] milliseconds: a Retry-After beyond this is not waited for
 * @property {typeof fetch} [fetch] another fetch, for tests or proxies
 */

/**
 * @typedef {object} Call
 * @property {string} path
 * @property {unknown} [body] sent as JSON by POST; without it the call is a GET
 * @property {Record<string, string | undefined>} [query]
 * @property {string} [accept]
 * @property {AbortSignal | undefined} [signal]
 */

export class Transport {
  /**
   * @param {string | URL} base
   * @param {Options} [options]
   */
  constructor(base, { timeout = 30_000, retries = 2, longestWait = 20_000, fetch = globalThis.fetch } = {}) {
    this.base = String(base).replace(/\/+$/, "");
    this.timeout = timeout;
    this.retries = retries;
    this.longestWait = longestWait;
    this.fetch = fetch.bind(globalThis);
  }

  /**
   * The answer, when it is a good one. Every call computes and changes nothing, so that any may be repeated.
   * @param {Call} call
   * @returns {Promise<Response>}
   */
  async send(call) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(call);
      } catch (error) {
        const wait = attempt < this.retries ? this.#wait(error, attempt) : undefined;
        if (wait === undefined) throw error;
        await pause(wait, call.signal);
      }
    }
  }

  /** @param {Call} call */
  async #attempt({ path, body, query = {}, accept = "application/json", signal }) {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new DOMException(`no answer within ${this.timeout} ms`, "TimeoutError")), this.timeout);
    const give = () => limit.abort(signal?.reason);
    signal?.addEventListener("abort", give, { once: true });
    try {
      const response = await this.fetch(this.base + path + queryString(query), {
        method: body === undefined ? "GET" : "POST",
        headers: { Accept: accept, ...(body !== undefined && { "Content-Type": "application/json" }) },
        signal: limit.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw await problemOf(response);
      // Read inside the time limit: a body that never ends is no answer either.
      const bytes = await response.arrayBuffer();
      return new Response(response.status === 204 ? null : bytes, { status: response.status, headers: response.headers });
    } catch (error) {
      if (error instanceof BlockwalkError) throw error;
      if (signal?.aborted) throw signal.reason;
      const why = limit.signal.aborted ? `no answer within ${this.timeout} ms` : "no connection";
      throw new ServiceUnavailable(`${this.base} does not answer: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", give);
    }
  }

  /**
   * Milliseconds until another attempt makes sense, or undefined if none does.
   * @param {unknown} error
   * @param {number} attempt
   */
  #wait(error, attempt) {
    if (!(error instanceof BlockwalkError)) return undefined;
    const noConnection = error.status === undefined && /** @type {Error} */ (error.cause)?.name === "TypeError";
    if (!noConnection && error.status !== 429 && error.status !== 503) return undefined;
    if (error.retryAfter === undefined) return 250 * 2 ** attempt * (0.75 + Math.random() / 2);
    const asked = error.retryAfter * 1000;
    return asked <= this.longestWait ? asked : undefined;
  }
}

/** @param {Record<string, string | undefined>} query */
function queryString(query) {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length ? `?${new URLSearchParams(/** @type {string[][]} */ (given))}` : "";
}

/** @param {Response} response */
async function problemOf(response) {
  /** @type {Problem | undefined} */
  let problem;
  if (/\bjson\b/.test(response.headers.get("Content-Type") ?? "")) {
    problem = await response.json().catch(() => undefined);
  }
  const requestId = response.headers.get("X-Request-ID") ?? undefined;
  const retryAfter = secondsUntil(response.headers.get("Retry-After"));
  return errorFor(response.status, problem, {
    ...(requestId !== undefined && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/**
 * Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3).
 * @param {string | null} header
 */
function secondsUntil(header) {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const give = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", give);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", give, { once: true });
  });
}
