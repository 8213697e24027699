// Suggests to the host, once, to shuffle the deck of a new table when somebody else has come. The
// server alone chose the shuffle that set up the table (docs/fairness.md). The suggestion is a line
// with two buttons at the edge. Nothing waits for an answer.

import { el, on } from '../../view/dom.js';
import { msg } from './msg.js';
import { firstPiece, focusOn } from '../../input/select.js';
import { hosts } from '../../rights.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */

/** The key under which the browser remembers that there was an answer. */
const ANSWERED = 'holt.suggested';

/**
 * Creates the suggestion.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {{ offer: (is: boolean) => void, stop: () => void }} `offer` says whether a shuffle
 *   would make the draws fairer
 */
export function bindSuggestion(s, voice) {
  let wanted = false;
  let answered = remembered();
  const shuffle = el(
    'button', { class: 'primary', onclick: () => answer(true) },
    msg('fairness.shuffle'),
  );
  const notNow = el(
    'button', { class: 'secondary', onclick: () => answer(false) },
    msg('fairness.notNow'),
  );
  const answers = el('div', { class: 'answers' }, shuffle, notNow);
  const box = el(
    'div', { class: 'hint', role: 'group', 'aria-label': msg('fairness.suggestion'), hidden: true },
    el('p', {}, msg('fairness.suggest')), answers,
  );
  s.page.hint.after(box);

  const draw = () => {
    // One thing at a time: newcomers read the first hint before this one.
    const shown = wanted && !answered && hosts(s) && s.page.hint.hidden && deckOf(s) !== null;
    if (shown !== box.hidden) return;
    if (!shown) leave();
    box.hidden = !shown;
    if (shown) voice.whisper(`${msg('fairness.suggest')} ${msg('fairness.suggested')}`);
  };

  /** @param {boolean} yes */
  function answer(yes) {
    const deck = deckOf(s);
    answered = true;
    remember();
    again();
    if (yes && deck) s.parts.abilities?.take(s, [deck.piece], deck.offer, voice);
  }

  /** Moves the focus from the suggestion to the deck before the suggestion disappears. */
  function leave() {
    if (!box.contains(document.activeElement)) return;
    focusOn(s, decksOf(s)[0]?.piece.id ?? firstPiece(s), true);
  }

  function again() {
    redrawBars(s);
  }

  drawWithBars(s, draw);
  return {
    offer: (is) => {
      wanted = is;
      again();
    },
    stop: on(s.page.hint, 'click', again),
  };
}

/** Returns what can be shuffled. @param {State} s */
function decksOf(s) {
  const { abilities } = s.parts;
  if (!abilities) return [];
  return [...s.sync.pieces.values()].flatMap((piece) => {
    const offer = abilities.offersOf(s.catalog, piece.kind).find((o) => o.op === 'shuffle');
    return offer && !abilities.hindrance(s, piece, offer) ? [{ piece, offer }] : [];
  });
}

/**
 * Returns the only deck with cards. If there are several it returns null: only people know which of
 * them belong together.
 * @param {State} s
 */
function deckOf(s) {
  const all = decksOf(s);
  return all.length === 1 ? all[0] : null;
}

function remembered() {
  try {
    return localStorage.getItem(ANSWERED) === '1';
  } catch {
    return true; // without a store it would come back at each table
  }
}

function remember() {
  try {
    localStorage.setItem(ANSWERED, '1');
  } catch {
    // At least it does not come back on this page.
  }
}
