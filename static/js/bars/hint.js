// One line for those who come for the first time.

import { el } from '../view/dom.js';
import { strings } from '../strings.js';

/** @typedef {import('../state.js').State} State */

/** Where it is remembered that the line was read. */
const READ = 'holt.hint';

/** Shows the line for first-timers, unless it was read before. @param {State} s */
export function showHint(s) {
  if (remembered()) return;
  const { hint } = s.page;
  const coarse = matchMedia('(pointer: coarse)').matches;
  const close = el(
    'button',
    {
      type: 'button',
      class: 'primary',
      onclick: () => {
        hint.hidden = true;
        remember();
      },
    },
    strings.hint.close,
  );
  hint.replaceChildren(el('p', {}, coarse ? strings.hint.touch : strings.hint.mouse), close);
  hint.hidden = false;
}

function remembered() {
  try {
    return localStorage.getItem(READ) === '1';
  } catch {
    return true; // without a store it would come back each time
  }
}

function remember() {
  try {
    localStorage.setItem(READ, '1');
  } catch {
    // It is gone for this page at least.
  }
}
