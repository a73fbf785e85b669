/**
 * Lecture pages and their states, in the words of the OpenAPI description.
 *
 * @typedef {import("./types.js").Values} Values
 * @typedef {import("./types.js").TraceRequest} TraceRequest
 * @typedef {"numbers" | "concept"} Kind
 * @typedef {"table" | "heat_map" | "sum" | "lanes"} Drawing
 *
 * @typedef {{ id: string, available: boolean, title?: string, lead?: string, series?: string, default_state?: string }} LectureEntry
 * @typedef {{ lang: "zh" | "en", lectures: LectureEntry[] }} LectureList
 *
 * @typedef {{ id: string, kind: Kind, drawing: Drawing, label: string, default: boolean }} StateEntry
 *
 * @typedef {object} StateList
 * @property {string} lecture
 * @property {"zh" | "en"} lang
 * @property {string} default_state
 * @property {StateEntry[]} states in page order
 * @property {string[]} reading_order
 *
 * @typedef {{ id: string, latex: string, mathml: string, text: string }} Formula
 * @typedef {{ id: string, label: string, symbol: string, step: string, token: number, value: Values, printed: string }} QuotedRow
 * @typedef {{ id: string, label: string, method: "GET" | "POST", href: string, body: Record<string, any> | null }} Link
 *
 * @typedef {object} Part
 * @property {string} title
 * @property {string[]} paragraphs
 * @property {string[]} points
 * @property {Formula[]} formulas
 * @property {QuotedRow[]} rows
 * @property {Link[]} links
 *
 * @typedef {{ id: string, title: string, subtitle: string, parts: Part[] }} Section
 * @typedef {{ title: string, text: string, links: Link[] }} Reading
 * @typedef {{ lecture: string, text: string, row: string | null, href: string | null }} HandOver
 *
 * @typedef {object} Lecture
 * @property {"zh" | "en"} lang
 * @property {string} id
 * @property {string} title
 * @property {string} lead
 * @property {string} series
 * @property {string} default_state
 * @property {StateEntry[]} states
 * @property {string[]} page_order
 * @property {string[]} reading_order
 * @property {HandOver | null} receives
 * @property {HandOver | null} hands_on
 * @property {Section[]} sections
 * @property {Reading[]} references
 * @property {Reading[]} further_reading
 * @property {string} provenance
 * @property {TraceRequest} trace_request
 *
 * @typedef {object} Shown
 * @property {string} id
 * @property {string} label
 * @property {string} symbol LaTeX
 * @property {string} step
 * @property {number} [head]
 * @property {string} op
 * @property {string[]} inputs
 * @property {string} latex
 * @property {boolean} new not shown by the state before
 * @property {string} since the state that is the first to show this
 * @property {Values} value
 *
 * @typedef {Shown & { token: number, detail: string, printed: string[] }} FigureRow
 * @typedef {Shown & { token: number, printed: string }} Statistic
 * @typedef {Shown & { row_labels: string[], column_labels: string[], printed: string[][] }} HeatMap
 * @typedef {Formula & { new: boolean, since: string }} ShownFormula
 * @typedef {"kept" | "update" | "sum" | "norm" | "transform" | "output"} NodeRole
 * @typedef {{ id: string, label: string, detail: string[], role: NodeRole, lane: string | null, new: boolean }} DiagramNode
 * @typedef {{ from: string, to: string, role: "direct" | "update" | "flow", new: boolean }} DiagramEdge
 *
 * @typedef {object} Figure
 * @property {Drawing} drawing
 * @property {string} heading
 * @property {FigureRow[]} rows
 * @property {Statistic[]} statistics
 * @property {HeatMap[]} heat_maps
 * @property {ShownFormula[]} formulas
 * @property {DiagramNode[]} nodes
 * @property {DiagramEdge[]} edges
 * @property {{ id: string, label: string }[]} lanes
 * @property {string[]} notes
 *
 * @typedef {object} State
 * @property {"zh" | "en"} lang
 * @property {string} lecture
 * @property {string} state
 * @property {Kind} kind
 * @property {string} title
 * @property {string} label
 * @property {string} caption
 * @property {Figure} figure
 * @property {boolean} modified
 * @property {{ pointer: string, before: unknown, after: unknown }[]} changes
 * @property {import("./types.js").Warned[]} warnings
 * @property {string} provenance
 * @property {TraceRequest} trace_request
 */

export {};
