/** The safetensors format: eight bytes of header length, a JSON header, then the tensors' bytes, little-endian. */

import { BlockwalkError } from "./errors.js";

/**
 * @typedef {Float64Array | Float32Array} Floats
 * @typedef {{ shape: number[], dtype: string, data: Floats }} StoredTensor
 * @typedef {{ tensors: Map<string, StoredTensor>, metadata: Record<string, string> }} SafeTensors
 */

/** @type {Record<string, { name: string, bytes: number, read: (bytes: ArrayBuffer) => Floats }>} */
const KINDS = {
  F64: { name: "float64", bytes: 8, read: (bytes) => new Float64Array(bytes) },
  F32: { name: "float32", bytes: 4, read: (bytes) => new Float32Array(bytes) },
  F16: { name: "float16", bytes: 2, read: (bytes) => Float32Array.from(new Uint16Array(bytes), widen) },
};

/**
 * Read a file; float16 arrives as Float32Array, which holds each of its values exactly.
 * @param {ArrayBuffer} file
 * @returns {SafeTensors}
 */
export function readSafeTensors(file) {
  const { header, body } = split(file);
  const { __metadata__: metadata = {}, ...entries } = header;
  /** @type {SafeTensors["tensors"]} */
  const tensors = new Map();
  for (const [name, entry] of Object.entries(entries)) tensors.set(name, tensor(name, entry, file, body));
  return { tensors, metadata };
}

/** @param {ArrayBuffer} file */
function split(file) {
  if (file.byteLength < 8) throw broken("it is shorter than its own header length");
  const length = Number(new DataView(file).getBigUint64(0, true));
  if (length > file.byteLength - 8) throw broken(`its header should be ${length} bytes long`);
  try {
    const header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(file, 8, length)));
    return { header, body: 8 + length };
  } catch (cause) {
    throw broken("its header is not JSON", cause);
  }
}

/**
 * @param {string} name
 * @param {{ dtype: string, shape: number[], data_offsets: [number, number] }} entry
 * @param {ArrayBuffer} file
 * @param {number} body
 * @returns {StoredTensor}
 */
function tensor(name, { dtype, shape, data_offsets: [begin, end] }, file, body) {
  const kind = KINDS[dtype];
  if (!kind) throw broken(`${name} has dtype ${dtype}, expected one of ${Object.keys(KINDS).join(", ")}`);
  const expected = shape.reduce((product, size) => product * size, kind.bytes);
  if (end - begin !== expected || body + end > file.byteLength) {
    throw broken(`${name} should be ${expected} bytes long, got ${Math.min(end, file.byteLength - body) - begin}`);
  }
  return { shape, dtype: kind.name, data: kind.read(file.slice(body + begin, body + end)) };
}

/**
 * IEEE 754 binary16 to a number.
 * @param {number} bits
 */
function widen(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/**
 * @param {string} why
 * @param {unknown} [cause]
 */
function broken(why, cause) {
  return new BlockwalkError(`the safetensors answer cannot be read: ${why}`, { cause });
}
