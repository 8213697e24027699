// The button that hides the cursors of others, the arrows (S13). parts/motion/cursors.js draws
// them.

import { setAttr, setText } from '../view/dom.js';
import { icon } from '../view/icons.js';
import { strings } from '../strings.js';
import { button } from './toolbar.js';

/** @typedef {import('../state.js').State} State */

/** Key of the browser's store under which "hidden" is kept. */
const OFF = 'holt.arrows.off';

/** Adds the button to the bar of the view. @param {State} s */
export function bindArrows(s) {
  s.arrows.off = remembered();
  const toggle = () => {
    s.arrows.off = !s.arrows.off;
    remember(s.arrows.off);
    s.arrows.changed();
    label();
  };
  const switcher = button('arrow', strings.view.hideArrows, '', toggle);
  const label = () => {
    const { off } = s.arrows;
    const text = off ? strings.view.showArrows : strings.view.hideArrows;
    switcher.querySelector('svg')?.replaceWith(icon(off ? 'noArrow' : 'arrow'));
    setAttr(switcher, 'aria-label', text);
    setAttr(switcher, 'title', text);
    setText(/** @type {Element} */ (switcher.querySelector('.tool-name')), text);
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
