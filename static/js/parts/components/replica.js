/**
 * The page's replica of components (docs/protocol/component.md). Whoever shows or writes components does it through this. No DOM.
 *
 *     room   what the stream has told, merged                            the same at every replica whose view is the same
 *     own    what was written here and is neither there nor refused      shown on top at once, posted, kept in the browser
 *
 * What is written is posted when there is a stream, and again on the next one, until it comes back, is overtaken or refused (C17). Losing
 * is not told: that is what merging means.
 *
 * A key is an entity (parts/components/entities.js) and a component (parts/components/registry.js); `n` counts within a run of components, such as columns.
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
 * Something that was written here came to nothing, other than by losing.
 *
 * @typedef {object} Refusal
 * @property {number} entity
 * @property {number} component its number; 0 if the entity was to be deleted
 * @property {string} reason as C11 names them; `epoch`: history was restored to an older state (T19); `too-many`: more waits than may; or the code
 *   of a problem (http.md)
 */

/** A message on its way, with the epoch and the mark at which it was made (C17). @typedef {{ ops: Op[], epoch: number, mark: number }} Batch */

/**
 * What a replica needs of the page. The browser's: parts/components/components.js.
 *
 * @typedef {object} Deps
 * @property {{ client: string, you: number, epoch: number, mark: number, life?: string }} sync as in types.js
 * @property {(piece: number) => boolean} sees whether the view has a piece of that name
 * @property {(kind: number) => boolean | null} isPrivate whether pieces of a kind are private (T23); null: nobody knows yet
 * @property {import('../../types.js').Net['carry']} carry
 * @property {() => void} resync asks for the full state
 * @property {() => import('./keep.js').Store} storage of the browser; it may throw, and so may what it returns
 * @property {string} table
 * @property {(f: () => void) => void} frame does something once, when the next frame is drawn
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} now in milliseconds
 */

/**
 * The replica of one page.
 *
 * @typedef {object} PageReplica
 * @property {<V>(entity: number, component: Component<V>, n?: number) => V | null} get a value as it is shown; null if there is none. As long as
 *   it does not change the same object is returned
 * @property {<V>(entity: number, component: Component<V>) => V[]} elements the elements of a set as they are shown, ascending. As long as one
 *   stays the same object is returned
 * @property {(from: number, below: number) => number[]} entities the entities of which anything is shown, ascending
 * @property {(entity: number, component?: Component<any>, n?: number) => boolean} pending whether what is shown of it is not, or not surely, in
 *   the room
 * @property {(entity: number) => boolean} isDeleted whether an entity is deleted for good, as it is shown (C5)
 * @property {() => number} waiting how many changes are not, or not surely, in the room, as people count them: values, and strokes as wholes. What is
 *   of the moment, a ping or a question, is none
 * @property {<V>(entity: number, component: Component<V>, message: V, n?: number) => boolean} put sets a value. Returns whether it could be
 *   written: not on what is deleted, nor if too much waits, which is told as a refusal. Throws RangeError if such an entity has no such component,
 *   or the message is too large
 * @property {(entity: number, component: Component<any>, n?: number) => boolean} remove deletes a value, otherwise as `put`
 * @property {<V>(entity: number, component: Component<V>, message: V) => boolean} append adds an element to a set, otherwise as `put`
 * @property {(entity: number) => boolean} removeEntity deletes a stroke for good, or all strokes from before a second (`clearing` of parts/components/entities.js,
 *   C16); otherwise as `put`
 * @property {<Q, A>(entity: number, question: Component<Q>, answer: Component<A>, message: Q) => Promise<Asked<A>>} ask puts a question, and
 *   waits 10 s for the answer (C18). Throws as `put` does
 * @property {(f: (changes: Changes) => void) => () => void} listen has f called once a frame with what is shown otherwise. Returns what ends it
 * @property {(f: (refusals: Refusal[]) => void) => () => void} onRefused has f called with what came to nothing. Returns what ends it
 * @property {(told: import('../../relay/components.js').Told) => void} receive takes in what a frame tells, when all else of the frame is as it leaves it
 * @property {() => void} save keeps what waits in the browser, now: the page may be left
 */

