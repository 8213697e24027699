// The part of the page for components that merge (docs/protocol/component.md): labels on pieces, the score sheet, drawings, settings, and
// questions to the server. It has the replica, and what reads and writes it needs: other parts of the page reach all of it through here,
// as s.parts.shared or by s.load('shared').

import { kindAt } from './catalog.js';
import { all, on } from './dom.js';
import { createReplica } from './replica.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./replica.js').PageReplica} PageReplica */

export { COMPONENTS, FORMS } from './components.js';
export * as entities from './entities.js';

/** What is written at the table. Set when the part is bound. @type {PageReplica} */
export let replica;

/**
 * @param {State} s
 * @returns {() => void} stops
 */
export function bind(s) {
  replica = createReplica({
    sync: s.sync,
    table: s.table,
    sees: (piece) => s.sync.pieces.has(piece) || s.sync.entering.has(piece),
    isPrivate: (kind) => isPrivate(s, kind),
    carry: s.net.carry,
    resync: s.net.resync,
    storage: () => localStorage,
    frame: (f) => requestAnimationFrame(f),
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    now: Date.now,
  });
  s.share(replica.receive);
  return all(on(window, 'pagehide', replica.save), on(document, 'visibilitychange', replica.save));
}

/** Whether pieces of a kind are private (T23); null before the catalogue has come. @param {State} s @param {number} kind */
function isPrivate({ catalog }, kind) {
  if (catalog.kinds.length === 0) return null;
  const k = kindAt(catalog, kind);
  return k.secret || catalog.masks.has(kind) || (k.private === true && !k.seat);
}
