/** The player's modules that need no page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { placeFor } from "../../../clients/player/src/links.js";
import { difference, merge } from "../../../clients/player/src/merge-patch.js";
import { exact, parse, print } from "../../../clients/player/src/numbers.js";
import { lanes } from "../../../clients/player/src/rail.js";
import { readRoute, writeRoute } from "../../../clients/player/src/route.js";

test("a route is read back as it was written", () => {
  for (const route of [
    { lecture: "R44", state: "b2", lang: "en", view: "read", options: {} },
    { lecture: "R45", view: "explore", options: { part: "jacobian", of: "norm_2.output" } },
    { lecture: "R44", state: "b3", view: "what-if", options: {}, patch: { x: [[1, 0, 1, 0]], block: { epsilon: 0.1 } } },
    { lecture: "A/B?", state: "ü&=", view: "practise", options: { seed: "7" } },
  ]) {
    assert.deepEqual(readRoute(writeRoute(route)), route);
  }
});

test("what is no route reads as the beginning", () => {
  for (const fragment of ["", "#", "#/", "nonsense"]) assert.equal(readRoute(fragment).view, "read");
  assert.equal(readRoute("#/R44?view=none").view, "read");
  for (const patch of ["{", "[1]", "null", "3"]) assert.equal(readRoute(`#/R44?patch=${patch}`).patch, undefined);
  assert.equal(readRoute("#/%E0%A4%A").lecture, "%E0%A4%A");
});

for (const [target, patch, merged] of [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [["a", "b"], ["c", "d"], ["c", "d"]],
  [{ a: "foo" }, "bar", "bar"],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]) {
  test(`a merge patch: ${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
    assert.deepEqual(merge(target, patch), merged);
  });
}

test("the difference of two requests is the patch that leads from one to the other", () => {
  const before = { x: [[1, 0]], block: { epsilon: 1e-5, n_heads: 2 }, seed: 3 };
  const after = { x: [[1, 0]], block: { epsilon: 0.1, n_heads: 2 }, interventions: [{ step: "ffn.output", set: 0 }] };
  const patch = difference(before, after);
  assert.deepEqual(patch, { block: { epsilon: 0.1 }, interventions: [{ step: "ffn.output", set: 0 }], seed: null });
  assert.deepEqual(merge(before, patch), after);
  assert.equal(difference(before, structuredClone(before)), undefined);
});

test("numbers are printed as the lectures print them", () => {
  const printed = { 1: "1", "-1": "−1", 0: "0", 1.5988879: "1.599", "-0.0055604": "−0.006", 0.65: "0.650", "-1.4348754": "−1.435" };
  for (const [number, text] of Object.entries(printed)) assert.equal(print(Number(number)), text);
  assert.equal(print(-Infinity), "−∞");
  assert.equal(print(NaN), "NaN");
  assert.equal(print(1e-9), "1e−9");
  assert.equal(exact(-0.1), "−0.1");
});

test("what a reader types is read as the number it means, or as none", () => {
  for (const [typed, number] of [["−1", -1], [" 0.5 ", 0.5], [".5", 0.5], ["1/2", 0.5], ["-3/4", -0.75], ["1e-3", 0.001], ["+2", 2]]) {
    assert.equal(parse(typed), number, typed);
  }
  for (const typed of ["", "1,5", "1/0", "abc", "0x10", "1 2", "Infinity"]) assert.equal(parse(typed), undefined, typed);
});

test("the residual stream keeps to the first lane, and no two steps in use at once share another", () => {
  const steps = [
    { name: "x", inputs: [] },
    { name: "q", inputs: ["x", "w_q"] },
    { name: "k", inputs: ["x"] },
    { name: "s", inputs: ["q", "k"] },
    { name: "r", inputs: ["x", "s"] },
  ];
  const { lane, stream } = lanes(steps, "r");
  assert.deepEqual([...stream].sort(), [0, 4]);
  assert.deepEqual([lane[0], lane[4]], [0, 0]);
  assert.notEqual(lane[1], lane[2]);
  assert.ok([1, 2, 3].every((i) => lane[i] > 0));
});

test("a link to what the service computes leads to the view that shows it", () => {
  const link = (href, body) => placeFor({ id: "", label: "", method: "POST", href, body });
  assert.deepEqual(link("/block/trace", { example: "a", select: ["x"] }), {
    view: "explore",
    patch: undefined,
    options: { part: "steps", request: '{"example":"a"}' },
  });
  assert.equal(link("/block/jacobian", { trace: { example: "a" }, of: "z", wrt: "x" }).options.of, "z");
  assert.equal(link("/exercises", { topic: "whole_row", seed: 2 }).options.seed, "2");
  assert.equal(placeFor({ href: "/examples", body: null }), undefined);
});
