// The actions of clocks (T27).

import { allowed } from '../../input/action.js';
import { msg } from './msg.js';
import { change, refusal } from '../../input/ops.js';
import { pressClock } from '../../kinds/clock.js';
import { use } from '../../parts.js';
import { explain } from '../../reasons.js';
import { sideName } from './times.js';
import { clocksOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Returns a filter for the clocks on which a side may be pressed: it runs, or no side does.
 * @param {number} side
 */
function pressable(side) {
  return (/** @type {State} */ s, /** @type {Piece[]} */ pieces) =>
    allowed('press')(s, pieces).filter((p) => p.clock?.running !== 3 - side);
}

/** @type {import('../../input/action.js').Action[]} */
export const timing = [
  {
    id: 'press1',
    icon: 'press',
    key: 'J',
    op: 'press',
    none: 'otherTurn',
    label: (s, pieces) => msg('clocks.press', { side: sideName(s, pieces[0], 1) }),
    fits: pressable(1),
    run: (s, pieces, voice) => press(s, pieces, 1, voice),
  },
  {
    id: 'press2',
    icon: 'press',
    key: 'K',
    op: 'press',
    none: 'otherTurn',
    label: (s, pieces) => msg('clocks.press', { side: sideName(s, pieces[0], 2) }),
    fits: pressable(2),
    run: (s, pieces, voice) => press(s, pieces, 2, voice),
  },
  {
    id: 'run',
    icon: 'startPause',
    key: 'M',
    op: 'start',
    label: (_s, pieces) => (pieces.some((p) => p.clock?.running)
      ? msg('clocks.actions.pause')
      : msg('clocks.actions.start')),
    fits: allowed('start'),
    run: startOrPause,
  },
  {
    id: 'set', asks: true, icon: 'clock', key: 'O', op: 'set',
    label: () => msg('clocks.actions.set'), fits: allowed('set'), run: openSetClock,
  },
  {
    id: 'reset',
    icon: 'reset',
    key: 'Z',
    op: 'reset',
    label: () => msg('clocks.actions.reset'),
    fits: allowed('reset'),
    run: (s, pieces) => {
      for (const p of pieces) change(s, p.id, 'reset');
    },
  },
];

/** @param {State} s @param {Piece[]} pieces @param {Voice} voice */
function openSetClock(s, pieces, voice) {
  use(s, voice, 'dialogs', (dialogs) => dialogs.openSetClock(s, pieces, voice));
}

/** @param {State} s @param {Piece[]} pieces @param {number} side @param {Voice} voice */
function press(s, pieces, side, voice) {
  for (const p of pieces) {
    const no = pressClock(s, p, side, { change, refusal });
    if (no) explain(s, no, voice);
  }
}

/**
 * Pauses clocks if one of them runs. Otherwise it starts all of them, each with the side that ran
 * last.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function startOrPause(s, pieces) {
  const running = pieces.filter((p) => p.clock?.running);
  for (const p of running) {
    // This side may run without having been drawn yet.
    if (p.clock) clocksOf(s).last.set(p.id, p.clock.running);
    change(s, p.id, 'pause');
  }
  if (running.length > 0) return;
  for (const p of pieces) change(s, p.id, 'start', { side: clocksOf(s).last.get(p.id) ?? 1 });
}
