// A line of help for a first visit.

import { el, isSmall } from '../../view/dom.js';
import { onDone } from '../../listeners.js';
import { msg } from './msg.js';
import { plays } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */

/** Keys of the browser's store under which the page notes that a line was read. */
const READ = 'holt.hint';
const READ_WATCHING = 'holt.hint.watching';

/**
 * Shows the line of help, unless this browser has noted that it was read. Spectators have a line of
 * their own, as they cannot drag pieces. On a small screen it covers a part of the table: there it
 * goes when somebody has done something, and so knows how.
 * @param {State} s
 */
export function showHint(s) {
  const key = plays(s) ? READ : READ_WATCHING;
  if (remembered(key)) return;
  const { hint } = s.page;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const hide = () => {
    hint.hidden = true;
    remember(key);
  };
  const close = el('button', { class: 'primary', onclick: hide }, msg('controls.hint.close'));
  hint.replaceChildren(el('p', {}, textFor(plays(s), isTouch)), close);
  hint.hidden = false;
  onDone(s, (_id, op) => {
    if (!hint.hidden && isSmall() && op !== 'grab') hide();
  });
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
