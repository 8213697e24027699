// The word that somebody adds to a place which they show: one of a few, or one of their own.

import { el, on, setAttr } from '../../view/dom.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** How many characters a word has at most (C14). */
const LONGEST = 24;

/** The words to choose from. */
const WORDS = /** @type {const} */ (['here', 'look', 'turn']);

/** The field with the word; null while nobody aims. @type {HTMLInputElement|null} */
let field = null;

/** Returns the word for the next place; '': none. */
export function chosenWord() {
  return field ? field.value.trim() : '';
}

/**
 * Offers words for the next place.
 * @param {State} s
 * @returns {() => void} takes them away
 */
export function offerWords(s) {
  const text = el('input', {
    type: 'text', class: 'ping-own', maxlength: LONGEST, autocomplete: 'off', enterkeyhint: 'done',
    placeholder: msg('pings.word'), 'aria-label': msg('pings.word'),
  });
  const buttons = WORDS.map((name) => {
    const word = msg(`pings.word.${name}`);
    return el('button', {
      class: 'secondary', 'data-word': word,
      onclick: () => {
        text.value = text.value === word ? '' : word;
        draw();
      },
    }, word);
  });
  const draw = () => {
    for (const b of buttons)
      setAttr(b, 'aria-pressed', b.dataset.word === chosenWord() ? 'true' : 'false');
  };
  const root = el(
    'div', { class: 'ping-words', role: 'group', 'aria-label': msg('pings.words') },
    ...buttons, text,
  );
  field = text;
  draw();
  // Keys do nothing on the table while the focus is in the field, but Escape ends aiming.
  const stopKeys = on(text, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Enter') text.blur();
    e.stopPropagation();
  });
  const stopInput = on(text, 'input', draw);
  s.page.banner.after(root);
  return () => {
    stopKeys();
    stopInput();
    field = null;
    root.remove();
  };
}
