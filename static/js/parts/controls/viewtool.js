// Buttons of the bars at the side: a picture and a word, and beside it at once, under the mouse or
// with the focus, the full name, the key and a sentence that explains it.

import { all, el, on, setAttr, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/**
 * What a button says. `word` stands under the picture and is a part of `label`, its full name.
 * `about` explains it in a sentence.
 * @typedef {{word: string, label: string, about: string}} Says
 */

/**
 * Makes a button.
 * @param {string} picture
 * @param {Says} says
 * @param {string} key
 * @param {() => void} run
 */
export function viewTool(picture, says, key, run) {
  const b = el(
    'button',
    { class: 'tool', onclick: run },
    icon(picture),
    el('span', { class: 'tool-word', 'aria-hidden': 'true' }, says.word),
    el(
      'span',
      { class: 'tool-tip', 'aria-hidden': 'true' },
      el('b', { class: 'tool-full' }),
      key && el('kbd', {}, key),
      el('span', { class: 'tool-about' }),
    ),
  );
  nameTool(b, says);
  return b;
}

/**
 * Names a button: at first, and when what it does has changed.
 * @param {HTMLElement} b
 * @param {Says} says
 */
export function nameTool(b, { label, about }) {
  setAttr(b, 'aria-label', label);
  setAttr(b, 'aria-description', about);
  setText(/** @type {Element} */ (b.querySelector('.tool-full')), label);
  setText(/** @type {Element} */ (b.querySelector('.tool-about')), about);
}

/**
 * Hides the explanation at Escape, until the pointer or the focus comes to another button: it may
 * lie over what somebody wants to see.
 * @param {import('../../state.js').State} s
 * @returns {() => void} stops listening
 */
export function bindTips({ page: { main } }) {
  /** @type {Element|null} */
  let last = null;
  const come = (/** @type {Event} */ e) => {
    const tool = /** @type {Element} */ (e.target).closest('.viewbar .tool');
    if (tool === last) return;
    last = tool;
    main.classList.remove('untipped');
  };
  const typed = (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Escape') main.classList.add('untipped');
  };
  return all(
    on(main, 'pointerover', come),
    on(main, 'focusin', come),
    on(document, 'keydown', typed, { capture: true }),
  );
}
