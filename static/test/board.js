// The pieces of a table as each seat may see them, written from table.md alone: histories, names,
// marks (T2, T13, T21 to T23, T29). It judges nothing.

/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */
/** @typedef {import('../js/types.js').Op} Op */

/**
 * Kinds. Every third piece is a card (T22), whose back is MASK. THING counts, rolls and is split,
 * and DECK holds cards.
 */
export const THING = 1;
export const MASK = 9;
export const DECK = 12;

/** The face at which a card shows its back. */
export const DOWN = 1;

/** Random names begin here (T21). */
export const LOTS = 16_384;

/**
 * How many marks there are for each entry that a view is shown. The other marks are for rejects
 * (T14).
 */
export const STEP = 256;

/**
 * A piece. `zGen` is the generation that set its level, or NaN while that is being recorded.
 * `inside`: it lies in the deck.
 *
 * @typedef {{ kind: number, x: number, y: number, angle: number, face: number, z: string,
 *   zGen: number, pinned: boolean, holder: number, owner: number, value: number, inside: boolean }}
 *   State
 * @typedef {{ gen: number, by: string, state: State | null, name: number, shownIn: Set<number>,
 *   looks: Map<number, Look> }} Version
 * @typedef {Omit<State, 'zGen' | 'inside'> & { id: number, mark: number, locked: boolean,
 *   zMark: number }} Look a piece as a seat is shown it
 * @typedef {{ oid: number, name: number, formers: { name: number, seats: number[] }[],
 *   history: Version[], released: string }} Thing
 * @typedef {{ gen: number, by: string, seat: number, op: Op, name: number, patches: Map<number,
 *   PiecePatch>, ack: { client: string, seq: number, made: number } | null }} Entry
 */

/** @type {State} */
export const ZERO = {
  kind: 0,
  x: 0,
  y: 0,
  angle: 0,
  face: 0,
  z: '',
  zGen: 0,
  pinned: false,
  holder: 0,
  owner: 0,
  value: 0,
  inside: false,
};

/** @param {number} kind */
export const isCard = (kind) => kind % 3 === 2;

/** Whether a seat sees a piece at all. @param {State | null} state @param {number} seat */
function sees(state, seat) {
  return state !== null && !state.inside && (state.owner === 0 || state.owner === seat);
}

