// The state of this part.

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

/** The pieces that came or went since the last drawing. */
export class Flights {
  constructor() {
    /** New pieces, by their identifiers. @type {Set<number>} */
    this.arrived = new Set();
    /** Pieces that have left the view, as they were. @type {Map<number, Piece>} */
    this.gone = new Map();
    /** Visible pieces that are newly in a hand of this person. @type {Set<number>} */
    this.inside = new Set();
    /**
     * By how much counts have changed, by place and sort.
     * @type {Map<string, {place: number, sort: number, by: number}>}
     */
    this.changes = new Map();
    /** Where pieces come from that are drawn next. @type {Map<number, Point>} */
    this.from = new Map();
    /** Where pieces go that are removed next. @type {Map<number, Point>} */
    this.to = new Map();
    /** The number of flying backs. */
    this.count = 0;
  }

  clear() {
    for (const kept of [this.arrived, this.gone, this.inside, this.changes, this.from, this.to])
      kept.clear();
  }
}

/**
 * @typedef {object} Cards
 * @property {Flights} flights pieces that fly into hands and containers, or out of them
 * @property {import('./fetch.js').Fetch[]} fetches pieces that are being taken out of others and
 *   have not come yet, in the order of the requests; at most one of them is held
 * @property {{id: number, kind: number, el: HTMLElement}|null} large the card that is shown large,
 *   face up
 * @property {{height: number, key: string, top: number}} edge the height of the strip, and its
 *   upper edge in the page as it was measured last, for which height and window
 */

/** @returns {Cards} */
export function createCards() {
  return {
    flights: new Flights(), fetches: [], large: null, edge: { height: 0, key: '', top: 0 },
  };
}

/** @param {State} s */
export function cardsOf({ partState: { cards } }) {
  return /** @type {Cards} */ (cards);
}
