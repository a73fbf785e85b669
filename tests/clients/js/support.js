/** A service that answers as a test tells it to. */

import { createServer } from "node:http";

/**
 * @param {(request: { method: string, url: string, headers: Record<string, string>, body: string }, turn: number) =>
 *   { status?: number, headers?: Record<string, string>, body?: unknown, hang?: boolean, cut?: boolean }} answer
 */
export async function serving(answer, run) {
  const seen = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      const asked = { method: request.method, url: request.url, headers: request.headers, body };
      seen.push(asked);
      const said = answer(asked, seen.length);
      if (said.hang) return;
      if (said.cut) return void request.socket.destroy();
      const type = said.status >= 400 ? "application/problem+json" : "application/json";
      const bytes = said.body instanceof Uint8Array ? said.body : JSON.stringify(said.body ?? {});
      response.writeHead(said.status ?? 200, { "Content-Type": type, ...said.headers });
      response.end(bytes);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run(`http://127.0.0.1:${server.address().port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** A safetensors file of these tensors: `{ name: { dtype, shape, bytes } }`. */
export function safeTensors(tensors, metadata = {}) {
  const header = { __metadata__: metadata };
  const bodies = [];
  let at = 0;
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    bodies.push(bytes);
    at += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return new Uint8Array(Buffer.concat([length, text, ...bodies]));
}
