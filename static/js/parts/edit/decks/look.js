// How the cards of a deck look: which column fills what, the colour of fronts, and the back.

import { el } from '../../../view/dom.js';
import { icon } from '../../../view/icons.js';
import { labelled, newId, textField } from '../form.js';
import { MOST_NAME } from '../kinds.js';
import { USES } from './deck.js';
import { msg } from './msg.js';

/** @typedef {import('./deck.js').Deck} Deck */

/** Pictures that can be chosen. */
export const PICTURES = 'image/png,image/jpeg,image/webp,image/gif,image/svg+xml';

/** The sizes that have a name, in millimetres. */
export const SIZES = /** @type {const} */ ({
  poker: [63.5, 88.9], bridge: [57, 89], tarot: [70, 120], mini: [44, 67], square: [70, 70],
  jumbo: [89, 127], wide: [88.9, 63.5],
});

/** All that can be chosen. */
export const SIZE_NAMES = /** @type {const} */ ([
  'poker', 'bridge', 'tarot', 'mini', 'square', 'jumbo', 'wide', 'own',
]);

/** @param {string} label @param {string} value @param {(colour: string) => void} take */
function colourField(label, value, take) {
  const input = el('input', {
    id: newId(), type: 'color', value, oninput: () => take(input.value),
  });
  return labelled(input, label);
}

/**
 * Makes the fields for fronts.
 * @param {Deck} deck
 * @param {(isOfColumns: boolean) => void} changed
 */
export function createFronts(deck, changed) {
  const choices = el('div', { class: 'deck-uses' });
  const draw = () => choices.replaceChildren(...USES.map((use) => {
    const select = el('select', {
      id: newId(), 'data-use': use, onchange: () => {
        deck.uses[use] = Number(select.value);
        changed(true);
      },
    }, ...(use === 'name' ? [] : [el('option', { value: -1 }, msg('decks.nothing'))]),
    ...deck.columns.map((text, i) => el('option', { value: i }, text)));
    select.value = String(deck.uses[use]);
    return labelled(select, msg(`decks.use.${use}`)).root;
  }));
  const colour = colourField(msg('decks.front.colour'), deck.colour, (is) => {
    deck.colour = is;
    changed(false);
  });
  draw();
  const root = el('details', { class: 'deck-part' },
    el('summary', {}, msg('decks.front.title')),
    el('p', { class: 'quiet' }, msg('decks.front.about')), choices, colour.root);
  return { root, draw };
}

/**
 * Makes the fields for the back.
 * @param {Deck} deck
 * @param {{changed: () => void, take: (file: File) => void}} runs
 */
export function createBack(deck, { changed, take }) {
  const { back } = deck;
  const colour = colourField(msg('decks.back.colour'), back.colour, (is) => {
    back.colour = is;
    changed();
  });
  const text = textField(msg('decks.back.text'), back.text, MOST_NAME, (is) => {
    back.text = is;
    changed();
  });
  const file = el('input', {
    type: 'file', hidden: true, accept: PICTURES, 'data-takes': 'back', onchange: () => {
      const [one] = file.files ?? [];
      file.value = '';
      if (one) take(one);
    },
  });
  const pick = el('button', { class: 'secondary', onclick: () => file.click() }, icon('picture'),
    msg('decks.back.picture'));
  const remove = el('button', {
    class: 'secondary', onclick: () => {
      back.picture = '';
      draw();
      changed();
      pick.focus();
    },
  }, icon('remove'), msg('decks.back.remove'));
  const draw = () => {
    remove.hidden = back.picture === '';
    colour.root.hidden = back.picture !== '';
    text.root.hidden = back.picture !== '';
  };
  draw();
  const root = el('details', { class: 'deck-part' }, el('summary', {}, msg('decks.back.title')),
    el('div', { class: 'edit-row' }, colour.root, text.root),
    el('div', { class: 'edit-row' }, pick, remove, file));
  return { root, draw };
}
