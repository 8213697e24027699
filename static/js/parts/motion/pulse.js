// Marks a piece that somebody else has just put elsewhere: a ring in their colour that fades.

import { kindOf } from '../../view/catalog.js';
import { el, wantsStill } from '../../view/dom.js';
import { onEvent } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').SyncEvent} SyncEvent */

/** For how long the ring is shown, in milliseconds, and how many are shown at a time. */
const SHOWN = 900;
const MOST = 4;

/** Operations that put a piece somewhere. */
const LAYS = new Set(['release', 'move', 'flip', 'rotate']);

/**
 * Returns whether an event is about a piece that somebody else has put elsewhere or turned. A piece
 * that somebody still holds has the holder's colour around it already. A ring for each of its steps
 * would cost the page a layout and a paint, several times a second.
 * @param {State} s
 * @param {SyncEvent} e
 * @returns {e is Extract<SyncEvent, {type: 'update'}>}
 */
export function isPut(s, e) {
  if (e.type !== 'update' || e.by === 0 || e.by === s.sync.you || !LAYS.has(e.op)) return false;
  const piece = s.sync.pieces.get(e.piece);
  const { before } = e;
  if (!piece || !before || piece.holder !== 0) return false;
  if (kindOf(s, piece).weight === 'heavy') return false;
  return piece.x !== before.x || piece.y !== before.y || piece.face !== before.face ||
    piece.angle !== before.angle;
}

/** Marks pieces that others put elsewhere. @param {State} s */
export function bindPulse(s) {
  let shown = 0;
  onEvent(s, (e) => {
    if (!isPut(s, e) || shown >= MOST || wantsStill()) return;
    const p = s.view.shown.get(e.piece);
    const seat = s.sync.seats.get(e.by);
    if (!p || !seat) return;
    const round = p.as?.shape === 'round' ? ' round' : '';
    const ring = el(
      'span', { class: `moved ${s.view.tints.held(seat)}${round}`, 'aria-hidden': 'true' },
    );
    p.el.append(ring);
    shown++;
    const fade = ring.animate(
      { opacity: [0.95, 0], transform: ['none', 'scale(1.12)'] },
      { duration: SHOWN, easing: 'ease-in' },
    );
    fade.onfinish = fade.oncancel = () => {
      shown--;
      ring.remove();
    };
  });
}
