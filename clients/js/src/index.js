/** Client of the Blockwalk service, for browsers and Node 18 or newer; no dependencies, no build. */

export { Client } from "./client.js";
export { Tensor, Trace } from "./trace.js";
export {
  BlockwalkError,
  InvalidRequest,
  NotFound,
  RateLimited,
  ServiceUnavailable,
  TooCostly,
} from "./errors.js";