export class Board {
  /** @param {number[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.gen = 0;
    this.lots = 0;
    /** @type {Map<number, Thing>} */
    this.things = new Map();
    /**
     * The generations that each seat was shown, in ascending order.
     *
     * @type {Map<number, number[]>}
     */
    this.shown = new Map(seats.map((seat) => [seat, []]));
  }

  /**
   * The mark of the latest entry up to a generation that a seat was shown.
   *
   * @param {number} seat
   * @param {number} gen
   */
  mark(seat, gen) {
    const gens = this.shown.get(seat) ?? [];
    let lo = 0;
    let hi = gens.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (gens[mid] <= gen) lo = mid + 1;
      else hi = mid;
    }
    return lo * STEP;
  }

  /** The mark of the latest entry that a seat was shown. @param {number} seat */
  now(seat) {
    return (this.shown.get(seat)?.length ?? 0) * STEP;
  }

  /** A random name that no piece has had. */
  lot() {
    this.lots++;
    return LOTS + ((this.lots * 7919) % 100_003);
  }

  /**
   * The piece that a name means to a seat (T15, T21). A former name counts for a seat that has seen
   * the piece ever since.
   *
   * @param {number} name
   * @param {number} seat
   * @returns {Thing | null}
   */
  find(name, seat) {
    for (const thing of this.things.values()) {
      if (!sees(this.state(thing), seat)) continue;
      if (
        thing.name === name ||
        thing.formers.some((f) => f.name === name && f.seats.includes(seat))
      )
        return thing;
    }
    return null;
  }

  /** @param {Thing} thing @returns {State | null} null: it does not exist */
  state(thing) {
    return thing.history.at(-1)?.state ?? null;
  }

  /** The cards in the deck, the lowest first. */
  within() {
    const inside = [...this.things.values()].filter((thing) => this.state(thing)?.inside);
    return inside.sort((a, b) => (this.state(a)?.zGen ?? 0) - (this.state(b)?.zGen ?? 0));
  }

  /**
   * Records a state of a piece; null deletes it.
   *
   * @param {Thing} thing
   * @param {State | null} state
   * @param {{ by: string, seat: number, op: Op, ack: Entry['ack'] }} how by the client that made
   *   it, '' for the server
   * @returns {Entry}
   */
  record(thing, state, { by, seat, op, ack }) {
    const gen = ++this.gen;
    const before = this.state(thing);
    const was = thing.name;
    const made = thing.history.length === 0;
    const comes = this.seats.some((other) => sees(state, other) && !sees(before, other));
    if (state && (Number.isNaN(state.zGen) || (comes && !made))) state.zGen = gen;
    if (state && this.seats.some((other) => sees(before, other) && !sees(state, other)))
      this.rename(thing, before, state);
    /** @type {Map<number, PiecePatch>} */
    const patches = new Map();
    for (const other of this.seats) {
      const patch = this.patch(
        other, gen, { state: before, name: was }, { state, name: thing.name },
      );
      if (!patch) continue;
      patches.set(other, patch);
      this.shown.get(other)?.push(gen);
    }
    thing.history.push({
      gen, by, state, name: thing.name, shownIn: new Set(patches.keys()), looks: new Map(),
    });
    return { gen, by, seat, op, name: was, patches, ack };
  }

  /**
   * Renames a piece (T21).
   *
   * @param {Thing} thing
   * @param {State | null} before
   * @param {State} after
   */
  rename(thing, before, after) {
    const kept = this.seats.filter((seat) => sees(before, seat) && sees(after, seat));
    thing.formers = thing.formers.map(({ name, seats }) => ({
      name, seats: seats.filter((seat) => kept.includes(seat)),
    }));
    thing.formers.push({ name: thing.name, seats: kept });
    thing.name = this.lot();
  }

  /**
   * The part of an entry that a seat is shown; null if it is shown nothing.
   *
   * @param {number} seat
   * @param {number} gen
   * @param {{ state: State | null, name: number }} before
   * @param {{ state: State | null, name: number }} after
   * @returns {PiecePatch | null}
   */
  patch(seat, gen, before, after) {
    const mark = this.now(seat) + STEP;
    const saw = sees(before.state, seat);
    if (!sees(after.state, seat)) return saw ? { id: before.name, mark, gone: true } : null;
    /** @type {Record<string, any>} */
    const base = saw ? this.look(before.state, seat, gen, mark) : this.look(ZERO, seat, gen, mark);
    const is = this.look(after.state, seat, gen, mark);
    const changed = Object.entries(is).filter(([field, value]) => base[field] !== value);
    if (!saw) return { id: after.name, mark, ...Object.fromEntries(changed) };
    const renamed = after.name === before.name ? {} : { renamed: after.name };
    if (changed.length === 0 && after.name === before.name) return null;
    return { id: before.name, mark, ...Object.fromEntries(changed), ...renamed };
  }

  /**
   * A state as a seat is shown it (T22, T23), while generation `gen` is being recorded, which gets
   * the mark.
   *
   * @param {State | null} state
   * @param {number} seat
   * @param {number} gen
   * @param {number} mark
   */
  look(state, seat, gen, mark) {
    const { inside: _, zGen, ...fields } = state ?? ZERO;
    const zMark = zGen === gen ? mark : this.mark(seat, zGen);
    const concealed = isCard(fields.kind) && fields.owner === 0 && fields.face === DOWN;
    return { ...fields, zMark, ...(concealed ? { kind: MASK, face: 0 } : {}) };
  }

  /**
   * A piece as a seat was shown it when its view was complete up to a mark; null if the seat could
   * not see it.
   *
   * @param {Thing} thing
   * @param {number} seat
   * @param {number} at
   * @returns {Look | null}
   */
  whole(thing, seat, at) {
    const version = thing.history.findLast((v) => this.mark(seat, v.gen) <= at);
    if (!version || !sees(version.state, seat)) return null;
    const known = version.looks.get(seat);
    if (known) return known;
    const told = thing.history.findLast((v) => v.shownIn.has(seat) && v.gen <= version.gen);
    const mark = told ? this.mark(seat, told.gen) : 0;
    const look = {
      id: version.name, mark, locked: false, ...this.look(version.state, seat, -1, 0),
    };
    version.looks.set(seat, look);
    return look;
  }

  /**
   * The mark of the latest update of a piece that a seat was shown and that another client made
   * (T5).
   *
   * @param {Thing} thing
   * @param {number} seat
   * @param {string} client
   */
  latestOfOthers(thing, seat, client) {
    const version = thing.history.findLast((v) => v.shownIn.has(seat) && v.by !== client);
    return version ? this.mark(seat, version.gen) : 0;
  }
}
