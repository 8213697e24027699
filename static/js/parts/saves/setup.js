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
     */
    fill(all, rewound) {
      const chosen = select.value || String(lastSetup(all, rewound)?.id ?? '');
      select.replaceChildren(...all.map((of) => el('option', { value: of.id }, nameOf(of))));
      select.value = chosen;
      root.hidden = all.length < 2;
    },
    read: () => Number(select.value),
    /** Returns the name of what is chosen; '' if there is no choice. */
    name: () => (root.hidden ? '' : (select.selectedOptions[0]?.textContent ?? '')),
  };
}
