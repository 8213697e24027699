// Whose turn it is according to a turn marker (T35): shown in the list of people, and announced
// when it changes.

import { kindAt } from '../../view/catalog.js';
import { msg } from './msg.js';
import { nickOf } from '../../view/names.js';
import { drawWithBars, invalidateBars } from '../../bars/state.js';
import { onEvent } from '../../listeners.js';
import { refusal, sendBlind } from '../../input/ops.js';
import { hosts, plays } from '../../rights.js';
import { isPlayer } from '../../roles.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_LABELS = {
  assign: {
    takesPiece: true,
    icon: ({ with: fixed }) => (fixed?.seat === 0 ? 'free' : 'seat'),
    check: (_s, { owner }, _k, { with: fixed }) =>
      fixed?.seat === 0 && owner === 0 ? 'nobodys' : '',
  },
  pass: {
    icon: 'pass',
    isMain: true,
    check: (s, piece) => (mayPass(s, piece) ? '' : 'othersTurn'),
  },
};

/**
 * Returns whether this person may pass on the turn that a marker shows (T82): it is theirs, they
 * are a host, or it is the turn of nobody who plays.
 * @param {State} s
 * @param {Piece} piece
 */
function mayPass(s, { owner }) {
  return owner === s.sync.you || hosts(s) || !isPlayer(s.sync.seats.get(owner));
}

/**
 * Returns the seats whose turn it is. The set is empty without a turn marker, or if nobody owns it.
 * @param {State} s
 * @returns {Set<number>}
 */
export function seatsToMove(s) {
  const seats = new Set();
  if (!s.catalog.kinds.some((k) => k.seat === 'turn')) return seats;
  for (const { kind, owner } of s.sync.pieces.values()) {
    if (owner !== 0 && kindAt(s.catalog, kind).seat === 'turn' && s.sync.seats.has(owner))
      seats.add(owner);
  }
  return seats;
}

/**
 * Returns the turn markers that this person passes by "Next turn": those that say that it is their
 * turn, or, for hosts, all that belong to somebody.
 * @param {State} s
 * @returns {Piece[]}
 */
export function turnsToPass(s) {
  if (!plays(s)) return [];
  return [...s.sync.pieces.values()].filter((piece) =>
    kindAt(s.catalog, piece.kind).seat === 'turn' && piece.owner !== 0 &&
    (piece.owner === s.sync.you || hosts(s)) && refusal(s, piece, 'pass') === null);
}

/** Passes the turn to the next one (T35). @param {State} s */
export function passTurn(s) {
  for (const piece of turnsToPass(s)) sendBlind(s, piece.id, 'pass');
}

/** How long a phone vibrates when it becomes this person's turn, and pauses, in ms. */
const BUZZ = [120, 80, 120];

/**
 * Announces whose turn it is when that changes.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export function bindTurn(s, voice) {
  /** @type {Set<number>|null} null before the table is loaded */
  let before = null;
  onEvent(s, (event) => {
    const kind = event.type === 'update' ? s.sync.pieces.get(event.piece)?.kind : undefined;
    if (kind !== undefined && kindAt(s.catalog, kind).seat === 'turn') invalidateBars(s);
  });
  drawWithBars(s, () => {
    if (!s.ready) return;
    const now = seatsToMove(s);
    const fresh = [...now].filter((seat) => before !== null && !before.has(seat));
    before = now;
    if (fresh.includes(s.sync.you) && !s.bars.isStill) navigator.vibrate?.(BUZZ);
    for (const seat of fresh)
      voice.notice(
        seat === s.sync.you
          ? msg('abilities.yourTurn')
          : msg('abilities.turnOf', { nick: nickOf(s, seat) }),
      );
  });
}
