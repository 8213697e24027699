// A small server with components for tests, written from component.md alone: who may write what,
// what is refused, who receives what, and when components of a piece are dropped. Only the merge is
// that of parts/components/crdt.js, which vectors compare with the server's.

import { COMPONENTS, limitOf } from '../js/parts/components/registry.js';
import { encodeMessage } from '../js/parts/components/wire.js';
import * as crdt from '../js/parts/components/crdt.js';
import { get, ops as opsOf, timestampOf } from '../js/parts/components/crdtread.js';
import { classOf, entityOfPiece, isClearing, pieceOf } from '../js/parts/components/entities.js';
import { Authority } from './authority.js';
import { isCard } from './board.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */
/** @typedef {import('./board.js').Thing} Thing */
/** @typedef {import('./board.js').State} State */

/** The refusals (C11). */
export const NOT_ALLOWED = 1;
export const GONE = 2;
export const AHEAD = 3;
export const FULL = 4;
export const UNKNOWN = 5;

/** How many strokes there may be: fewer than C16 allows, so that the limit is reached. */
const MAX_STROKES = 6;

/** The seat of the host. */
export const HOST = 1;

/** @typedef {{ op: Op, by: number, refusal: number }} Judged */

export class Room extends Authority {
  /** @param {number} pieces @param {number[]} seats */
  constructor(pieces, seats) {
    super(pieces, seats, { cards: true });
    this.replica = crdt.replica({ limitOf });
    /** Everything that was ever merged, by the names that pieces had then. Nothing is forgotten. */
    this.ever = crdt.replica({ limitOf });
    /** The outcome of each operation that arrived. @type {Judged[]} */
    this.judged = [];
    /** Operations by the generation under which they were recorded. @type {Map<number, Op[]>} */
    this.said = new Map();
    /**
     * The generation at which the components of a piece were last dropped, by its number (C15).
     *
     * @type {Map<number, number>}
     */
    this.shed = new Map();
  }

  /** All components that a seat may see. @param {number} seat @returns {Op[]} */
  visible(seat) {
    return opsOf(this.replica).filter(({ entity }) => this.hears(entity, seat));
  }

  /** @param {number} entity @param {number} seat */
  hears(entity, seat) {
    if (classOf(entity) !== 'piece') return true;
    return this.board.find(pieceOf(entity), seat)?.name === pieceOf(entity);
  }

  // ---- what clients do ----

  /**
   * Takes a message (C17). Returns the status, and the code of the problem if there is one.
   *
   * @param {string} client
   * @param {import('../js/parts/components/replica.js').Batch} message
   * @returns {{ status: number, code: string }}
   */
  operate(client, { ops, epoch, mark }) {
    if (epoch !== this.epoch) return { status: 409, code: 'epoch' };
    if (mark > this.now(client)) return { status: 422, code: 'tag-from-the-future' };
    const { seat } = this.client(client);
    /** @type {Set<string>} */
    const told = new Set();
    for (const sent of ops) {
      const op = this.addressed(sent, seat);
      const refusal = this.isOvertaken(op, seat, mark) ? GONE : this.refusal(op, seat);
      this.judged.push({ op: sent, by: seat, refusal });
      const result = refusal === 0 ? crdt.merge(this.replica, op) : null;
      const key = `${sent.entity} ${sent.component}`;
      if (result?.outcome === 'applied') this.taken(op, seat);
      else if (refusal !== 0 && !told.has(key)) this.refuse(client, sent, refusal);
      if (refusal !== 0 || result?.outcome === 'stale') told.add(key);
    }
    return { status: 204, code: '' };
  }

  /**
   * Whether the piece of an operation had other components when the operation was made (C15).
   *
   * @param {Op} op
   * @param {number} seat
   * @param {number} mark
   */
  isOvertaken(op, seat, mark) {
    const thing = classOf(op.entity) === 'piece' ? this.board.find(pieceOf(op.entity), seat) : null;
    return thing !== null && this.board.mark(seat, this.shed.get(thing.oid) ?? 0) > mark;
  }

  /** The entity that a name means now (T21). @param {Op} op @param {number} seat @returns {Op} */
  addressed(op, seat) {
    if (classOf(op.entity) !== 'piece') return op;
    const thing = this.board.find(pieceOf(op.entity), seat);
    return thing ? { ...op, entity: entityOfPiece(thing.name) } : op;
  }

