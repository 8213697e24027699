// A piece has a new identifier (T21). Whatever the page keeps by the old one moves to the new one.

import { renameDrawn } from './view/state.js';
import { renameFaces } from './relay/faces.js';
import { renameInput } from './input/state.js';
import { renamePending } from './input/pending.js';

/**
 * Moves everything from one identifier to the other.
 * @param {import('./state.js').State} s
 * @param {number} from
 * @param {number} to
 */
export function renamePiece(s, from, to) {
  renamePending(s, from, to);
  renameInput(s, from, to);
  renameFaces(s, from, to);
  renameDrawn(s, from, to);
  for (const renamed of s.listeners.renamed) renamed(from, to);
}
