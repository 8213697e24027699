// A line of help for a first visit.

import { el } from '../../view/dom.js';
import { msg } from './msg.js';
import { plays } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */

/** Keys of the browser's store under which the page notes that a line was read. */
const READ = 'holt.hint';
const READ_WATCHING = 'holt.hint.watching';

/**
 * Shows the line of help, unless this browser has noted that it was read. Spectators have a line of
 * their own, as they cannot drag pieces.
 * @param {State} s
 */
export function showHint(s) {
  const key = plays(s) ? READ : READ_WATCHING;
  if (remembered(key)) return;
  const { hint } = s.page;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const close = el(
    'button',
    {
      class: 'primary',
      onclick: () => {
        hint.hidden = true;
        remember(key);
      },
    },
    msg('controls.hint.close'),
  );
  hint.replaceChildren(el('p', {}, textFor(plays(s), isTouch)), close);
  hint.hidden = false;
}

/** @param {boolean} player @param {boolean} isTouch */
function textFor(player, isTouch) {
  if (player) return isTouch ? msg('controls.hint.touch') : msg('controls.hint.mouse');
  return isTouch ? msg('controls.hint.watchTouch') : msg('controls.hint.watchMouse');
}

/** @param {string} key */
function remembered(key) {
  try {
    return localStorage.getItem(key) === '1';
  } catch {
    return true; // without a store the line would come back each time
  }
}

/** @param {string} key */
function remember(key) {
  try {
    localStorage.setItem(key, '1');
  } catch {
    // The line is hidden in this page at least.
  }
}
