/**
 * The page's replica of components (docs/protocol/component.md): what the room has, with own operations on top that it has not answered
 * (C17). Whoever shows or writes components does it through this. No DOM.
 *
 *     room   what the stream has told, merged                            the same at every replica whose view is the same
 *     own    what was written here and is neither there nor refused      shown at once, posted, kept in the browser
 *
 * A key is an entity and a component (entities.js, components.js); `n` counts within a run of components, such as columns.
 *
 * @module
 */

import { classOf, entityOfPiece, pieceOf } from './entities.js';
import { COMPONENTS, limitOf } from './components.js';
import { decodeMessage, EMPTY, encodeMessage, MAX_TIMESTAMP } from './componentwire.js';
import * as crdt from './crdt.js';
import { compareBytes, elements as elementsIn, get as getIn, timestampOf } from './crdtread.js';
import { createKeep } from './keep.js';
import { OwnOps } from './ownops.js';
import { MalformedError } from './protobuf.js';
import { PATIENCE, Questions } from './questions.js';

/** @typedef {import('./componentwire.js').Op} Op */
/** @typedef {import('./ownops.js').Own} Own */
/** @typedef {import('./types.js').ComponentNews} ComponentNews */
/** @typedef {import('./types.js').Problem} Problem */
/** @template V @typedef {import('./components.js').Component<V>} Component */
/** @template A @typedef {import('./questions.js').Asked<A>} Asked */

/**
 * What is shown otherwise than before: entities, and which of their components.
 * @typedef {Map<number, Set<number>>} Changes
 */

/**
 * Something that was written here came to nothing, other than by losing.
 *
 * @typedef {object} Refusal
 * @property {number} entity
 * @property {number} component its number; 0 if the entity was to be deleted
 * @property {string} reason as C11 names them; `epoch`: history was restored to an older state (T19); `too-many`: more is waiting than may wait;
 *   or the code of a problem (http.md)
 */

/**
 * @typedef {object} Deps
 * @property {{ client: string, you: number, epoch: number }} sync as in types.js
 * @property {(piece: number) => boolean} sees whether the view has a piece of that name
 * @property {(kind: number) => boolean | null} isPrivate whether pieces of a kind are private (T23); null: the catalogue is not here
 * @property {import('./types.js').Net['carry']} carry
 * @property {() => void} resync asks for the full state
 * @property {() => Storage} storage of the browser; it may throw, and all that it returns
 * @property {string} table
 * @property {(f: () => void) => void} frame does something once, when the next frame is drawn
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} now in milliseconds
 */

/** Milliseconds after which what was written is kept in the browser. A page that is left keeps it at once. */
const SOON = 250;

/** Milliseconds for which a ping is worth posting: it says where somebody points now. */
const FLEETING = 3000;

/** Why an operation was refused (C11), by number. */
const REASONS = ['unspecified', 'not-allowed', 'gone', 'timestamp', 'full', 'unknown'];

