// The part of the page for clocks (T27).

import { kindOf } from '../../view/catalog.js';
import { bindDials } from './ticker.js';
import { addIcons } from '../../view/icons.js';
import { invalidate } from '../../view/state.js';

/** @typedef {import('../../state.js').State} State */

export { timing } from './actions.js';
export { drawClock, standDial } from './dial.js';
export { timesOf } from './times.js';

addIcons({
  flag: 'M6 21V4M6 4.5c4-2.5 7 2 12 0v9c-5 2-8-2.5-12 0',
  clock: 'M12 4a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v4.5l3 2M9.5 1.8h5',
  play: 'M7 5v14l11.5-7z',
  startPause: 'M4.5 5.5v13l8-6.5zM16 5.5v13M20 5.5v13',
  press: 'M12 3v8m-3.5-3.5L12 11l3.5-3.5M4 15h16v5H4z',
  reset: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8.5V12l2.5 1.8',
});

/**
 * Redraws the clocks that are there already and starts their timer.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  for (const p of s.view.shown.values()) {
    if (!kindOf(s, p).clock) continue;
    p.before = null; // forces a full redraw
    invalidate(s, p.id);
  }
  s.redraw();
  return bindDials(s, voice);
}
