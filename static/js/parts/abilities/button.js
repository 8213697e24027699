// Buttons (T84): what they say that they do, and when they can be pressed.

import { coolsFor } from '../../sync/curves.js';
import { onEvent } from '../../listeners.js';
import { hosts } from '../../rights.js';
import { kindOf, turnsUp } from '../../view/catalog.js';
import { lower, nameOf } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { list } from '../../messages.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../kinds/button.js').Step} Step */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_BUTTONS = {
  run: {
    icon: 'press',
    takesPiece: true,
    isMain: true,
    questions: (s, piece) => questionsOf(kindOf(s, piece)),
    check: (s, piece, { button }) => {
      if (button?.who === 'host' && !hosts(s)) return 'hostsPress';
      return coolsFor(piece, s.net.serverNow()) > 0 ? 'cooling' : '';
    },
    ask: askSetUp,
  },
};

/** Returns what a button asks whoever presses it (T95). @param {Kind} k */
export function questionsOf({ button }) {
  return button?.steps.filter((step) => step.do === 'ask') ?? [];
}

/**
 * The question before a button sets the table up again (T93).
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {import('../../kinds/ability.js').Question | null}
 */
function askSetUp(s, [piece]) {
  const last = kindOf(s, piece).button?.steps.at(-1);
  if (last?.do !== 'set up') return null;
  const { name } = last;
  return {
    title: name ? msg('abilities.setUp.titleAs', { name }) : msg('abilities.setUp.title'),
    text: msg('abilities.setUp.text'), yes: msg('abilities.setUp.yes'),
  };
}

/**
 * Says why a button was not pressed; '' if that is said as of any piece.
 * @param {State} s
 * @param {import('../../input/ops.js').Refusal} no
 */
export function whyNotPressed(s, { reason, piece }) {
  const of = s.sync.pieces.get(piece);
  if (!of || !kindOf(s, of).button) return '';
  const name = nameOf(s, of);
  switch (reason) {
    case 'empty':
      return msg('abilities.press.empty', { name });
    case 'range':
      return msg('abilities.press.range', { name });
    case 'cooling':
      return msg('abilities.press.cooling', { name });
    case 'hostsPress':
      return msg('abilities.press.hostsPress', { name });
    default:
      return '';
  }
}

/**
 * Returns what a button does, one sentence for each step.
 * @param {Kind} k
 * @returns {string[]}
 */
export function saysSteps({ button }) {
  return button ? sentencesOf(button.steps) : [];
}

/** How many steps are said of a button, and how many characters of each. */
const FIRST = 2;
const MOST = 160;

/**
 * Says in short what a button does: its first steps, and how many more there are.
 * @param {Kind} k
 */
export function explainsSteps(k) {
  const all = saysSteps(k);
  const first = all.slice(0, FIRST);
  const says = first.map((text) => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text));
  const rest = all.length - first.length;
  if (rest > 0) says.push(msg('abilities.steps.more', { n: rest }));
  return says.join('; ');
}

/** What the count of a notice has more for a step that had too few pieces (T87). */
const SHORT = 64;

/**
 * Returns what a press did not do, one sentence for each step.
 * @param {Kind} k
 * @param {number[]} undone the steps, as their notices say
 */
