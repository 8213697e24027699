// Which of this person's requests have no outcome yet. A piece whose update waits unusually long is
// marked, so that nobody takes the update for done. Copies and additions are selected together when
// they come.

/** @typedef {import('../state.js').State} State */

/** Milliseconds after which a pending update is marked. */
const LATE = 1000;

/**
 * Only this module writes it. Others may read `since` and `late`.
 * @typedef {object} Pending
 * @property {Map<number, number>} since by piece: when its oldest pending update was made,
 *   performance.now()
 * @property {Set<number>} late pieces that are marked
 * @property {Map<number, string>} making sequences of copies and additions, with the operation
 * @property {Set<number>} fresh pieces that have come of them and are still selected together
 * @property {Set<number>} own all pieces that have come of them and are still on the table
 */

/** @returns {Pending} */
export function createPending() {
  return { since: new Map(), late: new Set(), making: new Map(), fresh: new Set(), own: new Set() };
}

/** An update of a piece is pending from now on. @param {State} s @param {number} id */
export function notePending({ pending }, id) {
  if (!pending.since.has(id)) pending.since.set(id, performance.now());
}

/**
 * A copy or an addition is pending from now on.
 * @param {State} s
 * @param {number} seq
 * @param {string} op
 */
export function noteMaking({ pending }, seq, op) {
  pending.making.set(seq, op);
}

/** Returns whether anything is pending. @param {State} s */
export function hasPending({ pending }) {
  return pending.since.size + pending.making.size > 0;
}

/**
 * Checks what is still pending, and marks what is late.
 * @param {State} s
 * @param {number} now performance.now()
 * @returns {number[]} pieces whose mark has changed
 */
export function checkPending({ sync, pending: { since, late } }, now) {
  const changed = [];
  for (const [id, from] of since) {
    if (!sync.pending(id)) {
      since.delete(id);
      if (late.delete(id)) changed.push(id);
    } else if (now - from > LATE && !late.has(id)) {
      late.add(id);
      changed.push(id);
    }
  }
  return changed;
}

/** A piece is gone. @param {State} s @param {number} id */
export function forgetPending({ pending }, id) {
  pending.since.delete(id);
  pending.late.delete(id);
  pending.own.delete(id);
}

/**
 * A request has its outcome.
 * @param {State} s
 * @param {number} seq
 * @returns {string|undefined} the operation, if it was a copy or an addition
 */
export function settleMaking({ pending }, seq) {
  const op = pending.making.get(seq);
  pending.making.delete(seq);
  return op;
}

/**
 * A copy or an addition has made a piece.
 * @param {State} s
 * @param {number} id
 * @returns {number[]} the pieces to select: this one, and those before it that are still selected
 */
export function addMade(s, id) {
  const { making, fresh } = s.pending;
  const others = [...s.input.selection].filter((other) => fresh.has(other));
  fresh.add(id);
  s.pending.own.add(id);
  if (making.size === 0) fresh.clear();
  return [...others, id];
}

/** Reports whether this page has added or copied a piece. @param {State} s @param {number} id */
export function isMadeHere({ pending }, id) {
  return pending.own.has(id);
}

/**
 * A piece has another identifier (T21).
 * @param {State} s
 * @param {number} from
 * @param {number} to
 */
export function renamePending({ pending }, from, to) {
  for (const set of [pending.late, pending.fresh, pending.own]) if (set.delete(from)) set.add(to);
  const since = pending.since.get(from);
  if (pending.since.delete(from) && since !== undefined) pending.since.set(to, since);
}
