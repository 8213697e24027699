// The part of the page for guest sets on the table (T37 to T41). It is loaded with the first set.

import { el } from '../../view/dom.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { addIcons, icon } from '../../view/icons.js';
import { sendBlind, refusal } from '../../input/ops.js';
import { hosts, plays } from '../../rights.js';
import { nickOf } from '../../view/names.js';
import { invalidate } from '../../view/state.js';
import { onEvent } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../types.js').Guest} Guest */
/** @typedef {import('../../bars/say.js').Voice} Voice */

addIcons({
  cloud: 'M3 3l18 18M8 8a5 5 0 0 0-2 9.5h10M11 6.3A5 5 0 0 1 16.5 10a4 4 0 0 1 3.2 6',
});

/**
 * Redraws the pieces of guest sets and announces changes of the sets.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  for (const id of s.sync.sets.keys()) renew(s, id);
  onEvent(s, (event) => {
    if (event.type !== 'set') return;
    renew(s, event.id);
    announce(s, event.before, s.sync.sets.get(event.id), voice);
  });
  s.redraw();
  return () => {};
}

/** Redraws the pieces of a set. @param {State} s @param {number} set */
function renew(s, set) {
  for (const piece of s.sync.pieces.values()) if (piece.set === set) invalidate(s, piece.id);
}

/**
 * Announces that the owner of a set is unreachable, or reachable again.
 * @param {State} s
 * @param {Guest|null} before
 * @param {Guest|undefined} is
 * @param {Voice} voice
 */
function announce(s, before, is, voice) {
  if (!is || (before?.away ?? '') === is.away) return;
  voice.notice(
    is.away
      ? msg('guests.away', { nick: nickOf(s, is.by), why: reasonOf(s, is) })
      : msg('guests.back', { nick: nickOf(s, is.by) }),
  );
}

/**
 * Returns why the owner of a set is unreachable, and until when the server does not ask it again.
 * @param {State} s
 * @param {Guest} set
 */
function reasonOf(s, { away, until }) {
  const why = firstMessage([`guests.reasons.${away}`]);
  const left = Math.max(1, Math.ceil((until - s.net.serverNow()) / 60_000));
  return until > 0 ? msg('guests.again', { why, minutes: left }) : why;
}

/**
 * Returns the set of a piece if its owner is unreachable.
 * @param {State} s
 * @param {Piece} piece
 * @returns {Guest|undefined}
 */
function awayOf(s, { set = 0 }) {
  const guest = s.sync.sets.get(set);
  return guest?.away ? guest : undefined;
}

/**
 * Shows on a piece that its owner is unreachable: grey, with a sign.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawGuest(s, p, piece) {
  const guest = awayOf(s, piece);
  const old = p.el.querySelector(':scope > .awaymark');
  p.el.classList.toggle('away', guest !== undefined);
  if (!guest) old?.remove();
  else if (!old)
    p.el.append(el('span', { class: 'awaymark', 'aria-hidden': 'true' }, icon('cloud')));
  const title = guest
    ? msg('guests.away', { nick: nickOf(s, guest.by), why: reasonOf(s, guest) })
    : '';
  if (p.el.title !== title) p.el.title = title;
}

/** Returns what to say about a piece of a guest set. @param {State} s @param {Piece} piece */
export function saysOfGuest(s, piece) {
  const guest = s.sync.sets.get(piece.set ?? 0);
  if (!guest) return [];
  const whose = guest.by === s.sync.you
    ? msg('guests.yours')
    : msg('guests.of', { nick: nickOf(s, guest.by) });
  if (!guest.away) return [whose];
  return [whose, msg('guests.isAway', { why: firstMessage([`guests.reasons.${guest.away}`]) })];
}

/** Actions for the pieces of guest sets. @type {import('../../input/action.js').Action[]} */
export const visiting = [
  {
    id: 'take',
    icon: 'bag',
    key: '',
    op: 'take',
    label: () => msg('guests.take'),
    fits: (s, pieces) => pieces.filter((p) => isTakeable(s, p)),
    run: (s, pieces) => {
      const seen = new Set();
      for (const p of pieces) {
        if (!seen.has(p.set)) sendBlind(s, p.id, 'take');
        seen.add(p.set);
      }
    },
  },
];

/**
 * Reports whether this person may take the set of a piece off the table.
 * @param {State} s
 * @param {Piece} piece
 */
function isTakeable(s, piece) {
  const guest = s.sync.sets.get(piece.set ?? 0);
  return guest !== undefined && plays(s) && (hosts(s) || guest.by === s.sync.you) &&
    !refusal(s, piece, 'take');
}
