// The part of the page for kinds whose pieces do something (T32 to T35), and for what kinds offer
// (T36).

import { bindTurnedUp, bindUndone } from './button.js';
import { bindDice } from './dice.js';
import { bindSand } from './hourglass.js';
import { all } from '../../view/dom.js';
import { addIcons } from '../../view/icons.js';
import { createAbilities, renameKept } from './state.js';
import { onRename } from '../../listeners.js';
import { bindPlaces } from './places.js';
import { bindTurn } from './turn.js';

/** @typedef {import('../../state.js').State} State */

export {
  explainsSteps, pressedBy, saysSteps, saysUndone, whyNotPressed,
} from './button.js';
export { containersFor } from './container.js';
export { drawCooling } from './dice.js';
export { drawHeap } from './heap.js';
export { drawSand, saysSand } from './hourglass.js';
export { mainOffer, take } from './offering.js';
export { drawInscription } from './inscription.js';
export { actionsOffered, keysOffered, partOffered } from './offeractions.js';
export { hindrance, offerOfKey, offersOf } from './offers.js';
export { saysOfPlace } from './places.js';
export { seatsFor } from './seats.js';
export { count, drawSteps, stepAt } from './steps.js';
export { passTurn, seatsToMove, turnsToPass } from './turn.js';

addIcons({
  die: 'M5 5h14v14H5zM9 9v.1M15 9v.1M12 12v.1M9 15v.1M15 15v.1',
  count: 'M4 8h8M8 4v8M13 17h7M5 20 19 6',
  split: 'M12 4v6M12 10l-6 9M12 10l6 9M4 15l2 4 4-1.5M20 15l-2 4-4-1.5',
  write: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5',
  seat:
    'M12 4a3.8 3.8 0 1 1 0 7.6A3.8 3.8 0 0 1 12 4z' +
    'M4.5 20.5c.6-4 3.4-6.2 7.5-6.2s6.9 2.2 7.5 6.2',
  free: 'M12 4a3.8 3.8 0 1 1 0 7.6A3.8 3.8 0 0 1 12 4zM4.5 20.5c.6-4 3.4-6.2 7.5-6.2M15.5 17.5h5',
  press: 'M4 14h16v5H4zM8 14v-3h8v3M12 3v5M9.5 6l2.5 2.5L14.5 6',
  pass: 'M4 6l8 6-8 6zM13 6l8 6-8 6',
});

/**
 * Starts what listens to events.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  const abilities = createAbilities();
  s.partState.abilities = abilities;
  onRename(s, (from, to) => renameKept(abilities, from, to));
  bindTurn(s, voice);
  bindUndone(s, voice);
  bindTurnedUp(s, voice);
  bindPlaces(s);
  return all(bindDice(s, voice), bindSand(s, voice));
}
