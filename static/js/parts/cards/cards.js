// The part of the page for secret pieces, hands and containers, and for what is drawn out of
// containers or taken off heaps.

import { bindFetch } from './fetch.js';
import { bindEnlarging } from './enlarge.js';
import { bindFlights } from './flights.js';
import {
  bindFreeHands, bindRacks, drawCount, drawHand, drawHoldings, holdingsOf,
} from './holdings.js';
import { bindHand } from './hand.js';
import { bindHandStrip } from './handstrip.js';
import { bindNotices } from './notices.js';
import { bindReveals } from './reveals.js';
import { all } from '../../view/dom.js';
import { addIcons } from '../../view/icons.js';
import { createCards } from './state.js';

/** @typedef {import('../../state.js').State} State */

export { drawCount, drawHand, drawHoldings, holdingsOf };
export { playing, sorting, targetHands } from './handactions.js';
export * as fetch from './fetch.js';
export { clearFlights, flyAway, resolveFlights } from './flights.js';
export { cardsIn, closeUp, handAt, makeRoom, play, turn } from './hand.js';
export { handName, saysOfHand, saysOnRack } from './handnames.js';
export { isInStrip, placeOver } from './handstrip.js';

addIcons({
  draw: 'M5 9h9v12H5zM9 5h9v12M12.5 12v-1M16 8l3.5-3.5M16 4.5h3.5V8',
  deal: 'M9.5 10h5v7h-5zM12 7V3m-2 2 2-2 2 2M7 13H3m2-2-2 2 2 2M17 13h4m-2-2 2 2-2 2M12 20v1',
  recall: 'M8 8h8v11H8zM3 5c2 3 3.5 4 5 4.5M21 5c-2 3-3.5 4-5 4.5M3 9V5h4M21 9V5h-4',
  cut: 'M5 12h14v7H5zM5 8V4h10v4M18 5h3m0 0-2-2m2 2-2 2',
  claim: 'M6 21V4M6 4.5h11l-2.5 3.5L17 11.5H6',
  leave: 'M10 4H4v16h6M14 8l4 4-4 4M18 12H9',
  give:
    'M3 17.5c3-2.5 5-2.5 7.5-1H15a1.5 1.5 0 0 1 0 3h-3' +
    'M15.5 17l4-2.5a1.6 1.6 0 0 1 1.8 2.5L16 21H8M12 3v8m-3-3 3 3 3-3',
  team:
    'M8 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 20c.4-3.6 2.4-5.5 5.5-5.5s5.1 1.9 5.5 5.5M18 8v8' +
    'M14 12h8',
  unteam: 'M8 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 20c.4-3.6 2.4-5.5 5.5-5.5s5.1 1.9 5.5 5.5M14 12h8',
  show: 'M4 5h9v14H4zM16 9c2.5.5 4.2 1.6 5 3-.8 1.4-2.5 2.5-5 3M16 12v.1',
  stow: 'M4 13v7h16v-7M12 3v12m-4-4 4 4 4-4',
  sort: 'M4 6h4M4 12h8M4 18h12M18 4v12m-2.5-2.5L18 16l2.5-2.5',
  playUp: 'M5 11h8v10H5zM9 11V9M16 14V4m-3 3 3-3 3 3',
  playDown: 'M5 11h8v10H5zM7 13l4 6M11 13l-4 6M17 14V4m-3 3 3-3 3 3',
});

/**
 * Starts everything in this part that listens to events.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  s.partState.cards = createCards();
  bindFlights(s);
  bindNotices(s, voice);
  return all(
    bindFetch(s), bindHand(s), bindHandStrip(s, voice), bindEnlarging(s), bindFreeHands(s),
    bindRacks(s), bindReveals(s, voice),
  );
}
