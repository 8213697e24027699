/**
 * Pieces get other names (T21).
 *
 * @module
 */

/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * Adopts the new name that a patch may have for its piece.
 *
 * @param {SyncState} state
 * @param {PiecePatch} patch
 * @param {Outcome} outcome
 * @returns {PiecePatch} the rest, by the name that the piece has now
 */
export function adoptName(state, { renamed = 0, ...patch }, outcome) {
  if (renamed === 0) return patch;
  rename(state, patch.id, renamed, outcome);
  return { ...patch, id: renamed };
}

/**
 * Moves all that is known of a piece to its new name.
 *
 * @param {SyncState} state
 * @param {number} from
 * @param {number} to
 * @param {Outcome} outcome
 */
export function rename(state, from, to, outcome) {
  const entry = state.entries.get(from);
  if (!entry || from === to) return;
  const { pieces, entering, holds } = state.view;
  rekey(state.entries, from, to, entry);
  entry.confirmed = { ...entry.confirmed, id: to };
  for (const own of entry.pending) own.piece = to;
  state.outbox.rename(from, to);
  const piece = pieces.get(from);
  if (piece) rekey(pieces, from, to, { ...piece, id: to });
  const hidden = entering.get(from);
  if (hidden) rekey(entering, from, to, { ...hidden, piece: { ...hidden.piece, id: to } });
  const held = holds.get(from);
  if (held) rekey(holds, from, to, held);
  renameIn(outcome, from, to);
  outcome.components.push({ type: 'gone', piece: from });
  if (piece) outcome.changed.add(to);
}

/**
 * @template T
 * @param {Map<number, T>} map
 * @param {number} from
 * @param {number} to
 * @param {T} value
 */
function rekey(map, from, to, value) {
  map.delete(from);
  map.set(to, value);
}

/**
 * Replaces the name of a piece in all that an outcome says so far.
 *
 * @param {Outcome} outcome
 * @param {number} from
 * @param {number} to
 */
function renameIn({ renamed, changed, gone, placed, events, motions }, from, to) {
  renamed.push({ from, to });
  const newName = (/** @type {number} */ id) => (id === from ? to : id);
  for (const set of [changed, gone, placed]) if (set.delete(from)) set.add(to);
  for (const event of events) {
    if ('piece' in event) event.piece = newName(event.piece);
    if ('pieces' in event) event.pieces = event.pieces.map(newName);
  }
  for (const paths of motions) paths.ids = paths.ids.map(newName);
}