export function saysUndone({ button }, undone) {
  const steps = button ? numbered(button.steps) : [];
  return undone.flatMap((count) => {
    const isShort = count > SHORT;
    const of = steps[count - 1 - (isShort ? SHORT : 0)];
    const step = of ? sentenceOf(of.step, of.isForSeat) : '';
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

/** The most pieces of which it is said that a press has turned them up. */
const FEW = 3;

/** What is written on the buttons that people have pressed last, by their seats. */
const pressedLast = /** @type {Map<number, string>} */ (new Map());

/**
 * Returns what is written on the button that somebody has pressed last; '' if this page has not
 * seen that.
 * @param {number} seat
 */
export const pressedBy = (seat) => pressedLast.get(seat) ?? '';

/**
 * Announces what presses have turned up, if that is not much, also to the one who has pressed.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export function bindTurnedUp(s, voice) {
  /** Who has pressed a button in this frame; 0: nobody. */
  let by = 0;
  /** @type {Piece[]} */
  let up = [];
  const tell = () => {
    const [who, pieces] = [by, up];
    [by, up] = [0, []];
    if (pieces.length === 0 || pieces.length > FEW) return;
    if (who !== s.sync.you) {
      for (const p of pieces) voice.news(nickOf(s, who), 'turnedUp', p.id, nameOf(s, p));
      return;
    }
    const what = list(pieces.map((p) => lower(nameOf(s, p))));
    voice.whisper(msg('abilities.did.turnedUp', { what }));
  };
  onEvent(s, (event) => {
    if (event.type !== 'update' && event.type !== 'acked') return;
    const piece = s.sync.pieces.get(event.piece) ?? null;
    const pressed = event.type === 'acked' ? s.sync.you : event.by;
    if (event.op === 'run' && piece && kindOf(s, piece).button) {
      if (by === 0) queueMicrotask(tell);
      by = pressed;
      pressedLast.set(by, nameOf(s, piece));
    } else if (event.type === 'update' && pressed !== 0 && pressed === by && piece &&
      event.op !== 'roll' && turnsUp(s.catalog, event.before, piece)) up.push(piece);
  });
}

/** @typedef {import('../../kinds/button.js').Answer} Answer */

/** Says a piece by its kind, or that of an answer. @param {string|Answer} kind */
function oneOf(kind) {
  return typeof kind === 'object'
    ? msg('abilities.steps.chosen', { name: kind.answer })
    : msg('abilities.steps.named', { name: kind });
}

/** Says all pieces of a kind, or that of an answer. @param {string|Answer} kind */
function eachOf(kind) {
  return typeof kind === 'object' ? oneOf(kind) : msg('abilities.steps.each', { name: kind });
}

/** Returns a number, or the name of the answer that is one. @param {number|Answer} n */
function numberIn(n) {
  return typeof n === 'object' ? msg('abilities.steps.named', { name: n.answer }) : n;
}

/**
 * Says what a step does; '' for a verb of a newer server.
 * @param {Step} step
 * @param {boolean} isForSeat whether it is done for each who plays (T92)
 * @returns {string}
 */
function sentenceOf(step, isForSeat) {
  const { do: verb, by = 0, add = 0, set, face = 0 } = step;
  const [what, each] = [oneOf(step.kind ?? ''), eachOf(step.kind ?? '')];
  const [to, n] = [oneOf(step.to ?? ''), numberIn(step.n ?? 1)];
  switch (verb) {
    case 'ask':
      return saysAsk(step);
    case 'flip':
      return msg('abilities.steps.flip', { what: each });
    case 'roll':
      return msg('abilities.steps.roll', { what: each });
    case 'shuffle':
      return msg('abilities.steps.shuffle', { what: each });
    case 'recall':
      return msg('abilities.steps.recall', { what: each });
    case 'pass':
      return step.reverse
        ? msg('abilities.steps.passBack', { what })
        : msg('abilities.steps.pass', { what });
    case 'start':
      return step.side
        ? msg('abilities.steps.startSide', { what: each, n: step.side })
        : msg('abilities.steps.start', { what: each });
    case 'sort':
      return msg('abilities.steps.sort', { what: each });
    case 'pause':
      return msg('abilities.steps.pause', { what: each });
    case 'reset':
      return msg('abilities.steps.reset', { what: each });
    case 'face':
      return msg('abilities.steps.face', { what: each, n: face + 1 });
    case 'deal':
      return isForSeat
        ? msg('abilities.steps.dealOne', { what, n })
        : msg('abilities.steps.deal', { what, n });
    case 'move':
      return msg('abilities.steps.move', { what, n, to });
    case 'rotate':
      return msg('abilities.steps.rotate', { what: each, n: by / 100 });
    case 'count':
      if (set !== undefined) return msg('abilities.steps.set', { what: each, n: numberIn(set) });
      return typeof add === 'number' && add < 0
        ? msg('abilities.steps.subtract', { what: each, n: -add })
        : msg('abilities.steps.add', { what: each, n: numberIn(add) });
    case 'if':
      return saysIf(step, isForSeat);
    default:
      if (verb === 'set up') {
        return step.name
          ? msg('abilities.steps.setUpAs', { name: step.name })
          : msg('abilities.steps.setUp');
      }
      return step.steps ? saysEach(step.steps, step.seat) : '';
  }
}

/** Says what is asked. @param {Step} step */
function saysAsk({ name = '', question = '' }) {
  return msg('abilities.steps.ask', { name, question });
}

/**
 * Says what is done for each who plays, or for the player of an answer.
 * @param {Step[]} steps
 * @param {import('../../kinds/button.js').Answer} [seat]
 */
function saysEach(steps, seat) {
  const does = sentencesOf(steps, true).join('; ');
  return seat
    ? msg('abilities.steps.oneSeat', { name: seat.answer, does })
    : msg('abilities.steps.eachSeat', { does });
}

/**
 * Says what steps do. What is done several times, one behind the other, is said once.
 * @param {Step[]} steps
 * @param {boolean} [isForSeat]
 * @returns {string[]}
 */
function sentencesOf(steps, isForSeat = false) {
  const all = steps.map((step) => sentenceOf(step, isForSeat)).filter((text) => text !== '');
  return all.flatMap((does, i) => {
    if (does === all[i - 1]) return [];
    const end = all.findIndex((other, j) => j > i && other !== does);
    const n = (end < 0 ? all.length : end) - i;
    return [n > 1 ? msg('abilities.steps.times', { n, does }) : does];
  });
}

/**
 * Returns steps by their numbers: behind each stand those of its lists.
 * @param {Step[]} steps
 * @param {boolean} [isForSeat]
 * @returns {{step: Step, isForSeat: boolean}[]}
 */
function numbered(steps, isForSeat = false) {
  return steps.flatMap((step) => [
    { step, isForSeat }, ...numbered(step.then ?? [], isForSeat),
    ...numbered(step.else ?? [], isForSeat), ...numbered(step.steps ?? [], true),
  ]);
}

/**
 * Says how a number is compared with another one; '' if a newer server knows more ways.
 * @param {string} is
 * @param {string} count what is counted
 * @param {number} n
 */
function comparing(is, count, n) {
  switch (is) {
    case '=':
      return msg('abilities.if.equal', { count, n });
    case '<':
      return msg('abilities.if.less', { count, n });
    case '<=':
      return msg('abilities.if.atMost', { count, n });
    case '>':
      return msg('abilities.if.more', { count, n });
    case '>=':
      return msg('abilities.if.atLeast', { count, n });
    default:
      return '';
  }
}

/**
 * Says what a step with a condition does; '' if a newer server knows more.
 * @param {Step} step
 * @param {boolean} isForSeat
 */
function saysIf({ is = '', then = [], else: otherwise = [], ...step }, isForSeat) {
  const condition = conditionOf(step, is);
  if (!condition) return '';
  const does = sentencesOf(then, isForSeat).join('; ');
  const instead = sentencesOf(otherwise, isForSeat).join('; ');
  return instead
    ? msg('abilities.steps.ifElse', { condition, does, instead })
    : msg('abilities.steps.if', { condition, does });
}

/**
 * Says a condition; '' if a newer server knows more.
 * @param {Step} step
 * @param {string} is
 */
function conditionOf(step, is) {
  const { of, n } = step;
  if (typeof of === 'object' && n === undefined)
    return msg('abilities.if.chosen', { name: of.answer, choice: is });
  const count = countOf(step);
  return count && comparing(is, count, typeof n === 'number' ? n : 0);
}

/** Returns what a condition counts. @param {Step} step */
function countOf({ of = '', in: zone = '', ...step }) {
  if (typeof of === 'object') return msg('abilities.steps.named', { name: of.answer });
  const kind = oneOf(step.kind ?? '');
  switch (of) {
    case 'value':
      return msg('abilities.if.value', { what: kind });
    case 'holds':
      return msg('abilities.if.holds', { what: kind });
    case 'pieces':
      if (!zone) return msg('abilities.if.pieces', { what: kind });
      return step.kind
        ? msg('abilities.if.inZone', { what: kind, zone })
        : msg('abilities.if.holds', { what: oneOf(zone) });
    default:
      return '';
  }
}
