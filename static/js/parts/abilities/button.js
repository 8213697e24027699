// Buttons (T84): what they say that they do, and when they can be pressed.

import { coolsFor } from '../../sync/curves.js';
import { onEvent } from '../../listeners.js';
import { hosts } from '../../rights.js';
import { kindOf } from '../../view/catalog.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../kinds/button.js').Step} Step */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_BUTTONS = {
  run: {
    icon: 'press',
    takesPiece: true,
    isMain: true,
    check: (s, piece, { button }) => {
      if (button?.who === 'host' && !hosts(s)) return 'hostsPress';
      return coolsFor(piece, s.net.serverNow()) > 0 ? 'pressed' : '';
    },
  },
};

/**
 * Returns what a button does, one sentence for each step.
 * @param {Kind} k
 * @returns {string[]}
 */
export function saysSteps({ button }) {
  return button ? button.steps.map(sentenceOf).filter((text) => text !== '') : [];
}

/** What the count of a notice has more for a step that had too few pieces (T87). */
const SHORT = 64;

/**
 * Returns what a press did not do, one sentence for each step.
 * @param {Kind} k
 * @param {number[]} undone the steps, as their notices say
 */
export function saysUndone({ button }, undone) {
  return undone.flatMap((count) => {
    const isShort = count > SHORT;
    const of = button?.steps[count - 1 - (isShort ? SHORT : 0)];
    const step = of ? sentenceOf(of) : '';
    if (!step) return [];
    return [msg(isShort ? 'abilities.undone.short' : 'abilities.undone.step', { step })];
  });
}

/**
 * Announces what presses did not do: to the one who pressed visibly, to the others by speech. The
 * notices of a press come together, and are one sentence behind the other.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export function bindUndone(s, voice) {
  /** @type {string[]} */
  let says = [];
  onEvent(s, (event) => {
    if (event.type !== 'notice' || event.op !== 'run') return;
    const piece = s.sync.pieces.get(event.piece);
    if (!piece) return;
    if (says.length === 0) {
      const say = event.by === s.sync.you ? voice.notice : voice.whisper;
      queueMicrotask(() => {
        const text = says.join(' ');
        says = [];
        say(text);
      });
    }
    says.push(...saysUndone(kindOf(s, piece), [event.count]));
  });
}

/** @param {Step} step @returns {string} empty for a verb of a newer server */
function sentenceOf(step) {
  const { do: verb, kind, by = 0, add = 0, set, n = 1, to = '', face = 0 } = step;
  switch (verb) {
    case 'flip':
      return msg('abilities.steps.flip', { what: kind });
    case 'roll':
      return msg('abilities.steps.roll', { what: kind });
    case 'shuffle':
      return msg('abilities.steps.shuffle', { what: kind });
    case 'recall':
      return msg('abilities.steps.recall', { what: kind });
    case 'pass':
      return step.reverse
        ? msg('abilities.steps.passBack', { what: kind })
        : msg('abilities.steps.pass', { what: kind });
    case 'start':
      return step.side
        ? msg('abilities.steps.startSide', { what: kind, n: step.side })
        : msg('abilities.steps.start', { what: kind });
    case 'sort':
      return msg('abilities.steps.sort', { what: kind });
    case 'pause':
      return msg('abilities.steps.pause', { what: kind });
    case 'reset':
      return msg('abilities.steps.reset', { what: kind });
    case 'face':
      return msg('abilities.steps.face', { what: kind, n: face + 1 });
    case 'deal':
      return msg('abilities.steps.deal', { what: kind, n });
    case 'move':
      return msg('abilities.steps.move', { what: kind, n, to });
    case 'rotate':
      return msg('abilities.steps.rotate', { what: kind, n: by / 100 });
    case 'count':
      if (set !== undefined) return msg('abilities.steps.set', { what: kind, n: set });
      return add < 0
        ? msg('abilities.steps.subtract', { what: kind, n: -add })
        : msg('abilities.steps.add', { what: kind, n: add });
    default:
      return '';
  }
}
