// Announces notices (T28) and presses of buttons (T84). A deck that is shuffled or cut also moves
// for a moment.

import { msg } from './msg.js';
import { kindOf } from '../../view/catalog.js';
import { wantsStill } from '../../view/dom.js';
import { nameOf, the } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { onEvent } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Notice} Notice */

/**
 * Announces notices. Those of what a button did are one sentence: who pressed it.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export function bindNotices(s, voice) {
  let presser = 0; // whose press the frame is about; 0: nobody's
  onEvent(s, (event) => {
    if ((event.type === 'update' || event.type === 'acked') && event.op === 'run') {
      presser = event.type === 'acked' ? s.sync.you : event.by;
      queueMicrotask(() => (presser = 0)); // behind the frame
      const piece = s.sync.pieces.get(event.piece);
      if (!piece || !kindOf(s, piece).button) return; // what the press has changed
      const isOwn = presser === s.sync.you;
      const who = isOwn ? msg('cards.youDid') : nickOf(s, presser);
      const text = msg('cards.notice.press', { who, button: nameOf(s, piece) });
      if (isOwn) voice.notice(text);
      else voice.caption(text); // the news say it to screen readers
      return;
    }
    if (event.type !== 'notice') return;
    const text = event.by === presser ? '' : sentenceOf(s, event);
    if (text && event.by === s.sync.you && QUIET.has(event.op)) voice.whisper(text);
    else if (text) voice.notice(text);
    if (event.op === 'shuffle' || event.op === 'cut') animateShuffle(s, event.piece);
  });
}

/** What a player does and sees is announced to their own screen reader only. */
const QUIET = new Set(['draw', 'peek']);

/**
 * Returns a notice in words; '' if there are none for it.
 * @param {State} s
 * @param {Notice} notice
 */
function sentenceOf(s, { by, op, piece: id, count, seat }) {
  const piece = s.sync.pieces.get(id);
  const what = the(piece ? nameOf(s, piece) : msg('cards.piece.unknownCard'));
  const isOpen = piece !== undefined && !kindOf(s, piece).container;
  const to = seat === 0 ? '' : seat === s.sync.you ? msg('cards.you') : nickOf(s, seat);
  const who = by === s.sync.you ? msg('cards.youDid') : nickOf(s, by);
  switch (op) {
    case 'shuffle':
      return msg('cards.notice.shuffle', { who, what });
    case 'cut':
      return msg('cards.notice.cut', { who, what });
    case 'deal':
      return msg('cards.notice.deal', { who, what, n: count });
    case 'draw':
      return msg('cards.notice.draw', { who, what, n: count });
    case 'recall':
      return msg('cards.notice.recall', { who, what, n: count });
    case 'peek':
      return isOpen || !piece
        ? msg('cards.notice.look', { who, what })
        : msg('cards.notice.peek', { who, what, n: count });
    case 'show':
      return msg('cards.notice.show', { who, what, to });
    default:
      return '';
  }
}

/** Animates the pack of a deck. @param {State} s @param {number} id */
function animateShuffle(s, id) {
  const pack = s.view.shown.get(id)?.el.querySelector(':scope > .within, :scope > .art');
  if (!pack || wantsStill()) return;
  const at = (/** @type {number} */ x, /** @type {number} */ turn) => ({
    translate: `${x}% 0`, rotate: `${turn}deg`,
  });
  pack.animate(
    [at(0, 0), at(-9, -4), at(8, 3), at(-6, -2), at(4, 1.5), at(0, 0)],
    { duration: 520, easing: 'ease-in-out' },
  );
}
