/** The client against the running service, whose address is in BLOCKWALK_URL. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, InvalidRequest, NotFound } from "../../../clients/js/src/index.js";

const client = new Client(process.env.BLOCKWALK_URL);
const causal = { example: "lecture-05-causal" };

test("a trace is a mapping from step to tensor, in order of computation", async () => {
  const trace = await client.trace({ example: "lecture-05" });
  assert.equal(trace.names[0], "x");
  assert.equal(trace.output, trace.get("norm_2.output"));
  assert.deepEqual([...trace].map((step) => step.name), trace.names);
  const residual = trace.get("residual_1");
  assert.deepEqual(residual.axes, ["token", "d_model"]);
  assert.deepEqual(residual.inputs, ["x", "attention.output"]);
  assert.equal(residual.at(0, 0), trace.get("x").at(0, 0) + trace.get("attention.output").at(0, 0));
  assert.throws(() => trace.get("resid_mid"), /residual_1/);
});

test("the numbers are the same whether they travel as text or as bytes, masked scores included", async () => {
  const [text, bytes] = await Promise.all([client.trace(causal), client.trace(causal, { binary: true })]);
  assert.deepEqual(bytes.names, text.names);
  for (const step of text) {
    assert.deepEqual(bytes.get(step.name).value, step.value, step.name);
    assert.deepEqual(bytes.get(step.name).data, step.data, step.name);
  }
  assert.equal(text.get("attention.masked_scores").at(0, 0, 1), -Infinity);
  assert.deepEqual(JSON.parse(JSON.stringify(bytes)), JSON.parse(JSON.stringify(text)));
});

test("float32 arrives in a Float32Array either way", async () => {
  const request = { example: "lecture-05", block: { dtype: "float32" } };
  for (const binary of [false, true]) {
    const { data } = (await client.trace(request, { binary })).output;
    assert.ok(data instanceof Float32Array);
  }
});

test("a plan tells the cost and computes nothing", async () => {
  const plan = await client.plan({ example: "lecture-05" });
  assert.ok(plan.estimate.elements > 0);
  assert.ok(plan.steps.every((step) => !("value" in step)));
});

test("comparing post-norm with pre-norm names the first step that differs", async () => {
  const { variants } = await client.compare({
    base: { example: "lecture-05-reconstructed" },
    variants: { pre: { block: { norm_placement: "pre" } } },
  });
  assert.equal(variants.pre.first_difference, "attention.query");
});

test("with a stop at attention.output the derivative of the residual is the identity", async () => {
  const { matrix, finite_difference } = await client.jacobian({
    trace: { example: "lecture-05-reconstructed" },
    of: "residual_1",
    of_token: 0,
    wrt: "x",
    wrt_token: 0,
    stop: ["attention.output"],
  });
  assert.deepEqual(matrix.value, [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => Number(i === j))));
  assert.ok(finite_difference.max_abs_error < 1e-6);
});

test("gradients come in the order asked for", async () => {
  const { gradients } = await client.gradient({ trace: { example: "lecture-05" }, of: "output", wrt: ["x", "ffn.w_1"] });
  assert.deepEqual(gradients.map(({ shape }) => shape), [[1, 4], [4, 6]]);
});

test("a lecture, its states and their figures are read in the language asked for", async () => {
  const { lectures } = await client.lectures({ lang: "en" });
  assert.ok(lectures.length > 0);
  for (const { id } of lectures) {
    const page = await client.lecture(id, { lang: "en" });
    assert.equal(page.lang, "en");
    const { states } = await client.states(id, { lang: "zh" });
    assert.deepEqual(states.map((state) => state.id), page.page_order);
    const state = await client.state(id, page.default_state, { lang: "zh" });
    assert.equal(state.lang, "zh");
    assert.match(await client.figureSvg(id, page.default_state), /^<svg[\s>]/);
  }
});

test("a patched state says that it is modified, and its numbers follow", async () => {
  const [before, after] = await Promise.all([
    client.state("R44", "b2"),
    client.state("R44", "b2", { patch: { x: [[2, 0, 1, 0]] } }),
  ]);
  assert.deepEqual([before.modified, after.modified], [false, true]);
  assert.notEqual(before.figure.statistics[0].printed, after.figure.statistics[0].printed);
});

test("every example traces", async () => {
  const { examples } = await client.examples();
  for (const { name } of examples) {
    const body = await client.example(name);
    assert.ok((await client.trace(body)).steps.length > 0, name);
  }
});

test("an answer with a known mistake is diagnosed in words", async () => {
  const verdict = await client.check(
    { trace: { example: "lecture-05" }, step: "norm_1.output", tokens: [0], answer: [["1.014", "0.563", "−0.334", "−1.243"]] },
    { lang: "en" },
  );
  assert.equal(verdict.correct, false);
  assert.ok(verdict.diagnoses.some(({ misconception }) => misconception === "sample_variance"));
  const { misconceptions } = await client.misconceptions({ lang: "en" });
  assert.ok(misconceptions.some(({ name }) => name === "sample_variance"));
});

test("what is wrong is told with its place", async () => {
  const error = await client.trace({ example: "lecture-05", x: [[1, 2], [3]] }).catch((caught) => caught);
  assert.ok(error instanceof InvalidRequest);
  assert.match(error.pointer, /^\/x/);
  assert.ok(error.requestId);
  await assert.rejects(client.lecture("R99"), NotFound);
});

test("the limits in force are published", async () => {
  assert.ok((await client.limits()).max_elements > 0);
});
