// The switch for vibration, on devices that can vibrate (T69).

import { addIcons } from '../../view/icons.js';
import { beStill } from '../../bars/state.js';
import { msg } from './msg.js';
import { addSwitch, wasOff } from './switch.js';

/** @typedef {import('../../state.js').State} State */

/** Key of the browser's store under which "off" is kept. */
const OFF = 'holt.vibration.off';

const PHONE = 'M9 4h6v16H9z';

addIcons({
  vibrates: `${PHONE}M5.5 8v8M18.5 8v8M2.5 10v4M21.5 10v4`,
  still: `${PHONE}M4 5l16 14`,
});

/**
 * Adds the switch to the tools of the table, if a finger is used. The bar of the view has no room
 * for it on a phone.
 * @param {State} s
 */
export function bindVibration(s) {
  beStill(s, wasOff(OFF));
  if (typeof navigator.vibrate !== 'function' || !matchMedia('(pointer: coarse)').matches) return;
  addSwitch(s, {
    key: OFF,
    before: s.page.main.querySelector('.tablebar .opener'),
    isOff: () => s.bars.isStill,
    set: (isOff) => beStill(s, isOff),
    picture: (isOff) => (isOff ? 'still' : 'vibrates'),
    says: (isOff) => ({
      word: msg('controls.view.word.vibration'),
      label: isOff ? msg('controls.view.vibrationOn') : msg('controls.view.vibrationOff'),
      about: msg('controls.view.about.vibration'),
    }),
  });
}
