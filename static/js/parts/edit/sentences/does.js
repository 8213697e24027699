// What a button does, as its form has it and as a game file has it. No DOM.

import { setsUp } from './forms.js';
import { read, write } from './model.js';

/**
 * What somebody has made of a button.
 * @typedef {object} Does
 * @property {'players'|'host'} who
 * @property {number} seconds between two presses
 * @property {import('./model.js').Sentence[]} sentences
 */

/** After a press a button cannot be pressed again for so long, in s. */
const SECONDS = 1;
const SECOND = 1000;

/** Returns what a new button does. @returns {Does} */
export const doesNothing = () => ({ who: 'players', seconds: SECONDS, sentences: [] });

/**
 * Returns a button as a game file has it. Only hosts set a table up again.
 * @param {Does} does
 */
export function buttonOf({ who, seconds, sentences }) {
  const isHosts = who === 'host' || sentences.some(({ form }) => setsUp(form));
  const cooldown = Math.round(seconds * SECOND);
  return {
    ...(isHosts && { who: 'host' }), ...(cooldown > 0 && { cooldown }), steps: write(sentences),
  };
}

/**
 * Returns what a button does; null if a newer server knows more.
 * @param {NonNullable<import('../../../kinds/button.js').Config['button']>} button
 * @returns {Does|null}
 */
export function doesOf({ who, cooldown, steps }) {
  const sentences = read(steps);
  return sentences && { who, seconds: cooldown / SECOND, sentences };
}
