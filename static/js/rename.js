// A piece has another name from now on (T21): whatever the page keeps by the old one it keeps by the new one. Its element
// stays, so that nothing is seen of it.

/** @typedef {import('./state.js').State} State */

/**
 * Lets everything go over from one name to the other.
 * @param {State} s @param {number} from @param {number} to
 */
export function renamePiece(s, from, to) {
  for (const set of [s.dirty, s.shuffling, s.led, s.waiting, s.fresh]) if (set.delete(from)) set.add(to);
  /** @type {Map<number, any>[]} */
  const maps = [s.pace, s.sent, s.throws, s.dials.all, s.dials.last];
  for (const map of maps) rekey(map, from, to);
  if (s.selection.has(from)) s.selection = new Set([...s.selection].map((id) => (id === from ? to : id)));
  if (s.focus === from) s.focus = to;
  if (s.hover === from) s.hover = to;
  if (s.carry) {
    rekey(s.carry.from, from, to);
    if (s.carry.lead === from) s.carry.lead = to;
  }
  for (const seen of s.faces) if (seen.piece === from) seen.piece = to;
  s.order.rename(from, to);
  renameLying(s, from, to);
  renameShown(s, from, to);
  for (const rename of s.renames) rename(from, to);
}

/** @template T @param {Map<number, T>} map @param {number} from @param {number} to */
function rekey(map, from, to) {
  const value = map.get(from);
  if (value === undefined) return;
  map.delete(from);
  map.set(to, value);
}

/** @param {State} s @param {number} from @param {number} to */
function renameLying(s, from, to) {
  const lying = s.piles.pieces.get(from);
  if (!lying) return;
  s.piles.take(from);
  s.piles.put({ ...lying, id: to });
}

/** @param {State} s @param {number} from @param {number} to */
function renameShown(s, from, to) {
  const p = s.shown.get(from);
  if (!p) return;
  rekey(s.shown, from, to);
  p.id = to;
  p.el.setAttribute('data-piece', String(to)); // now, not with the next frame: a press before that is on it
  s.dirty.add(to);
}
