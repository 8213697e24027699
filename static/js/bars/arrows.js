// The button that turns the arrows of others off (S13), for those who do not want to see them. parts/motion/cursors.js draws them.

import { setAttr, setText } from '../view/dom.js';
import { icon } from '../view/icons.js';
import { strings } from '../strings.js';
import { button } from './toolbar.js';

/** @typedef {import('../state.js').State} State */

/** Where it is remembered that they are turned off. */
const OFF = 'holt.arrows.off';

/** Gives the bar of the view the button. @param {State} s */
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
  switcher.tabIndex = -1; // the arrow keys come to it from the other buttons of the bar
  s.page.viewbar.lastElementChild?.before(switcher);
}

function remembered() {
  try {
    return localStorage.getItem(OFF) === '1';
  } catch {
    return false; // not allowed to remember anything
  }
}

/** @param {boolean} off */
function remember(off) {
  try {
    if (off) localStorage.setItem(OFF, '1');
    else localStorage.removeItem(OFF);
  } catch {
    // asked again the next time
  }
}
