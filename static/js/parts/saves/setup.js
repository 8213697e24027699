// Which set-up of the game the table gets when it is set up again (T78).

import { el } from '../../view/dom.js';
import { KINDS } from './kinds.js';
import { msg } from './msg.js';

/** @typedef {import('./request.js').Save} Save */
/** @typedef {import('../../types.js').Rewound} Rewound */

/** @param {Save} of */
const nameOf = (of) => of.name || msg('saves.wholeSetup');

/**
 * Returns the set-up with which the table was last set up, as far as this is known: the first one
 * if the table went back to anything else since.
 * @param {Save[]} all the set-ups
 * @param {Rewound|null} rewound the last time that the table went back
 */
export function lastSetup(all, rewound) {
  const to = rewound?.to;
  return all.find((of) => to?.kind === KINDS.SET_UP && of.id === to.id) ?? all[0];
}

/**
 * Returns the set-up to offer first: the last one, unless another one is for so many players and
 * that one is not.
 * @param {Save[]} all the set-ups
 * @param {Rewound|null} rewound
 * @param {number} players how many sit at the table
 */
export function suggestedSetup(all, rewound, players) {
  const last = lastSetup(all, rewound);
  const fits = (/** @type {Save} */ of) =>
    of.players !== undefined && of.players[0] <= players && players <= of.players[1];
  if (!last?.players || fits(last)) return last;
  return all.find(fits) ?? last;
}

/**
 * Returns what a set-up is called in the list, with its players if its name does not say just that.
 * @param {Save} of
 */
function labelOf(of) {
  const [least, most] = of.players ?? [0, 0];
  if (most === 0) return nameOf(of);
  const players = least === most
    ? msg('saves.players', { n: most }) : msg('saves.playersFrom', { least, most });
  if (nameOf(of) === players) return players;
  return msg('saves.setupFor', { name: nameOf(of), players });
}

/** Asks for one of the set-ups of the game, if it has several. */
export function askSetup() {
  const select = el('select', { id: 'save-setup' });
  const root = el(
    'div', { class: 'save-field', hidden: true },
    el('label', { for: select.id }, msg('saves.whichSetup')), select,
  );
  return {
    root,
    /**
     * Offers set-ups. What was chosen stays chosen.
     * @param {Save[]} all
     * @param {Rewound|null} rewound
     * @param {number} players how many sit at the table
     */
    fill(all, rewound, players) {
      const chosen = select.value || String(suggestedSetup(all, rewound, players)?.id ?? '');
      select.replaceChildren(...all.map((of) => el('option', { value: of.id }, labelOf(of))));
      select.value = chosen;
      root.hidden = all.length < 2;
    },
    read: () => Number(select.value),
    /** Returns the name of what is chosen; '' if there is no choice. */
    name: () => (root.hidden ? '' : (select.selectedOptions[0]?.textContent ?? '')),
  };
}
