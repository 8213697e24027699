// Lengths in words.

import { lengthIn } from './measuring.js';
import { msg } from './msg.js';
import { written } from '../../view/describe.js';

/** Formats a number with a tenth, if it has one. @param {number} value */
function decimal(value) {
  const [whole, tenth] = String(value).split('.');
  return written(Number(whole)) + (tenth ? `.${tenth}` : '');
}

/**
 * Formats a length.
 * @param {number} units
 * @param {number} pitch pitch of the grid in units; 0 if there is none
 */
export function lengthOf(units, pitch) {
  const { value, unit } = lengthIn(units, pitch);
  return msg(unit === 'cm' ? 'ruler.cm' : 'ruler.cells', { n: value, length: decimal(value) });
}

/**
 * Formats a length in cells of the grid and in centimetres, or in centimetres if there is no grid.
 * @param {number} units
 * @param {number} pitch
 */
export function lengthsOf(units, pitch) {
  const cm = lengthOf(units, 0);
  return pitch ? msg('ruler.both', { cells: lengthOf(units, pitch), cm }) : cm;
}
