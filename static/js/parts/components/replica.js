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

import { classOf } from './entities.js';
import { receive } from './incoming.js';
import { createKeep } from './keep.js';
import { OwnOps } from './ownops.js';
import { changed, checkTakenOver, dropped, refusal, report, save } from './pendingops.js';
import { Questions } from './questions.js';
import { Shown } from './shown.js';
import { encodeMessage } from './wire.js';
import { Writing } from './writing.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./shown.js').Changes} Changes */
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
 * @property {(told: import('../../relay/components.js').News) => void} receive takes in what a
 *   frame says of components, after the page has taken in the rest of the frame
 * @property {() => void} save keeps the pending operations in the browser now, because the page may
 *   be left
 */

/**
 * What the functions of a replica share.
 *
 * @typedef {object} Replica
 * @property {Deps} deps
 * @property {OwnOps} own the pending operations
 * @property {Shown} shown
 * @property {ReturnType<typeof createKeep>} keep
 * @property {Questions} questions
 * @property {{ flush: () => void }} poster
 * @property {Set<(refusals: Refusal[]) => void>} refusers
 * @property {number} epoch of the room
 * @property {unknown} saveTimer runs until pending operations are kept in the browser
 * @property {boolean} needsFull whether the room may have dropped something that is still here. Set
 *   until the full state has arrived
 */

/**
 * @param {Deps} deps
 * @returns {PageReplica}
 */
export function createReplica(deps) {
  const { frame, storage, sync, table } = deps;
  const own = new OwnOps();
  const shown = new Shown(own, frame);
  const questions = new Questions({
    ...deps,
    stands: (entity, component) => shown.room.entities.get(entity)?.values.get(component),
  });
  const source = {
    take: () => take(replica),
    delivered: () => own.delivered(),
    failed: () => own.failed(),
    refused: (/** @type {import('../../types.js').Problem} */ problem) => refused(replica, problem),
  };
  /** @type {Replica} */
  const replica = {
    deps,
    own,
    shown,
    keep: createKeep({ storage, table, page: sync.client }),
    questions,
    poster: deps.carry(source, wayOf(sync)),
    refusers: new Set(),
    epoch: sync.epoch,
    saveTimer: null,
    needsFull: false,
  };
  const writing = new Writing(shown, questions, {
    now: deps.now,
    written: () => changed(replica),
    erasing: () => checkTakenOver(replica),
    erased: () => save(replica),
    tooMany: (op) => report(replica, [refusal(op, 'too-many')]),
  });

  return {
    get: (entity, component, n = 0) => shown.value(entity, component, n),
    elements: (entity, component) => shown.elements(entity, component),
    entities: (from, below) => shown.entities(from, below),
    pending: (entity, component, n = 0) =>
      [...own.of(entity)].some(({ op }) => !component || op.component === component.number + n),
    isDeleted: (entity) => shown.isDeleted(entity),
    waiting: () => countPending(own),
    put: (entity, component, message, n = 0) => writing.put(entity, component, message, n),
    remove: (entity, component, n = 0) => writing.remove(entity, component, n),
    append: (entity, component, message) => writing.append(entity, component, message),
    removeEntity: (entity) => writing.removeEntity(entity),
    ask: (entity, question, answer, message) => writing.ask(entity, question, answer, message),
    listen: (f) => register(shown.listeners, f),
    onRefused: (f) => register(replica.refusers, f),
    receive: (told) => receive(replica, told),
    save: () => save(replica),
  };
}

/**
 * How pending operations are posted.
 *
 * @param {Deps['sync']} sync
 * @returns {import('../../types.js').Way<Batch>}
 */
function wayOf(sync) {
  return {
    path: ({ epoch, mark }) => {
      const life = sync.life ? `&life=${sync.life}` : '';
      return `components?epoch=${epoch}&mark=${mark}&client=${sync.client}${life}`;
    },
    type: 'application/x-protobuf',
    body: ({ ops }) => encodeMessage({ ops }),
    taken: 204,
  };
}

/**
 * The next batch to post.
 *
 * @param {Replica} replica
 * @returns {Batch | null}
 */
function take(replica) {
  const { deps, epoch, own, shown } = replica;
  checkTakenOver(replica);
  for (const { op } of own.expire(deps.now())) shown.mark(op.entity, op.component);
  const batch = own.take();
  return batch && { ops: batch.ops, epoch, mark: batch.mark ?? deps.sync.mark };
}

/**
 * The batch in flight was refused whole. Drops the operation that caused it, or all of them.
 *
 * @param {Replica} replica
 * @param {import('../../types.js').Problem} problem
 * @returns {Set<number>} no pieces: a replica changes none
 */
function refused(replica, { code, update }) {
  const cause = code === 'impossible-value' ? update : undefined;
  dropped(replica, replica.own.refusedBatch(cause), code);
  return new Set();
}

/**
 * How many changes are pending, as people count them: each value, and each stroke as a whole.
 *
 * @param {OwnOps} own
 */
function countPending(own) {
  const isStroke = (/** @type {Op} */ { entity, kind }) =>
    kind === 'deleteEntity' || classOf(entity) === 'stroke';
  const nameOf = (/** @type {Op} */ op) =>
    isStroke(op) ? `${op.entity}` : `${op.entity} ${op.component}`;
  return new Set(own.lasting().map(({ op }) => nameOf(op))).size;
}

/**
 * Adds a member to a set.
 * @template T
 * @param {Set<T>} set
 * @param {T} member
 * @returns {() => void} removes it again
 */
function register(set, member) {
  set.add(member);
  return () => void set.delete(member);
}
