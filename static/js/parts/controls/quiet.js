// The switch for sounds. The part that makes them is loaded with the first press of this person,
// because browsers play nothing before it.

import { all, on } from '../../view/dom.js';
import { addIcons } from '../../view/icons.js';
import { beQuiet } from '../../bars/state.js';
import { msg } from './msg.js';
import { addSwitch, wasOff } from './switch.js';

/** @typedef {import('../../state.js').State} State */

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
  beQuiet(s, wasOff(OFF));
  const start = () => {
    if (s.bars.isQuiet || s.parts.sounds || s.net.status.state !== 'online') return;
    s.load('sounds').catch(() => {}); // the next press tries again
  };
  addSwitch(s, {
    key: OFF,
    isOff: () => s.bars.isQuiet,
    set: (isOff) => {
      beQuiet(s, isOff);
      start();
    },
    picture: (isOff) => (isOff ? 'quiet' : 'sound'),
    says: (isOff) => ({
      word: msg('controls.view.word.sound'),
      label: isOff ? msg('controls.view.soundOn') : msg('controls.view.soundOff'),
      about: msg('controls.view.about.sound'),
    }),
  });
  return all(
    on(document, 'pointerup', start, { capture: true }),
    on(document, 'keydown', start, { capture: true }),
  );
}
