import assert from "node:assert/strict";
import { test } from "node:test";

import * as blockwalk from "../../../clients/js/src/index.js";
import { serving } from "./support.js";

const { Client } = blockwalk;
const limits = { body: { max_rank: 4 } };
const problem = (status, type, more = {}) => ({
  status,
  headers: { "X-Request-ID": "quote-me" },
  body: { type: `/problems/${type}`, title: "No", status, detail: "why not", instance: "/", request_id: "quote-me", errors: [], ...more },
});

test("the module exports the client, the trace and the error tree, and nothing else", () => {
  assert.deepEqual(Object.keys(blockwalk).sort(), [
    "BlockwalkError",
    "Client",
    "InvalidRequest",
    "NotFound",
    "RateLimited",
    "ServiceUnavailable",
    "Tensor",
    "TooCostly",
    "Trace",
  ]);
});

for (const [status, type, kind] of [
  [400, "malformed", "InvalidRequest"],
  [404, "not-found", "NotFound"],
  [413, "too-large", "InvalidRequest"],
  [422, "invalid-request", "InvalidRequest"],
  [422, "cost-limit", "TooCostly"],
  [429, "rate-limit", "RateLimited"],
  [500, "internal", "BlockwalkError"],
  [503, "busy", "ServiceUnavailable"],
]) {
  test(`a ${status} ${type} is a ${kind} that carries the problem, its pointer and the request id`, () =>
    serving(
      () => problem(status, type, { errors: [{ pointer: "/x", detail: "ragged", expected: "a matrix", got: "a list" }] }),
      async (base) => {
        const error = await new Client(base, { retries: 0 }).limits().catch((caught) => caught);
        assert.equal(error.constructor, blockwalk[kind]);
        assert.ok(error instanceof blockwalk.BlockwalkError);
        assert.equal(error.name, kind);
        assert.equal(error.status, status);
        assert.equal(error.pointer, "/x");
        assert.equal(error.requestId, "quote-me");
        assert.equal(error.problem.detail, "why not");
        assert.match(error.message, /why not.*\/x: ragged/);
      },
    ));
}

for (const status of [429, 503]) {
  test(`after a ${status} the call is made again, no sooner than Retry-After says`, () =>
    serving(
      (_, turn) => (turn === 1 ? { ...problem(status, "later"), headers: { "Retry-After": "1" } } : limits),
      async (base, seen) => {
        const began = performance.now();
        assert.deepEqual(await new Client(base).limits(), limits.body);
        assert.equal(seen.length, 2);
        assert.ok(performance.now() - began >= 950);
      },
    ));
}

test("a Retry-After that is a date in the past means at once", () =>
  serving(
    (_, turn) => (turn === 1 ? { ...problem(503, "later"), headers: { "Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT" } } : limits),
    async (base, seen) => {
      await new Client(base).limits();
      assert.equal(seen.length, 2);
    },
  ));

test("a wait longer than the client allows is the caller's to decide", () =>
  serving(
    () => ({ ...problem(429, "later"), headers: { "Retry-After": "3600" } }),
    async (base, seen) => {
      const error = await new Client(base).limits().catch((caught) => caught);
      assert.ok(error instanceof blockwalk.RateLimited);
      assert.equal(error.retryAfter, 3600);
      assert.equal(seen.length, 1);
    },
  ));

for (const status of [400, 404, 422, 500, 502]) {
  test(`a ${status} is not tried again`, () =>
    serving(
      () => problem(status, "no"),
      async (base, seen) => {
        await assert.rejects(new Client(base).limits());
        assert.equal(seen.length, 1);
      },
    ));
}

test("a connection cut before the answer is tried again", () =>
  serving(
    (_, turn) => (turn === 1 ? { cut: true } : limits),
    async (base) => assert.deepEqual(await new Client(base).limits(), limits.body),
  ));

test("where nobody listens, the service is unavailable and the message says where", async () => {
  const error = await new Client("http://127.0.0.1:9", { retries: 0 }).limits().catch((caught) => caught);
  assert.ok(error instanceof blockwalk.ServiceUnavailable);
  assert.match(error.message, /http:\/\/127\.0\.0\.1:9/);
});

test("an answer that does not come within the time limit is given up, once", () =>
  serving(
    () => ({ hang: true }),
    async (base, seen) => {
      const error = await new Client(base, { timeout: 80 }).limits().catch((caught) => caught);
      assert.ok(error instanceof blockwalk.ServiceUnavailable);
      assert.match(error.message, /80 ms/);
      assert.equal(seen.length, 1);
    },
  ));

test("an aborted call rejects with the reason of the signal, while waiting for the answer", () =>
  serving(
    () => ({ hang: true }),
    async (base) => {
      const controller = new AbortController();
      const call = new Client(base).limits({ signal: controller.signal });
      controller.abort(new Error("no longer wanted"));
      await assert.rejects(call, /no longer wanted/);
    },
  ));

test("an aborted call rejects while waiting to try again", () =>
  serving(
    () => ({ ...problem(503, "later"), headers: { "Retry-After": "10" } }),
    async (base) => {
      const controller = new AbortController();
      const call = new Client(base).limits({ signal: controller.signal });
      setTimeout(() => controller.abort(new Error("no longer wanted")), 50);
      await assert.rejects(call, /no longer wanted/);
    },
  ));

test("what is not a problem document is still an error of its status", () =>
  serving(
    () => ({ status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>bad gateway</h1>" }),
    async (base) => {
      const error = await new Client(base, { retries: 0 }).limits().catch((caught) => caught);
      assert.ok(error instanceof blockwalk.ServiceUnavailable);
      assert.equal(error.problem, undefined);
    },
  ));

test("parts of a path are encoded, and a language is asked for in the query", () =>
  serving(
    () => ({ body: {} }),
    async (base, seen) => {
      await new Client(`${base}/`).lecture("../R44?", { lang: "en" });
      assert.equal(seen[0].url, "/lectures/..%2FR44%3F?lang=en");
    },
  ));

test("a patch is posted, its absence is a plain read", () =>
  serving(
    () => ({ body: { figure: { rows: [], statistics: [] } } }),
    async (base, seen) => {
      const client = new Client(base);
      await client.state("R44", "b2");
      await client.state("R44", "b2", { patch: { block: { epsilon: 0.1 } } });
      assert.deepEqual(seen.map(({ method, body }) => [method, body]), [
        ["GET", ""],
        ["POST", '{"block":{"epsilon":0.1}}'],
      ]);
    },
  ));