/** Milliseconds after which what was written is kept in the browser. A page that is left keeps it at once. */
const SOON = 250;

/** Why an operation was refused (C11), by number. */
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
  /** @type {unknown} until what waits is kept */
  let saving = null;
  /** Whether the room has no longer what it has here, perhaps: until the full state has come. */
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

  // ---- what goes up ----

  /** Something is to be posted, and to be kept until it is answered. */
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

  /** The batch in flight was refused whole: what was wrong with it goes. @param {import('../../types.js').Problem} problem */
  function refused({ code, update }) {
    comesToNothing(own.refusedWhole(code === 'impossible-value' ? update : undefined), code);
    return new Set();
  }

  // ---- what comes down ----

  /** @param {import('../../relay/components.js').Told} told */
  function receive({ full, resumed, components }) {
    const before = own.all.size;
    for (const news of components) hear(news);
    if (resumed && doubt) deps.resync(); // it was lost with the last stream
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

  /** The room has this and nothing else. @param {import('../../types.js').FullEvent} full */
  function renew({ epoch: now, components = EMPTY }) {
    if (epoch !== 0 && now !== epoch) drop([...own.all], 'epoch');
    epoch = now;
    doubt = false;
    shown.renew(opsIn(components));
    questions.look();
    settle();
    dropUnseen();
  }

  /** What is written on a piece is gone (C15). @param {number} piece */
  function shed(piece) {
    const entity = entityOfPiece(piece);
    shown.forget(entity);
    drop([...own.of(entity)], 'gone');
  }

  /**
   * The owner or the team of a piece is another: what is written on a private one is gone (C15). The full state says it if nobody knows whether
   * it is one.
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

  /** @param {Iterable<number>} [entities] where something has changed; missing: anywhere */
  function settle(entities) {
    for (const { op } of own.settle(shown.room, entities)) shown.mark(op.entity, op.component);
  }

  // ---- what comes to nothing ----

  /** @param {Own[]} lost @param {string} reason */
  function drop(lost, reason) {
    for (const o of lost) own.drop(o);
    comesToNothing(lost, reason);
  }

  /** Drops what was written on pieces that are not there any more, or have another name (C15). */
  function dropUnseen() {
    const isUnseen = (/** @type {Own} */ { op }) =>
      classOf(op.entity) === 'piece' && !deps.sees(pieceOf(op.entity));
    drop([...own.all].filter(isUnseen), 'gone');
  }

  /** Tells what was dropped. Of a stroke that is not there nothing else is posted. @param {Own[]} lost @param {string} reason */
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

  /** Notes what is worth it. @returns {boolean} whether that could be done */
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

  /** Another page that has taken over what was kept may have posted it. */
  function heedOthers() {
    if (keep.isTaken()) own.takenOver();
  }

  /** Takes over what other pages of this seat have left. */
  function takeOver() {
    const { kept, lost, done } = keep.found(sync.you, epoch);
    for (const { op, mark } of kept) {
      if (covers(shown.room, op) || isNoted(op)) continue;
      if (own.isFull(op.data.length)) return; // it is found again
      own.add(op, { mark });
      shown.mark(op.entity, op.component);
      if (op.kind === 'deleteEntity') shown.markWithin(op);
    }
    dropUnseen();
    if (lost > 0)
      tell(Array.from({ length: lost }, () => ({ entity: 0, component: 0, reason: 'epoch' })));
    if (kept.length > 0 && own.lasting().length > 0 && !note()) return; // it stays where it is
    done();
  }

  /** @param {Op} op */
  function isNoted({ kind, entity, component, timestamp, data }) {
    const is = (/** @type {Own} */ { op }) =>
      op.kind === kind && op.component === component && op.timestamp === timestamp;
    return [...own.of(entity)].some((o) => is(o) && compareBytes(o.op.data, data) === 0);
  }
}

/** What a message says; nothing if it cannot be read. @param {Uint8Array} message */
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

/** @template T @param {Set<T>} set @param {T} member @returns {() => void} takes it out again */
function ends(set, member) {
  set.add(member);
  return () => void set.delete(member);
}
