/**
 * A measurement with the ruler from one spot to another. The page computes it while it is drawn.
 * The table answers when the spots are chosen (docs/protocol/component.md, C18). If one of its
 * pieces moves, the table is asked again. No DOM, no clock: the caller says where pieces are shown
 * and how to ask.
 *
 *     none ──begin──▶ begun ──reach──▶ reckoned ──ask──▶ asked ──▶ an outcome
 *                                        ▲  ▲              │ ▲            │ │
 *                                        │  │              │ └──again─────┘ │
 *                                        │  └──reach, or a piece moves──────┘
 *                                        └──any other spot
 *     any ──begin──▶ begun        any ──clear──▶ none
 *
 * The outcomes are answered, gone, refused, replaced and expired. `again` works after the last
 * three.
 *
 * @module
 */

/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../components/registry.js').Spot} Spot */
/** @typedef {import('../components/registry.js').MeasureResult} MeasureResult */

/**
 * An end of a measurement: a place, or the centre of a piece, with the place where it was last
 * shown. In units; `piece` is 0 for a place.
 *
 * @typedef {{ piece: number, x: number, y: number }} End
 */

/**
 * @typedef {'none'|'begun'|'reckoned'|'asked'|'answered'|'gone'|'refused'|'replaced'|'expired'}
 *   Phase
 */

/** The phases in which the table has not answered and will not answer. @type {readonly Phase[]} */
export const UNANSWERED = ['refused', 'replaced', 'expired'];

/**
 * What a measurement needs.
 *
 * @typedef {object} Deps
 * @property {(piece: number) => (Point & { still: boolean }) | null} seen returns where a piece is
 *   shown now, and whether it rests there; null if it is not shown
 * @property {(from: Spot, to: Spot) =>
 *   Promise<import('../components/questions.js').Asked<MeasureResult>>} ask
 * @property {() => void} changed called when the table has answered, or will not answer
 */

export class Measuring {
  /** @type {Phase} */
  phase = 'none';
  /** @type {End | null} */
  from = null;
  /** @type {End | null} */
  to = null;
  /** Whether both spots are chosen. Then the measurement stays, and follows its pieces. */
  chosen = false;
  /** The distance in the table's answer, in units. */
  #answer = 0;
  /** The ends of the last question, as a text to compare; '' if there was none. */
  #askedAbout = '';
  /** The number of the current question. Answers to others are ignored. */
  #number = 0;
  /** @type {Deps} */
  #deps;

  /** @param {Deps} deps */
  constructor(deps) {
    this.#deps = deps;
  }

  /** Whether the measurement waits for its second spot. */
  get isOpen() {
    return this.from !== null && !this.chosen;
  }

  /** Whether the page, and not the table, has computed the distance. */
  get isEstimate() {
    return this.phase !== 'answered';
  }

  /** The distance in units; null if there is no second spot. */
  get distance() {
    if (!this.from || !this.to) return null;
    return this.phase === 'answered' ? this.#answer : distanceBetween(this.from, this.to);
  }

  /** Begins a measurement and drops the one before. @param {End} from */
  begin(from) {
    this.clear();
    this.from = { ...from };
    this.phase = 'begun';
  }

  /** Moves the second spot for now. @param {End} to */
  reach(to) {
    const same =
      this.to &&
      (to.piece !== 0
        ? to.piece === this.to.piece
        : this.to.piece === 0 && to.x === this.to.x && to.y === this.to.y);
    if (!this.from || same) return;
    this.to = { ...to };
    this.#estimate();
  }

  /** Asks the table about the current spots. */
  settle() {
    if (this.phase === 'reckoned') this.#ask();
  }

  /** Chooses the second spot. */
  choose() {
    if (!this.to) return;
    this.chosen = true;
    this.settle();
  }

  /** Asks again if there was no answer. */
  retry() {
    if (UNANSWERED.includes(this.phase)) this.#ask();
  }

  /** Follows the pieces at its ends. Called once a frame. */
  look() {
    let still = true;
    for (const end of [this.from, this.to]) {
      const now = end?.piece ? this.#deps.seen(end.piece) : null;
      if (end && now) Object.assign(end, { x: Math.round(now.x), y: Math.round(now.y) });
      still &&= now?.still ?? true;
    }
    if (this.#askedAbout !== '' && this.#askedAbout !== this.#positions()) this.#estimate();
    if (this.chosen && still) this.settle();
  }

  /** A piece was renamed (T21). @param {number} from @param {number} to */
  rename(from, to) {
    for (const end of [this.from, this.to]) if (end?.piece === from) end.piece = to;
  }

  /** Drops the measurement. */
  clear() {
    Object.assign(this, { phase: 'none', from: null, to: null, chosen: false });
    this.#forget();
  }

  /** Drops the last question: its answer is ignored. */
  #forget() {
    this.#askedAbout = '';
    this.#number++;
  }

  #estimate() {
    this.#forget();
    this.phase = 'reckoned';
  }

  #ask() {
    const { from, to } = this;
    if (!from || !to) return;
    this.#forget();
    const number = this.#number;
    this.#askedAbout = this.#positions();
    this.phase = 'asked';
    void this.#deps.ask(spotOf(from), spotOf(to)).then((asked) => {
      if (number !== this.#number) return;
      this.#takeAnswer(asked);
      this.#deps.changed();
    });
  }

  /** @param {import('../components/questions.js').Asked<MeasureResult>} asked */
  #takeAnswer(asked) {
    if (asked.state !== 'answered') this.phase = asked.state;
    else if (asked.answer.distance === undefined) this.phase = 'gone';
    else {
      this.phase = 'answered';
      this.#answer = asked.answer.distance;
    }
  }

  /** Returns the ends as a text: their places, and which pieces are shown. */
  #positions() {
    const text = (/** @type {End | null} */ end) =>
      end &&
      `${end.piece} ${end.piece && !this.#deps.seen(end.piece) ? 'gone' : `${end.x} ${end.y}`}`;
    return `${text(this.from)}, ${text(this.to)}`;
  }
}

/**
 * @param {End} end
 * @returns {Spot} for a piece, the place is 0
 */
function spotOf({ piece, x, y }) {
  return piece ? { piece, x: 0, y: 0 } : { piece: 0, x, y };
}

/**
 * Returns the distance of two places in units, rounded to the nearest integer as the table does.
 *
 * @param {Point} a in whole units
 * @param {Point} b
 */
export function distanceBetween(a, b) {
  return Math.round(Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2));
}

/**
 * Returns a length in cells if the table has a grid, else in centimetres.
 *
 * @param {number} units
 * @param {number} pitch pitch of the grid in units; 0 if there is none
 * @returns {{ value: number, unit: 'cell'|'cm' }} rounded to tenths
 */
export function lengthIn(units, pitch) {
  const value = Math.round((10 * units) / (pitch || 100)) / 10;
  return { value, unit: pitch ? 'cell' : 'cm' };
}
