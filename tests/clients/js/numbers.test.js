import assert from "node:assert/strict";
import { test } from "node:test";

import { BlockwalkError, Tensor } from "../../../clients/js/src/index.js";
import { readSafeTensors } from "../../../clients/js/src/safetensors.js";
import { safeTensors } from "./support.js";

const about = { name: "s", symbol: "S", axes: ["query", "key"], dtype: "float64", op: "mask", inputs: [], latex: "S" };
const exactBuffer = (file) => file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
const floats = (Kind, ...numbers) => Buffer.from(new Kind(numbers).buffer);

test("spelled infinities and NaN are read as numbers, also deep inside", () => {
  const tensor = new Tensor({ ...about, shape: [2, 2], value: [[0.5, "-Infinity"], ["Infinity", "NaN"]] });
  assert.deepEqual(tensor.value, [[0.5, -Infinity], [Infinity, NaN]]);
  assert.deepEqual([...tensor.data], [0.5, -Infinity, Infinity, NaN]);
  assert.equal(tensor.at(0, 1), -Infinity);
});

test("a tensor refuses indices that it does not have", () => {
  const tensor = new Tensor({ ...about, shape: [2, 2], value: [[1, 2], [3, 4]] });
  assert.equal(tensor.at(1, 0), 3);
  for (const indices of [[2, 0], [0], [-1, 0]]) assert.throws(() => tensor.at(...indices), RangeError);
});

test("float64, float32 and float16 arrive with every value exact", () => {
  const halves = Buffer.from(new Uint16Array([0x3c00, 0xc000, 0xfc00, 0x0001, 0x7e00]).buffer);
  const file = safeTensors({
    a: { dtype: "F64", shape: [1, 2], bytes: floats(Float64Array, 0.1, -Infinity) },
    b: { dtype: "F32", shape: [2], bytes: floats(Float32Array, 0.1, 2) },
    c: { dtype: "F16", shape: [5], bytes: halves },
  });
  const { tensors } = readSafeTensors(exactBuffer(file));
  assert.deepEqual([...tensors.get("a").data], [0.1, -Infinity]);
  assert.ok(tensors.get("b").data instanceof Float32Array);
  assert.deepEqual([...tensors.get("c").data], [1, -2, -Infinity, 2 ** -24, NaN]);
  assert.equal(tensors.get("c").dtype, "float16");
});

test("flat numbers become nested lists of their shape", () => {
  const tensor = new Tensor({ ...about, shape: [2, 1, 2], data: Float64Array.of(1, 2, 3, 4) });
  assert.deepEqual(tensor.value, [[[1, 2]], [[3, 4]]]);
  assert.equal(new Tensor({ ...about, shape: [], data: Float64Array.of(7) }).value, 7);
});

for (const [what, file] of [
  ["too short", new Uint8Array(3)],
  ["a header longer than the file", new Uint8Array([255, 0, 0, 0, 0, 0, 0, 0, 123])],
  ["a header that is not JSON", new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 123])],
  ["an unknown dtype", safeTensors({ a: { dtype: "I8", shape: [1], bytes: Buffer.alloc(1) } })],
  ["a tensor shorter than its shape", safeTensors({ a: { dtype: "F64", shape: [2], bytes: Buffer.alloc(8) } })],
  ["a tensor beyond the end", safeTensors({ a: { dtype: "F64", shape: [1], bytes: Buffer.alloc(8) } }).slice(0, -1)],
]) {
  test(`a broken file is refused in words: ${what}`, () => {
    assert.throws(() => readSafeTensors(exactBuffer(file)), (error) => error instanceof BlockwalkError && /safetensors/.test(error.message));
  });
}
