// The switch for sounds. The part that makes them is loaded with the first press of this person,
// because browsers play nothing before it.

import { all, on } from '../view/dom.js';
import { addIcons, icon } from '../view/icons.js';
import { msg } from '../msg.js';
import { nameTool, viewTool } from './viewtool.js';

/** @typedef {import('../state.js').State} State */

/** Key of the browser's store under which "off" is kept. */
const OFF = 'holt.sounds.off';

const SPEAKER = 'M4 9.5h3.5L12 5.5v13l-4.5-4H4z';

addIcons({
  sound: `${SPEAKER}M15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11`,
  quiet: `${SPEAKER}M16 9.5l5 5M21 9.5l-5 5`,
});

/**
 * Adds the switch to the bar of the view.
 * @param {State} s
 * @returns {() => void} stops listening
 */
export function bindQuiet(s) {
  s.bars.isQuiet = remembered();
  const start = () => {
    if (s.bars.isQuiet || s.parts.sounds || s.net.status.state !== 'online') return;
    s.load('sounds').catch(() => {}); // the next press tries again
  };
  const toggle = () => {
    s.bars.isQuiet = !s.bars.isQuiet;
    remember(s.bars.isQuiet);
    start();
    label();
  };
  const says = () => ({
    word: msg('core.view.word.sound'),
    label: s.bars.isQuiet ? msg('core.view.soundOn') : msg('core.view.soundOff'),
    about: msg('core.view.about.sound'),
  });
  const switcher = viewTool('sound', says(), '', toggle);
  const label = () => {
    switcher.querySelector('svg')?.replaceWith(icon(s.bars.isQuiet ? 'quiet' : 'sound'));
    nameTool(switcher, says());
  };
  label();
  switcher.tabIndex = -1; // arrow keys reach it from the other buttons of the bar
  s.page.viewbar.lastElementChild?.before(switcher);
  return all(
    on(document, 'pointerup', start, { capture: true }),
    on(document, 'keydown', start, { capture: true }),
  );
}

function remembered() {
  try {
    return localStorage.getItem(OFF) === '1';
  } catch {
    return false; // the page may not use the store
  }
}

/** @param {boolean} off */
function remember(off) {
  try {
    if (off) localStorage.setItem(OFF, '1');
    else localStorage.removeItem(OFF);
  } catch {
    // the sounds are back after a reload
  }
}
