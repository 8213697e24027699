/**
 * The page's replica of components (docs/protocol/component.md). All code that shows or writes
 * components uses it. No DOM.
 *
 *     room   what the stream has published, merged; the same at every replica with the same view
 *     own    pending operations; shown on top at once, posted, kept in the browser
 *
 * Pending operations are posted when there is a stream, and again on the next stream, until they
 * come back, are overtaken or are refused (C17). Nobody is notified when an operation loses: that
 * is the meaning of merging.
 *
 * A key is an entity (parts/components/entities.js) and a component (parts/components/registry.js).
 * `n` counts within a run of components, such as columns.
 *
 * @module
 */

import { COMPONENTS } from './registry.js';
import { decodeMessage, EMPTY, encodeMessage } from './wire.js';
import { compareBytes } from './crdtread.js';
import { covers } from './crdt.js';
import { classOf, entityOfPiece, pieceOf } from './entities.js';
import { createKeep } from './keep.js';
import { OwnOps } from './ownops.js';
import { Questions } from './questions.js';
import { attempt, Shown } from './shown.js';
import { Writing } from './writing.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./ownops.js').Own} Own */
/** @typedef {import('./shown.js').Changes} Changes */
/** @typedef {import('../../types.js').ComponentNews} ComponentNews */
/** @template V @typedef {import('./registry.js').Component<V>} Component */
/** @template A @typedef {import('./questions.js').Asked<A>} Asked */

/**
 * An operation of this page was dropped, and not because it lost.
 *
 * @typedef {object} Refusal
 * @property {number} entity
 * @property {number} component its number; 0 if the operation deletes an entity
 * @property {string} reason a reason of C11; `epoch`: the table was restored to an older state
 *   (T19); `too-many`: too many operations are pending; or the code of a problem (http.md)
 */

/**
 * A message in flight, with the epoch and the version at which it was made (C17).
 * @typedef {{ ops: Op[], epoch: number, mark: number }} Batch
 */

/**
 * What a replica needs of the page. In the browser parts/components/components.js provides it.
 *
 * @typedef {object} Deps
 * @property {{ client: string, you: number, epoch: number, mark: number, life?: string }} sync as
 *   in types.js
 * @property {(piece: number) => boolean} sees returns whether the view has a piece of that
 *   identifier
 * @property {(kind: number) => boolean | null} isPrivate returns whether pieces of a kind are
 *   private (T23); null: not known yet
 * @property {import('../../types.js').Net['carry']} carry
 * @property {() => void} resync asks for the full state
 * @property {() => import('./keep.js').Store} storage returns the store of the browser; it may
 *   throw, and so may what it returns
 * @property {string} table
 * @property {(f: () => void) => void} frame calls a function once, when the next frame is drawn
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} now returns milliseconds
 */

/**
 * The replica of one page.
 *
 * @typedef {object} PageReplica
 * @property {<V>(entity: number, component: Component<V>, n?: number) => V | null} get returns a
 *   value as it is shown; null if there is none. It returns the same object while the value does
 *   not change
 * @property {<V>(entity: number, component: Component<V>) => V[]} elements returns the elements of
 *   a set as they are shown, ascending. An element that does not change stays the same object
 * @property {(from: number, below: number) => number[]} entities returns the entities of which
 *   anything is shown, ascending
 * @property {(entity: number, component?: Component<any>, n?: number) => boolean} pending returns
 *   whether something shown of it is not in the room, or may not be
 * @property {(entity: number) => boolean} isDeleted returns whether an entity is permanently
 *   deleted, as it is shown (C5)
 * @property {() => number} waiting returns how many changes are not in the room, or may not be, as
 *   people count them: each value, and each stroke as a whole. Changes that expire, such as a ping
 *   or a question, do not count
 * @property {<V>(entity: number, component: Component<V>, message: V, n?: number) => boolean} put
 *   sets a value. Returns whether it could be written. It cannot if the entity is deleted, if the
 *   timestamps are used up, or if too many operations are pending; the last is reported as a
 *   refusal. Throws RangeError if such an entity has no such component, or if the message is too
 *   large
 * @property {(entity: number, component: Component<any>, n?: number) => boolean} remove deletes a
 *   value, otherwise as `put`
 * @property {<V>(entity: number, component: Component<V>, message: V) => boolean} append adds an
 *   element to a set, otherwise as `put`
 * @property {(entity: number) => boolean} removeEntity deletes a stroke permanently, or all strokes
 *   from before a second (`clearing` of parts/components/entities.js, C16); otherwise as `put`
 * @property {<Q, A>(entity: number, question: Component<Q>, answer: Component<A>, message: Q) =>
 *   Promise<Asked<A>>} ask asks a question and waits 10 s for the answer (C18). Throws as `put`
 *   does
 * @property {(f: (changes: Changes) => void) => () => void} listen registers a function that is
 *   called once a frame with the changes of the displayed state. Returns a function that removes it
 * @property {(f: (refusals: Refusal[]) => void) => () => void} onRefused registers a function that
 *   is called with the operations that were dropped. Returns a function that removes it
 * @property {(told: import('../../relay/components.js').Told) => void} receive takes in what a
 *   frame says of components, after the page has taken in the rest of the frame
 * @property {() => void} save keeps the pending operations in the browser now, because the page may
 *   be left
 */