  /**
   * Why an operation is refused (C11, C12, C16); 0: it is not.
   *
   * @param {Op} op
   * @param {number} seat
   */
  refusal(op, seat) {
    if (op.kind === 'deleteEntity') return this.refusalOfDeletion(op.entity, seat);
    const of = classOf(op.entity);
    const spec = Object.values(COMPONENTS).find(
      (c) => c.of === of && op.component >= c.number && op.component <= c.last,
    );
    const author = this.authorOf(op.entity);
    if (!spec || spec.set > 0 !== (op.kind === 'append')) return UNKNOWN;
    if (of === 'piece' && !this.board.find(pieceOf(op.entity), seat)) return GONE;
    if (of === 'stroke' && author === 0 && op.component !== COMPONENTS.stroke.number) return GONE;
    if (
      spec.who === 'server' ||
      (spec.who === 'host' && seat !== HOST) ||
      (spec.who === 'author' && author !== 0 && author !== seat)
    )
      return NOT_ALLOWED;
    if (op.timestamp > timestampOf(this.replica, op.entity, op.component) + 256 && seat !== HOST)
      return AHEAD;
    const strokes = [...this.replica.entities.keys()].filter((e) => classOf(e) === 'stroke').length;
    return of === 'stroke' && author === 0 && strokes >= MAX_STROKES ? FULL : 0;
  }

  /** @param {number} entity @param {number} seat */
  refusalOfDeletion(entity, seat) {
    if (isClearing(entity)) return seat === HOST ? 0 : NOT_ALLOWED;
    const author = this.authorOf(entity);
    if (author === 0) return GONE;
    return author === seat || seat === HOST ? 0 : NOT_ALLOWED;
  }

  /** The author of a stroke; 0 if it does not exist. @param {number} entity */
  authorOf(entity) {
    const data = get(this.replica, entity, COMPONENTS.author.number);
    return data ? COMPONENTS.author.decode(data).seat : 0;
  }

  /** @param {string} client @param {Op} op @param {number} reason */
  refuse(client, { entity, component, timestamp }, reason) {
    this.streams
      .get(client)
      ?.push({
        time: 0, mark: 0, events: [{ type: 'refused', entity, component, timestamp, reason }],
      });
  }

  /** Records what was merged, and what follows from it. @param {Op} op @param {number} seat */
  taken(op, seat) {
    this.say(op);
    if (op.component === COMPONENTS.stroke.number && this.authorOf(op.entity) === 0)
      this.write(op.entity, COMPONENTS.author, { seat });
    if (op.component === COMPONENTS.roll.number && op.kind === 'put') {
      this.write(op.entity, COMPONENTS.rollResult, {
        of: op.timestamp, face: this.board.gen % 6, reason: 0,
      });
    }
  }

  /**
   * @template V
   * @param {number} entity
   * @param {import('../js/parts/components/registry.js').Component<V>} component
   * @param {V} value
   */
  write(entity, component, value) {
    const op = crdt.put(this.replica, entity, component.number, component.encode(value));
    if (op) this.say(op);
  }

  /**
   * Records an operation and publishes it. It counts in the marks of those who may see it (C17).
   *
   * @param {Op} op
   */
  say(op) {
    crdt.merge(this.ever, op);
    const gen = ++this.board.gen;
    const hearers = this.board.seats.filter((seat) => this.hears(op.entity, seat));
    for (const seat of hearers) this.board.shown.get(seat)?.push(gen);
    this.said.set(gen, [op]);
    const patches = new Map(hearers.map((seat) => [seat, { id: 0, mark: 0 }]));
    this.publish({
      events: [{ gen, by: '', seat: 0, op: 'unspecified', name: 0, patches, ack: null }],
      rejects: [],
    });
  }

  // ---- what becomes of pieces ----

  /**
   * @override
   * @param {Parameters<Authority['record']>} args
   */
  record(...args) {
    const [, thing, state] = args;
    const before = this.board.state(thing);
    const { name } = thing;
    const entry = super.record(...args);
    const isPrivate = state !== null && isCard(state.kind);
    if (before && (!state || thing.name !== name || (isPrivate && before.owner !== state.owner))) {
      crdt.forget(this.replica, entityOfPiece(name));
      this.shed.set(thing.oid, entry.gen);
    }
    return entry;
  }

  // ---- publishing ----

  /** @override @param {Parameters<Authority['tell']>} args */
  tell(...args) {
    const [entry, client] = args;
    const ops = this.said.get(entry.gen);
    if (!ops) return super.tell(...args);
    const isHeard = entry.patches.has(this.client(client).seat);
    return isHeard
      ? [{ type: /** @type {const} */ ('components'), components: encodeMessage({ ops }) }]
      : [];
  }

  /** @override @param {string} client @param {number} seq */
  makeWhole(client, seq) {
    super.makeWhole(client, seq);
    const [full] = this.streams.get(client)?.[0].events ?? [];
    const ops = this.visible(this.client(client).seat);
    if (full.type === 'full' && ops.length > 0) full.components = encodeMessage({ ops });
  }

  // ---- what happens by itself ----

  /** @override */
  backup() {
    return {
      ...super.backup(), components: opsOf(this.replica), said: new Map(this.said),
      shed: new Map(this.shed),
    };
  }

  /** @override @param {any} backup */
  restore({ components, said, shed, ...backup }) {
    this.replica = crdt.replica({ limitOf });
    for (const op of components) crdt.merge(this.replica, op);
    this.said = new Map(said);
    this.shed = new Map(shed);
    super.restore(backup);
  }
}
