/** What went wrong, in words, with what the reader can do about it. */

import { BlockwalkError, ServiceUnavailable } from "../../../js/src/index.js";
import { h } from "../dom.js";

/**
 * @param {unknown} error
 * @param {import("../words.js").Words} words
 * @param {{ base: string, retry?: () => void, heading?: "p" | "h1" }} context
 */
export function messageFor(error, words, { base, retry, heading = "p" }) {
  const away = error instanceof ServiceUnavailable;
  const known = error instanceof BlockwalkError ? error : undefined;
  return h(
    "div",
    { class: "message", role: "alert" },
    h(heading, { class: "title" }, away ? words.away : known?.problem?.title ?? words.refused),
    h("p", {}, away ? words.awayHelp(base) : error instanceof Error ? error.message : String(error)),
    known?.requestId ? h("p", { class: "fine" }, `${words.quote}: ${known.requestId}`) : null,
    retry ? h("button", { type: "button", onclick: retry }, words.retry) : null,
  );
}

/** @param {import("../words.js").Words} words */
export function waiting(words) {
  return h("p", { class: "waiting", role: "status" }, words.loading);
}
