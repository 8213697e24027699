/**
 * A measurement with the ruler, from one spot to another: reckoned here as long as it is drawn, and answered by the table when the spots are
 * chosen (docs/protocol/component.md, C18). If a piece that it is about moves, the table is asked again. No DOM, no clock: where pieces are
 * seen is handed in, and so is how one asks.
 *
 *     none ──begin──▶ begun ──reach──▶ reckoned ──ask──▶ asked ──▶ answered, gone, refused, replaced, expired
 *                                        ▲  ▲              │              │
 *                                        │  └──reach, or a piece moves────┤
 *                                        └──any other spot                └──again (of the last three)──▶ asked
 *     any ──begin──▶ begun        any ──clear──▶ none
 *
 * @module
 */

/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../components/registry.js').Spot} Spot */
/** @typedef {import('../components/registry.js').MeasureResult} MeasureResult */

/**
 * Where a measurement begins or ends: a place, or the centre of a piece, whose place is where it was seen last.
 *
 * @typedef {{ piece: number, x: number, y: number }} End `piece`: 0 if it is a place. In units
 */

/** @typedef {'none'|'begun'|'reckoned'|'asked'|'answered'|'gone'|'refused'|'replaced'|'expired'} Phase */

/** The phases in which the table has not answered, and will not. @type {readonly Phase[]} */
export const UNANSWERED = ['refused', 'replaced', 'expired'];

/**
 * What a measurement needs.
 *
 * @typedef {object} Deps
 * @property {(piece: number) => (Point & { still: boolean }) | null} seen where a piece is seen now, and whether it rests there; null if it is
 *   not seen
 * @property {(from: Spot, to: Spot) => Promise<import('../components/questions.js').Asked<MeasureResult>>} ask
 * @property {() => void} changed is called when the table has answered, or will not
 */

export class Measuring {
  /** @type {Phase} */
  phase = 'none';
  /** @type {End | null} */
  from = null;
  /** @type {End | null} */
  to = null;
  /** Whether both spots are chosen: then the measurement stays, and goes where the pieces go. */
  chosen = false;
  /** What the table has answered, in units. */
  #answer = 0;
  /** The ends about which it was asked, as a text to compare; '' if it was not. */
  #about = '';
  /** The number of the question that counts: the answer to another one comes late. */
  #number = 0;
  /** @type {Deps} */
  #deps;

  /** @param {Deps} deps */
  constructor(deps) {
    this.#deps = deps;
  }

  /** Whether it waits for its second spot. */
  get isOpen() {
    return this.from !== null && !this.chosen;
  }

  /** Whether the distance is this page's and not the table's. */
  get isReckoned() {
    return this.phase !== 'answered';
  }

  /** The distance in units; null if there is no second spot. */
  get distance() {
    if (!this.from || !this.to) return null;
    return this.phase === 'answered' ? this.#answer : distanceBetween(this.from, this.to);
  }

  /** Begins a measurement; the one before is given up. @param {End} from */
  begin(from) {
    this.clear();
    this.from = { ...from };
    this.phase = 'begun';
  }

  /** It goes to another spot, for the time being. @param {End} to */
  reach(to) {
    const same =
      this.to &&
      (to.piece !== 0
        ? to.piece === this.to.piece
        : this.to.piece === 0 && to.x === this.to.x && to.y === this.to.y);
    if (!this.from || same) return;
    this.to = { ...to };
    this.#reckon();
  }

  /** The spots are those that are meant for now: the table is asked. */
  settle() {
    if (this.phase === 'reckoned') this.#ask();
  }

  /** Both spots are chosen. */
  choose() {
    if (!this.to) return;
    this.chosen = true;
    this.settle();
  }

  /** Asks again if there was no answer. */
  again() {
    if (UNANSWERED.includes(this.phase)) this.#ask();
  }

  /** Looks where the pieces are that it is about: to be called once a frame. */
  look() {
    let still = true;
    for (const end of [this.from, this.to]) {
      const now = end?.piece ? this.#deps.seen(end.piece) : null;
      if (end && now) Object.assign(end, { x: Math.round(now.x), y: Math.round(now.y) });
      still &&= now?.still ?? true;
    }
    if (this.#about !== '' && this.#about !== this.#ends()) this.#reckon();
    if (this.chosen && still) this.settle();
  }

  /** A piece has another name (T21). @param {number} from @param {number} to */
  rename(from, to) {
    for (const end of [this.from, this.to]) if (end?.piece === from) end.piece = to;
  }

  /** Gives it up. */
  clear() {
    Object.assign(this, { phase: 'none', from: null, to: null, chosen: false });
    this.#forget();
  }

  /** What was asked does not count any more. */
  #forget() {
    this.#about = '';
    this.#number++;
  }

  #reckon() {
    this.#forget();
    this.phase = 'reckoned';
  }

  #ask() {
    const { from, to } = this;
    if (!from || !to) return;
    this.#forget();
    const number = this.#number;
    this.#about = this.#ends();
    this.phase = 'asked';
    void this.#deps.ask(spotOf(from), spotOf(to)).then((asked) => {
      if (number !== this.#number) return;
      this.#hear(asked);
      this.#deps.changed();
    });
  }

  /** @param {import('../components/questions.js').Asked<MeasureResult>} asked */
  #hear(asked) {
    if (asked.state !== 'answered') this.phase = asked.state;
    else if (asked.answer.distance === undefined) this.phase = 'gone';
    else {
      this.phase = 'answered';
      this.#answer = asked.answer.distance;
    }
  }

  /** The ends as a text: which pieces are seen, and where it begins and ends. */
  #ends() {
    const text = (/** @type {End | null} */ end) =>
      end &&
      `${end.piece} ${end.piece && !this.#deps.seen(end.piece) ? 'gone' : `${end.x} ${end.y}`}`;
    return `${text(this.from)}, ${text(this.to)}`;
  }
}

/** @param {End} end @returns {Spot} a piece has no place beside it */
function spotOf({ piece, x, y }) {
  return piece ? { piece, x: 0, y: 0 } : { piece: 0, x, y };
}

/**
 * How far apart two places are, in units, rounded to the nearest one as the table does.
 *
 * @param {Point} a in whole units @param {Point} b
 */
export function distanceBetween(a, b) {
  return Math.round(Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2));
}

/**
 * A length in words: in cells if the table has a grid, else in centimetres.
 *
 * @param {number} units
 * @param {number} pitch of the grid in units; 0 if there is none
 * @returns {{ value: number, unit: 'cell'|'cm' }} to tenths
 */
export function lengthIn(units, pitch) {
  const value = Math.round((10 * units) / (pitch || 100)) / 10;
  return { value, unit: pitch ? 'cell' : 'cm' };
}
