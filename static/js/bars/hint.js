// A line of help for a first visit.

import { el } from '../view/dom.js';
import { msg } from '../msg.js';

/** @typedef {import('../state.js').State} State */

/** Key of the browser's store under which the page notes that the line was read. */
const READ = 'holt.hint';

/** Shows the line of help, unless this browser has noted that it was read. @param {State} s */
export function showHint(s) {
  if (remembered()) return;
  const { hint } = s.page;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const close = el(
    'button',
    {
      class: 'primary',
      onclick: () => {
        hint.hidden = true;
        remember();
      },
    },
    msg('core.hint.close'),
  );
  hint.replaceChildren(
    el('p', {}, isTouch ? msg('core.hint.touch') : msg('core.hint.mouse')), close,
  );
  hint.hidden = false;
}

function remembered() {
  try {
    return localStorage.getItem(READ) === '1';
  } catch {
    return true; // without a store the line would come back each time
  }
}

function remember() {
  try {
    localStorage.setItem(READ, '1');
  } catch {
    // The line is hidden in this page at least.
  }
}
