// Sentences of the verdict that depend on several numbers.

import { msg } from './msg.js';
import { firstMessage, list } from '../messages.js';

/**
 * The draws of each sort, as a list. What can be drawn has a name in exports.
 * @param {Record<string, number>} of
 */
function drawn(of) {
  const sorts = Object.entries(of).filter(([, n]) => n > 0);
  return list(sorts.map(([what, n]) => firstMessage([`fairnesspage.drawn.${what}`], { n })));
}

/** What was drawn in the revealed rounds. @param {number} n @param {Record<string, number>} of */
export function outcomes(n, of) {
  return Object.values(of).every((draws) => draws === 0)
    ? msg('fairnesspage.nothingDrawn', { n })
    : msg('fairnesspage.outcomes', { n, drawn: drawn(of) });
}

/** The numbers of players. @param {number} n @param {number} mine those of this browser */
export function shares(n, mine) {
  if (n === 0) return msg('fairnesspage.noShares');
  if (mine === 0) return msg('fairnesspage.shares.none', { n });
  return mine === n
    ? msg('fairnesspage.shares.all', { n })
    : msg('fairnesspage.shares.some', { n, mine });
}

/** The numbers of some rounds, as a list. @param {number[]} rounds */
export function numbersOf(rounds) {
  return list(rounds.map(String));
}

/** The names that no round holds on to. @param {number} kinds @param {number} seats */
export function unbindingNames(kinds, seats) {
  const names = [
    kinds > 0 ? msg('fairnesspage.unboundNames.kinds', { n: kinds }) : '',
    seats > 0 ? msg('fairnesspage.unboundNames.seats', { n: seats }) : '',
  ];
  return msg('fairnesspage.unboundNames', { names: list(names.filter(Boolean)) });
}

/**
 * A round in one line.
 * @param {{round: number, draws: number, of: Record<string, number>, shares: number,
 *   mine: number}} r
 * @param {string} state
 */
export function roundLine({ round, draws, of, shares: n, mine }, state) {
  const what = drawn(of) || msg('fairnesspage.round.draws', { n: draws });
  const numbers = n > 0 && mine > 0
    ? msg('fairnesspage.round.numbersMine', { n, mine })
    : msg('fairnesspage.round.numbers', { n });
  return msg('fairnesspage.round', { round, state, what, numbers });
}

/** A draw of somebody. @param {string} what its name in exports @param {string} who */
export function drawBy(what, who) {
  return firstMessage(
    [`fairnesspage.drawBy.${what}`, 'fairnesspage.drawBy.other'], { what, who },
  );
}

/** Where a difference is. @param {number} round @param {number} draw @param {string} what */
export function drawOf(round, draw, what) {
  return what
    ? msg('fairnesspage.whereDrawOf', { round, draw, what })
    : msg('fairnesspage.whereDraw', { round, draw });
}

/**
 * Where a difference is.
 * @param {number} round
 * @param {number} fact
 * @param {string|undefined} name the name of the fact in exports
 */
export function entryOf(round, fact, name) {
  const what = firstMessage([`fairnesspage.facts.${name}`]);
  return what
    ? msg('fairnesspage.whereFactOf', { round, fact, what })
    : msg('fairnesspage.whereFact', { round, fact });
}