/**
 * Milliseconds after which a pending operation is kept in the browser. When the page is left it is
 * kept at once.
 */
const SOON = 250;

/** Reasons why an operation was refused (C11), by number. */
const REASONS = ['unspecified', 'not-allowed', 'gone', 'timestamp', 'full', 'unknown'];

/**
 * @param {Deps} deps
 * @returns {PageReplica}
 */
export function createReplica(deps) {
  const { sync } = deps;
  let { epoch } = sync;
  const own = new OwnOps();
  const shown = new Shown(own, deps.frame);
  const keep = createKeep({ storage: deps.storage, table: deps.table, page: sync.client });
  const questions = new Questions({
    ...deps,
    stands: (entity, component) => shown.room.entities.get(entity)?.values.get(component),
  });
  /** @type {Set<(refusals: Refusal[]) => void>} */
  const refusers = new Set();
  /** @type {unknown} timer that keeps pending operations */
  let saving = null;
  /**
   * Whether the room may have dropped something that is still here. Set until the full state has
   * arrived.
   */
  let doubt = false;

  const poster = deps.carry(
    { take, delivered: () => own.delivered(), failed: () => own.failed(), refused },
    {
      path: (/** @type {Batch} */ made) =>
        `components?epoch=${made.epoch}&mark=${made.mark}&client=${sync.client}${sync.life ? `&life=${sync.life}` : ''}`,
      type: 'application/x-protobuf',
      body: (/** @type {Batch} */ { ops }) => encodeMessage({ ops }),
      taken: 204,
    },
  );
  const writing = new Writing(shown, questions, {
    now: deps.now,
    written,
    erasing: heedOthers,
    erased: save,
    tooMany: (op) => tell([refusal(op, 'too-many')]),
  });

  return {
    get: (entity, component, n = 0) => shown.value(entity, component, n),
    elements: (entity, component) => shown.elements(entity, component),
    entities: (from, below) => shown.entities(from, below),
    pending: (entity, component, n = 0) =>
      [...own.of(entity)].some(({ op }) => !component || op.component === component.number + n),
    isDeleted: (entity) => shown.isDeleted(entity),
    waiting: () =>
      new Set(
        own
          .lasting()
          .map(({ op }) => (isStroke(op) ? `${op.entity}` : `${op.entity} ${op.component}`)),
      ).size,
    put: (entity, component, message, n = 0) => writing.put(entity, component, message, n),
    remove: (entity, component, n = 0) => writing.remove(entity, component, n),
    append: (entity, component, message) => writing.append(entity, component, message),
    removeEntity: (entity) => writing.removeEntity(entity),
    ask: (entity, question, answer, message) => writing.ask(entity, question, answer, message),
    listen: (f) => ends(shown.listeners, f),
    onRefused: (f) => ends(refusers, f),
    receive,
    save,
  };

  // ---- posting ----

  /** Something has to be posted, and to be kept until it is answered. */
  function written() {
    poster.flush();
    saving ??= deps.setTimeout(save, SOON);
  }

  /** @returns {Batch | null} */
  function take() {
    heedOthers();
    for (const { op } of own.expire(deps.now())) shown.mark(op.entity, op.component);
    const batch = own.take();
    return batch && { ops: batch.ops, epoch, mark: batch.mark ?? sync.mark };
  }

  /**
   * The batch in flight was refused whole. Drops the operation that caused it, or all of them.
   * @param {import('../../types.js').Problem} problem
   */
  function refused({ code, update }) {
    comesToNothing(own.refusedWhole(code === 'impossible-value' ? update : undefined), code);
    return new Set();
  }

  // ---- receiving ----

  /** @param {import('../../relay/components.js').Told} told */
  function receive({ full, resumed, components }) {
    const before = own.all.size;
    for (const news of components) hear(news);
    // the answer to the last request was lost with the last stream
    if (resumed && doubt) deps.resync();
    if (full || resumed) {
      own.again();
      takeOver();
    }
    if (before + own.all.size > 0) written();
  }

  /** @param {ComponentNews} news */
  function hear(news) {
    switch (news.type) {
      case 'full':
        renew(news);
        break;
      case 'components':
        merge(opsIn(news.components));
        break;
      case 'refused':
        comesToNothing(own.refused(news), REASONS[news.reason] ?? REASONS[0]);
        break;
      case 'gone':
        shed(news.piece);
        break;
      case 'passed':
        pass(news.piece, deps.isPrivate(news.kind));
        break;
    }
  }

  /** @param {Op[]} ops */
  function merge(ops) {
    for (const op of ops) {
      shown.merge(op);
      questions.look(op);
    }
    const deletes = ops.some(({ kind }) => kind === 'deleteEntity');
    settle(deletes ? undefined : new Set(ops.map(({ entity }) => entity)));
  }

  /**
   * Replaces everything that is known of the room.
   * @param {import('../../types.js').FullEvent} full
   */
  function renew({ epoch: now, components = EMPTY }) {
    if (epoch !== 0 && now !== epoch) drop([...own.all], 'epoch');
    epoch = now;
    doubt = false;
    shown.renew(opsIn(components));
    questions.look();
    settle();
    dropUnseen();
  }

  /** Drops the labels of a piece (C15). @param {number} piece */
  function shed(piece) {
    const entity = entityOfPiece(piece);
    shown.forget(entity);
    drop([...own.of(entity)], 'gone');
  }

  /**
   * A piece has another owner or team. Drops its labels if it is private (C15). Asks for the full
   * state if it is unknown whether it is private.
   *
   * @param {number} piece
   * @param {boolean | null} isPrivate
   */
  function pass(piece, isPrivate) {
    if (isPrivate) shed(piece);
    if (isPrivate !== null || !shown.room.entities.has(entityOfPiece(piece))) return;
    doubt = true;
    deps.resync();
  }

  /** @param {Iterable<number>} [entities] where something has changed; missing: everywhere */
  function settle(entities) {
    for (const { op } of own.settle(shown.room, entities)) shown.mark(op.entity, op.component);
  }

  // ---- dropped operations ----

  /** @param {Own[]} lost @param {string} reason */
  function drop(lost, reason) {
    for (const o of lost) own.drop(o);
    comesToNothing(lost, reason);
  }

  /** Drops operations on pieces that are gone or were renamed (C15). */
  function dropUnseen() {
    const isUnseen = (/** @type {Own} */ { op }) =>
      classOf(op.entity) === 'piece' && !deps.sees(pieceOf(op.entity));
    drop([...own.all].filter(isUnseen), 'gone');
  }

  /**
   * Reports dropped operations. If a stroke was dropped, its other operations are dropped, too.
   * @param {Own[]} lost
   * @param {string} reason
   */
  function comesToNothing(lost, reason) {
    if (lost.length === 0) return;
    for (const { op } of lost) {
      questions.refused(op);
      if (op.component === COMPONENTS.stroke.number)
        for (const o of [...own.of(op.entity)]) own.drop(o);
      if (op.kind === 'deleteEntity') shown.markWithin(op);
      shown.markAll(op.entity);
      shown.mark(op.entity, op.component);
    }
    tell(lost.map(({ op }) => refusal(op, reason)));
    written();
  }

  /** @param {Refusal[]} refusals */
  function tell(refusals) {
    for (const refuser of refusers) refuser(refusals);
  }

  // ---- kept in the browser ----

  function save() {
    deps.clearTimeout(saving);
    saving = null;
    heedOthers();
    if (sync.you !== 0) note();
  }

  /** Keeps the lasting operations in the browser. @returns {boolean} whether that worked */
  function note() {
    const kept = own.lasting();
    const isKept = keep.save(
      sync.you,
      epoch,
      kept.map(({ op, mark }) => ({ op, mark: mark ?? sync.mark })),
    );
    if (isKept) own.saved(kept);
    return isKept;
  }

  /** Another page that has taken over the kept operations may have posted them. */
  function heedOthers() {
    if (keep.isTaken()) own.takenOver();
  }

  /** Takes over what other pages of this seat have left. */
  function takeOver() {
    const { kept, lost, done } = keep.found(sync.you, epoch);
    for (const { op, mark } of kept) {
      if (covers(shown.room, op) || isNoted(op)) continue;
      if (own.isFull(op.data.length)) return; // it will be found again
      own.add(op, { mark });
      shown.mark(op.entity, op.component);
      if (op.kind === 'deleteEntity') shown.markWithin(op);
    }
    dropUnseen();
    if (lost > 0)
      tell(Array.from({ length: lost }, () => ({ entity: 0, component: 0, reason: 'epoch' })));
    // the entries of other pages stay
    if (kept.length > 0 && own.lasting().length > 0 && !note()) return;
    done();
  }

  /** @param {Op} op */
  function isNoted({ kind, entity, component, timestamp, data }) {
    const is = (/** @type {Own} */ { op }) =>
      op.kind === kind && op.component === component && op.timestamp === timestamp;
    return [...own.of(entity)].some((o) => is(o) && compareBytes(o.op.data, data) === 0);
  }
}

/** Decodes a message; returns no operations if it is malformed. @param {Uint8Array} message */
function opsIn(message) {
  return attempt(() => decodeMessage(message).ops) ?? [];
}

/** @param {Op} op */
function isStroke({ entity, kind }) {
  return kind === 'deleteEntity' || classOf(entity) === 'stroke';
}

/** @param {Op} op @param {string} reason @returns {Refusal} */
function refusal({ entity, component }, reason) {
  return { entity, component, reason };
}

/**
 * Adds a member to a set.
 * @template T
 * @param {Set<T>} set
 * @param {T} member
 * @returns {() => void} removes it again
 */
function ends(set, member) {
  set.add(member);
  return () => void set.delete(member);
}
