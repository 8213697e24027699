// Actions for cards in this person's own hand: playing and sorting them.

import { allowed } from '../../input/action.js';
import { msg } from './msg.js';
import { cardsIn, closeUp, handAt, handsOf, play, sort } from './hand.js';
import { maskOf } from '../../input/ops.js';
import { phrase } from '../../reasons.js';
import { select } from '../../input/select.js';
import { isHand, isInMyHand, isMine } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../input/action.js').Action} Action */

/** The most used actions for cards of a hand. @type {Action[]} */
export const playing = [
  {
    id: 'play',
    icon: 'playUp',
    key: 'O',
    op: 'move',
    label: () => msg('cards.actions.play'),
    fits: playable,
    run: (s, pieces, voice) => playOut(s, pieces, false, voice),
  },
  {
    id: 'playDown',
    icon: 'playDown',
    key: '⇧O',
    keys: 'Shift+O',
    op: 'move',
    label: () => msg('cards.actions.playDown'),
    fits: playable,
    run: (s, pieces, voice) => playOut(s, pieces, true, voice),
  },
];

/** @type {Action[]} */
export const sorting = [
  {
    id: 'sort',
    icon: 'sort',
    key: '⇧E',
    keys: 'Shift+E',
    op: 'move',
    none: 'noCards',
    label: () => msg('cards.actions.sort'),
    fits: (s, pieces) => (targetHands(s, pieces).some((h) => cardsIn(s, h).length > 1)
      ? pieces
      : []),
    run: (s, pieces, voice) => {
      for (const h of targetHands(s, pieces)) voice.whisper(msg(`cards.sorted.${sort(s, h)}`));
    },
  },
];

/**
 * Returns the hands that pieces refer to, if this person sees into them: the pieces themselves if
 * all are hands, or else the one hand in which all of them lie.
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function targetHands(s, pieces) {
  if (pieces.every((p) => isHand(s, p))) return pieces.filter((p) => isMine(s, p));
  const hands = new Set(pieces.map((p) => (isInMyHand(s, p) ? handAt(s, p) : undefined)));
  const [hand] = hands;
  return hands.size === 1 && hand ? [hand] : [];
}

/**
 * Returns those of these pieces that can be played from this person's own hand.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function playable(s, pieces) {
  return allowed('move')(s, pieces).filter((p) => isInMyHand(s, p) && maskOf(s, p) >= 0);
}

/**
 * Plays cards from the hand.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {boolean} down
 * @param {Voice} voice
 */
function playOut(s, pieces, down, voice) {
  const hands = new Set(pieces.flatMap((p) => handAt(s, p) ?? []));
  const what = phrase(s, pieces);
  play(s, pieces, down);
  for (const h of hands) if (handsOf(s).includes(h)) closeUp(s, h);
  select(s, []);
  voice.whisper(down ? msg('cards.playedDown', { what }) : msg('cards.played', { what }));
}
