/** The graph of steps as a rail beside a list, the way version histories are drawn: the residual stream runs straight. */

import { svg } from "./dom.js";

/** @typedef {{ name: string, inputs: string[] }} Station */

const ROW = 44;
const LANE = 16;
const MARGIN = 14;

/**
 * One lane for each step. The stream is what the output reaches by following first inputs; it has lane 0.
 * @param {Station[]} steps in order of computation
 * @param {string} output
 */
export function lanes(steps, output) {
  const order = new Map(steps.map((step, i) => [step.name, i]));
  const parents = steps.map((step) => step.inputs.flatMap((name) => order.get(name) ?? []));
  const lastUse = steps.map((_, i) => Math.max(i, ...parents.flatMap((from, j) => (from.includes(i) ? [j] : []))));
  const stream = new Set();
  for (let at = order.get(output); at !== undefined; at = parents[at]?.[0]) stream.add(at);

  /** @type {number[]} */
  const busyUntil = [Infinity];
  const chosen = steps.map((_, i) => {
    if (stream.has(i)) return 0;
    const free = busyUntil.findIndex((until) => until <= i);
    const lane = free === -1 ? busyUntil.length : free;
    busyUntil[lane] = lastUse[i] ?? i;
    return lane;
  });
  return { lane: chosen, parents, stream, count: busyUntil.length };
}

/**
 * The rail itself: decoration beside a list that says the same in words.
 * @param {Station[]} steps
 * @param {string} output
 * @param {string} [selected]
 */
export function rail(steps, output, selected) {
  const { lane, parents, stream, count } = lanes(steps, output);
  const width = MARGIN * 2 + (count - 1) * LANE;
  const x = (/** @type {number} */ i) => MARGIN + (lane[i] ?? 0) * LANE;
  const y = (/** @type {number} */ i) => ROW * (i + 0.5);
  const chosen = steps.findIndex((step) => step.name === selected);

  const edges = parents.flatMap((from, to) =>
    from.map((i) => {
      const direct = stream.has(i) && stream.has(to);
      const touches = i === chosen || to === chosen;
      return svg("path", { d: curve(x(i), y(i), x(to), y(to)), class: `edge${direct ? " direct" : ""}${touches ? " touching" : ""}` });
    }),
  );
  const dots = steps.map((_, i) =>
    svg("circle", { cx: x(i), cy: y(i), r: i === chosen ? 6 : 4.5, class: `dot${stream.has(i) ? " direct" : ""}${i === chosen ? " chosen" : ""}` }),
  );
  return svg(
    "svg",
    { class: "rail", width, height: ROW * steps.length, viewBox: `0 0 ${width} ${ROW * steps.length}`, "aria-hidden": "true" },
    edges,
    dots,
  );
}

/**
 * Down the parent's lane, or the child's, with one bend where the lanes differ.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function curve(x1, y1, x2, y2) {
  if (x1 === x2) return `M${x1} ${y1}V${y2}`;
  const bend = ROW * 0.8;
  if (x2 > x1) return `M${x1} ${y1}C${x1} ${y1 + bend * 0.6} ${x2} ${y1 + bend * 0.4} ${x2} ${y1 + bend}V${y2}`;
  return `M${x1} ${y1}V${y2 - bend}C${x1} ${y2 - bend * 0.4} ${x2} ${y2 - bend * 0.6} ${x2} ${y2}`;
}