/** @param {Deps} deps */
export function createReplica(deps) {
  let room = crdt.replica({ limitOf });
  let epoch = deps.sync.epoch;
  const own = new OwnOps();
  const keep = createKeep({ storage: deps.storage, table: deps.table, page: deps.sync.client });
  const questions = new Questions({ ...deps, data: (entity, number) => room.entities.get(entity)?.values.get(number) });
  /** What is shown of entities that have own operations. @type {Map<number, crdt.Replica>} */
  const views = new Map();
  /** @type {WeakMap<Uint8Array, any>} */
  const read = new WeakMap();
  /** @type {Changes} */
  let changes = new Map();
  /** @type {Set<(changes: Changes) => void>} */
  const listeners = new Set();
  /** @type {Set<(refusals: Refusal[]) => void>} */
  const refusers = new Set();
  /** @type {unknown} until what waits is kept */
  let saving = null;

  const poster = deps.carry(
    {
      take: () => {
        lookAfterKept();
        return own.take(deps.now());
      },
      delivered: () => own.delivered(),
      failed: () => own.failed(),
      refused: (problem) => {
        comesToNothing(own.refusedWhole(problem.code === 'impossible-value' ? problem.update : undefined), problem.code);
        return new Set();
      },
    },
    {
      path: `components?client=${deps.sync.client}`,
      type: 'application/x-protobuf',
      body: (/** @type {Op[]} */ ops) => encodeMessage({ ops }),
      taken: 204,
    },
  );

  return {
    get,
    elements,
    entities,
    pending,
    put,
    remove,
    append,
    removeEntity,
    ask,
    listen,
    onRefused,
    receive,
    save,
  };

  // ---- reading ----

  /**
   * A value as it is shown; null if there is none. As long as it does not change the same object is returned.
   *
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @param {number} [n]
   * @returns {V | null}
   */
  function get(entity, component, n = 0) {
    const data = getIn(shown(entity), entity, component.number + n);
    return data ? decoded(component, data) : null;
  }

  /**
   * The elements of a set as they are shown, ascending. As long as one stays the same object is returned.
   *
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @returns {V[]}
   */
  function elements(entity, component) {
    return elementsIn(shown(entity), entity, component.number).flatMap(({ data }) => decoded(component, data) ?? []);
  }

  /**
   * The entities of which anything is shown, from one on and below another, ascending.
   *
   * @param {number} from
   * @param {number} below
   */
  function entities(from, below) {
    const all = new Set([...room.entities.keys(), ...own.byEntity.keys()]);
    return [...all].filter((entity) => entity >= from && entity < below && isThere(entity)).sort((a, b) => a - b);
  }

  /**
   * Whether what is shown under a key is not, or not surely, in the room.
   *
   * @param {number} entity
   * @param {Component<any>} [component] missing: any of the entity
   * @param {number} [n]
   */
  function pending(entity, component, n = 0) {
    return [...own.of(entity)].some(({ op }) => !component || op.component === component.number + n);
  }

  /** @param {number} entity */
  function isThere(entity) {
    const bag = shown(entity).entities.get(entity);
    if (!bag) return false;
    for (const { data } of bag.values.values()) if (data) return true;
    return bag.sets.size > 0;
  }

  /**
   * Where what is shown of an entity stands: in the room, or with own operations on top.
   *
   * @param {number} entity
   * @returns {crdt.Replica}
   */
  function shown(entity) {
    const view = views.get(entity);
    if (view) return view;
    const deletions = own.deletions().map(({ op }) => op);
    const mine = [...own.of(entity)].map(({ op }) => op);
    if (mine.length === 0 && deletions.length === 0) return room;
    const made = crdt.replica({ limitOf });
    const bag = room.entities.get(entity);
    if (bag) made.entities.set(entity, { values: new Map(bag.values), sets: new Map(bag.sets) });
    for (const op of [...mine, ...deletions]) if (!crdt.isDeleted(room, op.entity)) crdt.merge(made, op);
    views.set(entity, made);
    return made;
  }

  /**
   * @template V
   * @param {Component<V>} component
   * @param {Uint8Array} data
   * @returns {V | null} null if it is nothing that this page understands
   */
  function decoded(component, data) {
    if (!read.has(data)) read.set(data, attempt(() => component.decode(data)));
    return read.get(data);
  }

  // ---- writing ----

  /**
   * Sets a value. It is shown at once, and posted.
   *
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @param {V} message
   * @param {number} [n]
   * @returns {boolean} whether it could be written: not on what is deleted, nor if too much is waiting, which is told as a refusal
   * @throws {RangeError} if the entity has no such component, or there is too much of the message
   */
  function put(entity, component, message, n = 0) {
    const data = encode(entity, component, message, n);
    const before = getIn(shown(entity), entity, component.number + n);
    if (before && compareBytes(before, data) === 0) return true;
    return write({ kind: 'put', entity, component: component.number + n, timestamp: 0, data }) !== null;
  }

  /**
   * Deletes a value.
   *
   * @param {number} entity
   * @param {Component<any>} component
   * @param {number} [n]
   * @returns {boolean} as `put` does
   */
  function remove(entity, component, n = 0) {
    const number = component.number + n;
    if (!getIn(shown(entity), entity, number)) return true;
    return write({ kind: 'delete', entity, component: number, timestamp: 0, data: EMPTY }) !== null;
  }

  /**
   * Adds an element to a set.
   *
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @param {V} message
   * @returns {boolean} as `put` does
   * @throws {RangeError} as `put` does
   */
  function append(entity, component, message) {
    const data = encode(entity, component, message, 0);
    const until = component.number === COMPONENTS.ping.number ? deps.now() + FLEETING : Number.POSITIVE_INFINITY;
    return write({ kind: 'append', entity, component: component.number, timestamp: 0, data }, until) !== null;
  }

  /**
   * Deletes a stroke for good, or all strokes from before a second: `clearing` of entities.js (C16).
   *
   * @param {number} entity
   * @returns {boolean} as `put` does
   */
  function removeEntity(entity) {
    const op = { kind: /** @type {const} */ ('deleteEntity'), entity, component: 0, timestamp: 0, data: EMPTY };
    const covered = crdt.replica();
    crdt.merge(covered, op);
    const mine = [...own.all].filter((o) => o.op.kind !== 'deleteEntity' && crdt.isDeleted(covered, o.op.entity));
    if (mine.some(({ saved }) => saved)) lookAfterKept();
    const isKnown = room.entities.has(entity) || mine.some(({ shared }) => shared) || classOf(entity) !== 'stroke';
    for (const o of mine) if (!o.shared) own.drop(o);
    if (mine.some(({ saved }) => saved)) save();
    for (const e of [entity, ...room.entities.keys()]) if (crdt.isDeleted(covered, e)) markAll(e);
    for (const o of mine) markAll(o.op.entity);
    if (!isKnown || crdt.covers(room, op) || own.deletions().some((o) => o.op.entity === entity)) return true;
    if (own.isFull(0)) return tooMany(op);
    own.add(op);
    sendSoon();
    return true;
  }

  /**
   * Puts a question, and waits for the answer (C18).
   *
   * @template Q, A
   * @param {number} entity
   * @param {Component<Q>} component the question
   * @param {Component<A>} answer
   * @param {Q} message
   * @returns {Promise<Asked<A>>}
   * @throws {RangeError} as `put` does
   */
  function ask(entity, component, answer, message) {
    const data = encode(entity, component, message, 0);
    const until = deps.now() + PATIENCE;
    const made = write({ kind: 'put', entity, component: component.number, timestamp: 0, data }, until);
    if (!made) return Promise.resolve({ state: 'refused' });
    const onExpired = () => {
      own.drop(made);
      mark(entity, component.number);
    };
    return questions.ask(made.op, (bytes) => /** @type {any} */ (decoded(answer, bytes)), onExpired);
  }

  /**
   * Writes an operation with the next timestamp (C1): one that nobody else has yet on the same value becomes that.
   *
   * @param {Op} wish without a timestamp
   * @param {number} [until] when it is not worth posting any more
   * @returns {Own | null}
   */
  function write(wish, until = Number.POSITIVE_INFINITY) {
    const { entity, component, data } = wish;
    if (crdt.isDeleted(shown(entity), entity)) return null;
    const others = own.on(entity, component);
    const draft = wish.kind === 'append' ? undefined : others.find(({ shared }) => !shared);
    const last = Math.max(timestampOf(room, entity, component), draft?.above ?? 0, ...others.filter((o) => o !== draft).map(({ op }) => op.timestamp));
    if (last >= MAX_TIMESTAMP) return null;
    const op = { ...wish, timestamp: last + 1 };
    if (!draft && own.isFull(data.length)) {
      tooMany(op);
      return null;
    }
    if (draft) own.change(draft, op);
    const made = draft ?? own.add(op, { until });
    mark(entity, component);
    sendSoon();
    return made;
  }

  /**
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @param {V} message
   * @param {number} n
   */
  function encode(entity, component, message, n) {
    if (classOf(entity) !== component.of) throw new RangeError(`no component ${component.number} of entity ${entity}`);
    if (component.number + n > component.last) throw new RangeError(`no component ${component.number + n}`);
    const data = component.encode(message);
    if (data.length > component.size) throw new RangeError(`${data.length} bytes of component ${component.number}`);
    return data;
  }

  function sendSoon() {
    poster.flush();
    saving ??= deps.setTimeout(save, SOON);
  }

  // ---- what comes down ----

  /**
   * Takes in what a frame tells of components, when everything else of the frame is as it leaves it.
   *
   * @param {import('./sharing.js').Told} told
   */
  function receive({ full, resumed, components }) {
    for (const news of components) hear(news);
    if (full || resumed) {
      own.again();
      takeOver();
    }
    if (components.length > 0 || full || resumed) sendSoon();
  }

  /** @param {ComponentNews} news */
  function hear(news) {
    switch (news.type) {
      case 'full':
        renew(news.epoch, news.components);
        break;
      case 'components':
        merge(news.components);
        break;
      case 'refused':
        comesToNothing(own.refused(news), REASONS[news.reason] ?? REASONS[0]);
        break;
      case 'gone':
        shed(news.piece);
        break;
      case 'passed':
        if (deps.isPrivate(news.kind)) shed(news.piece);
        else if (deps.isPrivate(news.kind) === null && room.entities.has(entityOfPiece(news.piece))) deps.resync();
        break;
    }
  }

  /**
   * Merges operations into what the room has.
   *
   * @param {Uint8Array} message
   */
  function merge(message) {
    /** @type {Set<number>} */
    const touched = new Set();
    for (const op of attempt(() => decodeMessage(message).ops) ?? []) {
      if (op.kind === 'deleteEntity') for (const entity of room.entities.keys()) markAll(entity);
      crdt.merge(room, op);
      mark(op.entity, op.component);
      if (op.kind === 'deleteEntity') settle();
      touched.add(op.entity);
      questions.look();
    }
    settle(touched);
  }

  /**
   * The room has this and nothing else.
   *
   * @param {number} now the epoch
   * @param {Uint8Array} [message]
   */
  function renew(now, message = EMPTY) {
    if (epoch !== 0 && now !== epoch) dropAll([...own.all], 'epoch');
    epoch = now;
    for (const entity of room.entities.keys()) markAll(entity);
    room = crdt.replica({ limitOf });
    merge(message);
    settle();
    const gone = [...own.all].filter(({ op }) => classOf(op.entity) === 'piece' && !deps.sees(pieceOf(op.entity)));
    dropAll(gone, 'gone');
    questions.look();
  }

  /** What is written on a piece is gone (C15). @param {number} piece */
  function shed(piece) {
    const entity = entityOfPiece(piece);
    markAll(entity);
    crdt.forget(room, entity);
    dropAll([...own.of(entity)], 'gone');
  }

  /** @param {Iterable<number>} [entities] */
  function settle(entities) {
    for (const { op } of own.settle(room, entities)) mark(op.entity, op.component);
  }

  // ---- what comes to nothing ----

  /** @param {Own[]} lost @param {string} reason */
  function dropAll(lost, reason) {
    for (const o of lost) own.drop(o);
    comesToNothing(lost, reason);
  }

  /** Tells what was dropped. Of a stroke that is not there nothing else is posted. @param {Own[]} lost @param {string} reason */
  function comesToNothing(lost, reason) {
    if (lost.length === 0) return;
    for (const { op } of lost) {
      questions.refused(op);
      if (op.component === COMPONENTS.stroke.number) for (const o of [...own.of(op.entity)]) own.drop(o);
      markAll(op.entity);
    }
    tell(lost.map(({ op }) => ({ entity: op.entity, component: op.component, reason })));
    sendSoon();
  }

  /** @param {Op} op @returns {false} */
  function tooMany({ entity, component }) {
    tell([{ entity, component, reason: 'too-many' }]);
    return false;
  }

  /** @param {Refusal[]} refusals */
  function tell(refusals) {
    for (const refuser of refusers) refuser(refusals);
  }

  // ---- kept in the browser ----

  /** Keeps what waits, now: the page may be left. */
  function save() {
    deps.clearTimeout(saving);
    saving = null;
    lookAfterKept();
    if (deps.sync.you !== 0) keep.save(deps.sync.you, epoch, own.save());
  }

  /** Another page that has taken over what was kept may have posted it. */
  function lookAfterKept() {
    if (keep.isTaken()) own.takenOver();
  }

  /** Takes over what other pages of this seat have left. */
  function takeOver() {
    const { ops, lost, done } = keep.found(deps.sync.you, epoch);
    for (const op of ops) {
      if (own.isFull(op.data.length)) return; // the rest is found the next time
      if (crdt.covers(room, op) || isNoted(op)) continue;
      own.add(op, { shared: true });
      mark(op.entity, op.component);
    }
    dropAll([...own.all].filter(({ op }) => classOf(op.entity) === 'piece' && !deps.sees(pieceOf(op.entity))), 'gone');
    if (lost > 0) tell(Array.from({ length: lost }, () => ({ entity: 0, component: 0, reason: 'epoch' })));
    if (ops.length === 0 || keep.save(deps.sync.you, epoch, own.save())) done();
  }

  /** @param {Op} op */
  function isNoted({ kind, entity, component, timestamp, data }) {
    return [...own.of(entity)].some(({ op }) => op.kind === kind && op.component === component && op.timestamp === timestamp && compareBytes(op.data, data) === 0);
  }

  // ---- telling ----

  /**
   * Has a function called once a frame with what is shown otherwise since the last time.
   *
   * @param {(changes: Changes) => void} f
   * @returns {() => void} ends it
   */
  function listen(f) {
    listeners.add(f);
    return () => void listeners.delete(f);
  }

  /**
   * Has a function called with what was written here and came to nothing, other than by losing.
   *
   * @param {(refusals: Refusal[]) => void} f
   * @returns {() => void} ends it
   */
  function onRefused(f) {
    refusers.add(f);
    return () => void refusers.delete(f);
  }

  /** @param {number} entity @param {number} component */
  function mark(entity, component) {
    views.delete(entity);
    if (changes.size === 0) deps.frame(flush);
    const components = changes.get(entity) ?? new Set();
    changes.set(entity, components.add(component));
  }

  /** @param {number} entity */
  function markAll(entity) {
    const bag = room.entities.get(entity);
    for (const component of [0, ...(bag?.values.keys() ?? []), ...(bag?.sets.keys() ?? [])]) mark(entity, component);
    for (const { op } of own.of(entity)) mark(entity, op.component);
  }

  function flush() {
    const told = changes;
    changes = new Map();
    for (const listener of listeners) listener(told);
  }
}

/** @typedef {ReturnType<typeof createReplica>} PageReplica */

/** @template T @param {() => T} f @returns {T | null} null if what it reads is malformed */
function attempt(f) {
  try {
    return f();
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}
