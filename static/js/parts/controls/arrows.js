// The button that hides the cursors of others, the arrows (S13). parts/motion/cursors.js draws
// them.

import { hideArrows } from '../../bars/state.js';
import { msg } from './msg.js';
import { addSwitch, wasOff } from './switch.js';

/** @typedef {import('../../state.js').State} State */

/** Key of the browser's store under which "hidden" is kept. */
const OFF = 'holt.arrows.off';

/** Adds the button to the bar of the view. @param {State} s */
export function bindArrows(s) {
  hideArrows(s, wasOff(OFF));
  addSwitch(s, {
    key: OFF,
    isOff: () => s.bars.hidesArrows,
    set: (isOff) => {
      hideArrows(s, isOff);
      s.parts.motion?.hideArrows(s);
    },
    picture: (isOff) => (isOff ? 'noArrow' : 'arrow'),
    says: (isOff) => ({
      word: msg('controls.view.word.arrows'),
      label: isOff ? msg('controls.view.showArrows') : msg('controls.view.hideArrows'),
      about: msg('controls.view.about.arrows'),
    }),
  });
}
