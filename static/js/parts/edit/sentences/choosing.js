// The list of the sentences that can be added.

import { el } from '../../../view/dom.js';
import { firstMessage } from '../../../messages.js';
import { mayStand } from './model.js';
import { msg } from './msg.js';
import { begin } from './start.js';
import { lacks, saysOf } from './words.js';

/** @typedef {import('./model.js').Sentence} Sentence */
/** @typedef {import('./forms.js').FormName} FormName */
/** @typedef {import('./words.js').Context} Context */

/** The forms in the order in which they are offered. @satisfies {Record<string, FormName[]>} */
const GROUPS = /** @type {const} */ ({
  cards: ['deal', 'shuffle', 'move', 'recall', 'sort'],
  pieces: ['roll', 'flip', 'face', 'rotate', 'add', 'set'],
  turns: ['pass', 'start', 'pause', 'reset'],
  sometimes: ['ifValue', 'ifHolds', 'ifPieces', 'ifInZone', 'ifNumber', 'ifChoice', 'each'],
  asks: ['askNumber', 'askChoice', 'askSeat', 'askPiece'],
  again: ['setUp'],
});

/**
 * Makes the list: what can be said now, and below it what this table lacks for the rest.
 * @param {Sentence[]} parents in which sentences the new one will stand
 * @param {Context} context
 * @param {(one: Sentence) => void} take
 */
export function createChoosing(parents, context, take) {
  /** @type {HTMLElement[]} */
  const rest = [];
  const groups = Object.entries(GROUPS).flatMap(([group, forms]) => {
    const items = forms.filter((form) => mayStand(form, parents)).flatMap((form) => {
      const one = begin(form, context);
      const says = saysOf(one, context);
      const why = lacks(form, context);
      if (!why) {
        return [el('li', {}, el(
          'button', { type: 'button', class: 'sentence-choice', 'data-form': form,
            onclick: () => take(one) }, says,
        ))];
      }
      rest.push(el(
        'li', { class: 'sentence-lack' }, says, el('span', { class: 'quiet' }, ` ${why}`),
      ));
      return [];
    });
    if (items.length === 0) return [];
    return [el('h4', {}, firstMessage([`sentences.group.${group}`])), el('ul', {}, ...items)];
  });
  return el(
    'div', { class: 'sentence-choices', role: 'group', 'aria-label': msg('sentences.choose') },
    ...groups,
    rest.length > 0 && el('details', {}, el('summary', {}, msg('sentences.more')),
      el('ul', {}, ...rest)),
  );
}
