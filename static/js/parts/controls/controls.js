// With what players act: mouse, fingers and keys on the table, the bar for what is selected, and
// the bars at the edge, with the people. It has also what is said only to who sees the table. It is
// loaded as soon as the table has been shown.

import { openers } from './openers.js';
import { all } from '../../view/dom.js';
import './icons.js';
import { bindArrows } from './arrows.js';
import { sayAttached } from './attached.js';
import { bindKeys } from './keys.js';
import { bindMenu } from './menu.js';
import { bindPeople } from './people.js';
import { bindPinch } from './pinch.js';
import { bindPointer } from './pointer.js';
import { bindVibration } from './vibration.js';
import { bindQuiet } from './quiet.js';
import { bindSending } from './sendmotion.js';
import { bindShield } from './shield.js';
import { bindTablebar, tableOpeners } from './tablebar.js';
import { bindToolbar } from './toolbar.js';
import { tellMissed } from './roles.js';
import { bindTips } from './viewtool.js';

export { attachedTo, bears, letGo, saysOfAttached } from './attached.js';
export { showHint } from './hint.js';
export { tellEditor, tellRole, tellSide } from './roles.js';
export { actionsFor, hindranceOf, perform } from './perform.js';

/**
 * Listens to the person, and makes the bars.
 * @param {import('../../state.js').State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  const doors = { ...openers(s, voice), ...tableOpeners(s, voice) };
  const stop = all(
    bindPeople(s, voice, doors),
    bindSending(s),
    bindPinch(s),
    bindShield(s),
    bindPointer(s, voice),
    bindKeys(s, voice, doors),
    bindToolbar(s, voice, doors),
    bindQuiet(s),
    bindTablebar(s, doors),
    bindMenu(s, voice),
    bindTips(s),
  );
  bindArrows(s);
  sayAttached(s);
  bindVibration(s);
  tellMissed(s, voice);
  return stop;
}
