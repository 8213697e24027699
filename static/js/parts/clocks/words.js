// The words for clocks (see strings.js). Those of the dialog that sets them are in
// parts/dialogs/words.js.

import { count } from '../../strings.js';

export const clockwords = {
  sides: { upper: 'upper side', lower: 'lower side', left: 'left side', right: 'right side' },
  /** @param {number} h @param {number} m @param {number} s */
  time: (h, m, s) =>
    [
      h > 0 && count(h, 'one hour', 'hours'), m > 0 && count(m, 'one minute', 'minutes'),
      (s > 0 || h + m === 0) && count(s, 'one second', 'seconds'),
    ]
      .filter(Boolean)
      .join(' '),
  runs: (/** @type {string} */ time) => `${time}, running`,
  stands: (/** @type {string} */ time) => time,
  side: (/** @type {string} */ side, /** @type {string} */ says) => `${side} ${says}`,
  fell: (/** @type {string} */ side, /** @type {string} */ what) =>
    `The flag has fallen: ${side} of ${what}.`,
  over: (/** @type {string} */ what) => `Time is up: ${what}.`,
  startPause: 'Start or pause',
};
