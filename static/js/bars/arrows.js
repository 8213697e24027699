// The button that hides the cursors of others, the arrows (S13). parts/motion/cursors.js draws
// them.

import { icon } from '../view/icons.js';
import { msg } from '../msg.js';
import { nameTool, viewTool } from './viewtool.js';

/** @typedef {import('../state.js').State} State */

/** Key of the browser's store under which "hidden" is kept. */
const OFF = 'holt.arrows.off';

/** Adds the button to the bar of the view. @param {State} s */
export function bindArrows(s) {
  s.bars.hidesArrows = remembered();
  const toggle = () => {
    s.bars.hidesArrows = !s.bars.hidesArrows;
    remember(s.bars.hidesArrows);
    s.parts.motion?.hideArrows(s);
    label();
  };
  const says = () => ({
    word: msg('core.view.word.arrows'),
    label: s.bars.hidesArrows ? msg('core.view.showArrows') : msg('core.view.hideArrows'),
    about: msg('core.view.about.arrows'),
  });
  const switcher = viewTool('arrow', says(), '', toggle);
  const label = () => {
    switcher.querySelector('svg')?.replaceWith(icon(s.bars.hidesArrows ? 'noArrow' : 'arrow'));
    nameTool(switcher, says());
  };
  label();
  switcher.tabIndex = -1; // arrow keys reach it from the other buttons of the bar
  s.page.viewbar.lastElementChild?.before(switcher);
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
    // the page shows arrows again after a reload
  }
}
