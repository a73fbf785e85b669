/** A concept figure: boxes and arrows laid out from nodes, edges and lanes; across where there is room, else downwards. */

import { freshId, h, svg } from "../dom.js";

/**
 * @typedef {import("../../../js/src/lecture-types.js").State} State
 * @typedef {import("../../../js/src/lecture-types.js").DiagramNode} DiagramNode
 * @typedef {import("../../../js/src/lecture-types.js").DiagramEdge} DiagramEdge
 * @typedef {{ node: DiagramNode, lines: string[], column: number, row: number, x: number, y: number, width: number, height: number }} Box
 */

const TEXT = 16;
const LINE = 24;
const PAD = 16;
const GAP = { across: { column: 64, row: 44, lane: 40 }, down: { column: 40, row: 28, lane: 44 } };
const WIDEST = { across: 18, down: 12 };
const ENLARGED = { across: 1.2, down: 1 };

/** @param {State} state */
export function diagram(state) {
  return h("div", { class: "diagram" }, drawing(state, "across"), drawing(state, "down"));
}

/**
 * @param {State} state
 * @param {"across" | "down"} direction
 */
function drawing({ figure, caption }, direction) {
  const lanes = laneIds(figure.nodes);
  const names = new Map((figure.lanes ?? []).map(({ id, label }) => [id, label]));
  const laid = lanes.map((lane) => layOut(figure.nodes.filter((node) => (node.lane ?? "") === lane), figure.edges, direction));
  const head = lanes.some((lane) => names.has(lane)) ? LINE + 8 : 0;
  let top = PAD;
  let right = 0;
  const groups = laid.map(({ boxes, width, height }, i) => {
    for (const box of boxes) [box.x, box.y] = [box.x + PAD, box.y + top + head];
    const group = { boxes, label: names.get(lanes[i] ?? ""), top };
    top += head + height + GAP[direction].lane;
    right = Math.max(right, width);
    return group;
  });
  const [width, height] = [right + PAD * 2, top - GAP[direction].lane + PAD];
  const boxes = new Map(groups.flatMap((group) => group.boxes).map((box) => [box.node.id, box]));
  const title = freshId("diagram");
  const marker = freshId("arrow");
  return svg(
    "svg",
    { class: `drawing ${direction}`, viewBox: `0 0 ${width} ${height}`, width: width * ENLARGED[direction], height: height * ENLARGED[direction], role: "img", "aria-labelledby": title },
    svg("title", { id: title }, inWords(figure, names, caption)),
    svg(
      "defs",
      {},
      ["flow", "direct", "update"].map((role) =>
        svg(
          "marker",
          { id: `${marker}-${role}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto", class: `head ${role}` },
          svg("path", { d: "M0 0.5L10 5L0 9.5Z" }),
        ),
      ),
    ),
    groups.map(({ label, top: y }) => label && svg("text", { x: PAD, y: y + TEXT, class: "lane" }, label)),
    figure.edges.map((edge) => arrow(edge, boxes, direction, marker)),
    [...boxes.values()].map(drawn),
  );
}

/** @param {DiagramNode[]} nodes */
function laneIds(nodes) {
  return [...new Set(nodes.map((node) => node.lane ?? ""))];
}

/**
 * Columns by the longest way from the start; what only updates stands aside from what is kept.
 * @param {DiagramNode[]} nodes
 * @param {DiagramEdge[]} edges
 * @param {"across" | "down"} direction
 */
function layOut(nodes, edges, direction) {
  const column = depths(nodes, edges);
  const boxes = nodes.map((node) => boxFor(node, column.get(node.id) ?? 0, direction));
  const columns = Math.max(0, ...boxes.map((box) => box.column)) + 1;
  const rows = Math.max(0, ...boxes.map((box) => box.row)) + 1;
  const { column: columnGap, row: rowGap } = GAP[direction];
  const [along, over] = direction === "across" ? /** @type {const} */ (["width", "height"]) : /** @type {const} */ (["height", "width"]);
  const lengths = Array.from({ length: columns }, (_, c) => Math.max(0, ...boxes.filter((box) => box.column === c).map((box) => box[along])));
  const breadths = Array.from({ length: rows }, (_, r) => Math.max(0, ...boxes.filter((box) => box.row === r).map((box) => box[over])));
  const start = (/** @type {number[]} */ sizes, /** @type {number} */ i, /** @type {number} */ gap) => sizes.slice(0, i).reduce((sum, size) => sum + size + gap, 0);
  for (const box of boxes) {
    const a = start(lengths, box.column, columnGap) + ((lengths[box.column] ?? 0) - box[along]) / 2;
    const b = start(breadths, box.row, rowGap) + ((breadths[box.row] ?? 0) - box[over]) / 2;
    [box.x, box.y] = direction === "across" ? [a, b] : [b, a];
  }
  const length = start(lengths, columns, columnGap) - columnGap;
  const breadth = start(breadths, rows, rowGap) - rowGap;
  return direction === "across" ? { boxes, width: length, height: breadth } : { boxes, width: breadth, height: length };
}

/**
 * @param {DiagramNode[]} nodes
 * @param {DiagramEdge[]} edges
 * @returns {Map<string, number>}
 */
function depths(nodes, edges) {
  const depth = new Map(nodes.map((node) => [node.id, 0]));
  for (let pass = 0; pass < nodes.length; pass += 1) {
    for (const { from, to } of edges) {
      if (depth.has(from) && depth.has(to)) depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(from) ?? 0) + 1));
    }
  }
  return depth;
}

/**
 * @param {DiagramNode} node
 * @param {number} column
 * @param {"across" | "down"} direction
 * @returns {Box}
 */
function boxFor(node, column, direction) {
  const lines = [node.label, ...(node.detail ?? [])].flatMap((text) => wrapped(text, WIDEST[direction]));
  const round = node.role === "sum" && node.label.length <= 2;
  const width = round ? 48 : Math.max(64, Math.max(...lines.map(extent)) * TEXT + PAD * 2);
  const height = round ? 48 : Math.max(48, lines.length * LINE + PAD);
  return { node, lines, column, row: node.role === "update" ? 1 : 0, x: 0, y: 0, width, height };
}

/** Width in ems: Chinese characters are square, Latin letters about half of that. @param {string} text */
function extent(text) {
  return [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 1 : 0.54), 0);
}

/**
 * Lines no wider than this, broken after Chinese punctuation and between words.
 * @param {string} text
 * @param {number} widest
 */
function wrapped(text, widest) {
  const pieces = text.match(/[^\s：，；、→]+[：，；、]?\s*(?:→\s*)?|\S+\s*/gu) ?? [text];
  /** @type {string[]} */
  const lines = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && extent(last + piece.trimEnd()) <= widest) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  }
  return lines.map((line) => line.trim());
}

/** @param {Box} box */
function drawn({ node, lines, x, y, width, height }) {
  const round = node.role === "sum" && node.label.length <= 2;
  const middle = x + width / 2;
  const top = y + height / 2 - ((lines.length - 1) * LINE) / 2;
  return svg(
    "g",
    { class: `box ${node.role}${node.new ? " new" : ""}` },
    svg("rect", { x, y, width, height, rx: round ? height / 2 : 10 }),
    lines.map((line, i) =>
      svg("text", { x: middle, y: top + i * LINE, class: i === 0 || !node.detail?.length ? "name" : "detail" }, line),
    ),
  );
}

/**
 * @param {DiagramEdge} edge
 * @param {Map<string, Box>} boxes
 * @param {"across" | "down"} direction
 * @param {string} marker
 */
function arrow({ from, to, role, new: isNew }, boxes, direction, marker) {
  const a = boxes.get(from);
  const b = boxes.get(to);
  if (!a || !b) return null;
  const known = role === "direct" || role === "update" ? role : "flow";
  return svg("path", { d: route(a, b, direction), class: `arrow ${known}${isNew ? " new" : ""}`, "marker-end": `url(#${marker}-${known})` });
}

/**
 * Straight along a row; down into the row of updates and up out of it with one rounded corner.
 * @param {Box} a
 * @param {Box} b
 * @param {"across" | "down"} direction
 */
function route(a, b, direction) {
  const flip = direction === "down";
  const point = (/** @type {number} */ u, /** @type {number} */ v) => (flip ? `${v} ${u}` : `${u} ${v}`);
  const side = (/** @type {Box} */ box) =>
    flip
      ? { start: box.y, end: box.y + box.height, near: box.x, far: box.x + box.width, mid: box.x + box.width / 2, center: box.y + box.height / 2 }
      : { start: box.x, end: box.x + box.width, near: box.y, far: box.y + box.height, mid: box.y + box.height / 2, center: box.x + box.width / 2 };
  const p = side(a);
  const q = side(b);
  if (Math.abs(p.mid - q.mid) < 1) return `M${point(p.end, p.mid)}L${point(q.start - 2, q.mid)}`;
  const r = 12;
  if (q.mid > p.mid) return `M${point(p.center, p.far)}L${point(p.center, q.mid - r)}Q${point(p.center, q.mid)} ${point(p.center + r, q.mid)}L${point(q.start - 2, q.mid)}`;
  return `M${point(p.end, p.mid)}L${point(q.center - r, p.mid)}Q${point(q.center, p.mid)} ${point(q.center, p.mid - r)}L${point(q.center, q.far + 2)}`;
}

/**
 * The picture in words: each arrow as "from → to".
 * @param {import("../../../js/src/lecture-types.js").Figure} figure
 * @param {Map<string, string>} lanes
 * @param {string} caption
 */
function inWords({ heading, nodes, edges }, lanes, caption) {
  const name = (/** @type {string} */ id) => {
    const node = nodes.find((each) => each.id === id);
    const lane = lanes.get(node?.lane ?? "");
    return `${lane ? `${lane} ` : ""}${node?.label ?? id}`;
  };
  return [heading, ...edges.map(({ from, to }) => `${name(from)} → ${name(to)}`), caption].join("; ");
}
