// Suggests to the host, once, to shuffle the deck of a new table when somebody else has come: the shuffle that has set it up was the
// server's alone (docs/fairness.md). A line with two buttons at the edge; nothing waits for an answer.

import { el, on } from '../../view/dom.js';
import { fairnesstells } from './words.js';
import { firstPiece, focusOn } from '../../input/select.js';
import { hosts } from '../../state.js';

/** @typedef {import('../../state.js').State} State */

/** Where it is remembered that an answer was given. */
const ANSWERED = 'holt.suggested';

/**
 * @param {State} s @param {import('../../bars/say.js').Voice} voice
 * @returns {{ offer: (is: boolean) => void, stop: () => void }} `offer` says whether a shuffle makes sense, as far as the lot goes
 */
export function bindSuggestion(s, voice) {
  const t = fairnesstells;
  let wanted = false;
  let answered = remembered();
  const shuffle = el('button', { type: 'button', class: 'primary', onclick: () => answer(true) }, t.shuffle);
  const notNow = el('button', { type: 'button', class: 'secondary', onclick: () => answer(false) }, t.notNow);
  const answers = el('div', { class: 'answers' }, shuffle, notNow);
  const box = el('div', { class: 'hint', role: 'group', 'aria-label': t.suggestion, hidden: true }, el('p', {}, t.suggest), answers);
  s.page.hint.after(box);

  const draw = () => {
    // One thing at a time: whoever is here for the first time reads that line first.
    const shown = wanted && !answered && hosts(s) && s.page.hint.hidden && deckOf(s) !== null;
    if (shown !== box.hidden) return;
    if (!shown) leave();
    box.hidden = !shown;
    if (shown) voice.whisper(`${t.suggest} ${t.suggested}`);
  };

  /** @param {boolean} yes */
  function answer(yes) {
    const deck = deckOf(s);
    answered = true;
    remember();
    again();
    if (yes && deck) s.parts.abilities?.take(s, [deck.piece], deck.offer, voice);
  }

  /** Gives the focus that is here to the deck, before this goes. */
  function leave() {
    if (!box.contains(document.activeElement)) return;
    focusOn(s, decksOf(s)[0]?.piece.id ?? firstPiece(s), true);
  }

  function again() {
    s.dirtyBars = true;
    s.redraw();
  }

  s.bars.push(draw);
  return {
    offer: (is) => {
      wanted = is;
      again();
    },
    stop: on(s.page.hint, 'click', again),
  };
}

/** What can be shuffled. @param {State} s */
function decksOf(s) {
  const { abilities } = s.parts;
  if (!abilities) return [];
  return [...s.sync.pieces.values()].flatMap((piece) => {
    const offer = abilities.offersOf(s.catalog, piece.kind).find((o) => o.op === 'shuffle');
    return offer && !abilities.hindrance(s, piece, offer) ? [{ piece, offer }] : [];
  });
}

/** The one deck with cards; null if there are several: which of them are meant to be mixed, only people know. @param {State} s */
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
    // it is gone for this page at least
  }
}
