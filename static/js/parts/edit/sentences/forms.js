// The forms of sentences: what each says of a step of a button (T85), and its chips. No DOM.

/** @typedef {import('../../../kinds/button.js').Step} Step */

/** The bounds of buttons (docs/guides/games.md, Buttons). */
export const MOST_STEPS = 64;
export const MOST_DEEP = 2;
export const MOST_QUESTIONS = 4;
export const MOST_COOLDOWN = 60_000;
/** The greatest number of a counter. */
const MOST_NUMBER = 2 ** 30;
const MOST_DEALT = 100;
const MOST_NAME = 80;
const MOST_QUESTION = 120;
const MOST_FACES = 64;
export const MOST_CHOICES = 8;
export const MOST_CHOICE = 40;
/** Hundredths of a degree in a degree, and the greatest angle. */
const DEGREE = 100;
const MOST_ANGLE = 359.99;

/**
 * For what a kind is wanted: what its pieces must be able to do (fits.js).
 * @typedef {'deal'|'move'|'to'|'shuffle'|'recall'|'sort'|'flip'|'rotate'|'face'|'count'|'roll'|
 *   'pass'|'start'|'pause'|'reset'|'value'|'pieces'|'inZone'|'zone'|'holds'|'piece'} Wanted
 */
/** For what a question is (T95). @typedef {'number'|'choice'|'seat'|'piece'} For */

/**
 * A chip: what stands at one place of a sentence, and in which field of the step. `unit` of it are
 * one of the field. An answer may stand in the place of a number or a kind. With `each` all pieces
 * of the kind are meant, with `any` nothing need be chosen.
 * @typedef {{type: 'number', field: string, min: number, max: number, unit?: number,
 *   answer?: boolean}} NumberSlot
 * @typedef {{type: 'kind', field: string, of: Wanted, answer?: boolean, any?: boolean,
 *   each?: boolean}} KindSlot
 * @typedef {{type: 'pick', field: string, options: [id: string, value: any][]}} PickSlot
 * @typedef {{type: 'text', field: string, most: number}} TextSlot
 * @typedef {{type: 'texts', field: string}} TextsSlot
 * @typedef {{type: 'answer', field: string, of: For, any?: boolean}} AnswerSlot
 * @typedef {{type: 'choice', field: string}} ChoiceSlot one of the choices of a question
 * @typedef {{type: 'face', field: string}} FaceSlot
 * @typedef {{type: 'setup', field: string}} SetupSlot '' is the first one
 * @typedef {NumberSlot|KindSlot|PickSlot|TextSlot|TextsSlot|AnswerSlot|ChoiceSlot|FaceSlot|
 *   SetupSlot} Slot
 */
/**
 * A form. `then` and `else` are lists of sentences that it has; the second may be empty.
 * @typedef {object} Form
 * @property {string} verb
 * @property {Record<string, Slot>} slots
 * @property {Record<string, any>} [has] what its steps have beside the slots
 * @property {string[]} [lists] the fields of its lists
 */

/** @param {Wanted} of @param {Partial<KindSlot>} [more] @returns {KindSlot} */
const kind = (of, more) => ({ type: 'kind', field: 'kind', of, ...more });
/** @param {Wanted} of @param {Partial<KindSlot>} [more] @returns {KindSlot} */
const kindOrAnswer = (of, more) => kind(of, { answer: true, ...more });
/** @param {Wanted} of @returns {KindSlot} */
const each = (of) => kindOrAnswer(of, { each: true });
/**
 * @param {string} field
 * @param {number} min
 * @param {number} max
 * @param {Partial<NumberSlot>} [more]
 * @returns {NumberSlot}
 */
const number = (field, min, max, more) => ({ type: 'number', field, min, max, ...more });
/** @param {string} field @param {number} [min] @param {number} [max] */
const numberOrAnswer = (field, min = -MOST_NUMBER, max = MOST_NUMBER) =>
  number(field, min, max, { answer: true });
/** @param {string} field @param {[string, any][]} options @returns {PickSlot} */
const pick = (field, ...options) => ({ type: 'pick', field, options });
/** @param {string} field @param {number} most @returns {TextSlot} */
const text = (field, most) => ({ type: 'text', field, most });

const compared = {
  is: pick('is', ['atLeast', '>='], ['atMost', '<='], ['more', '>'], ['less', '<'], ['equal', '=']),
  n: number('n', -MOST_NUMBER, MOST_NUMBER),
};
const asked = { question: text('question', MOST_QUESTION), name: text('name', MOST_NAME) };
const LISTS = ['then', 'else'];

/** @param {Wanted} of @param {KindSlot} [is] @returns {Form} */
const plain = (of, is = kindOrAnswer(of)) => ({ verb: of, slots: { kind: is } });
/** @param {string} of @param {Record<string, Slot>} slots @returns {Form} */
const condition = (of, slots) => ({
  verb: 'if', has: { of }, slots: { ...slots, ...compared }, lists: LISTS,
});
/** @param {For} of @param {Record<string, Slot>} slots @returns {Form} */
const question = (of, slots = {}) => ({
  verb: 'ask', has: { for: of }, slots: { ...asked, ...slots },
});

/** The forms by their names, in the order in which they are offered. */
export const FORMS = /** @satisfies {Record<string, Form>} */ ({
  deal: {
    verb: 'deal', slots: { n: numberOrAnswer('n', 1, MOST_DEALT), kind: kindOrAnswer('deal') },
  },
  move: {
    verb: 'move',
    slots: {
      n: numberOrAnswer('n', 1, MOST_DEALT),
      kind: kindOrAnswer('move'),
      to: { type: 'kind', field: 'to', of: 'to', answer: true },
      up: pick('face', ['asDrawn', undefined], ['up', 0], ['down', 1]),
    },
  },
  shuffle: plain('shuffle'),
  recall: plain('recall'),
  sort: plain('sort'),
  roll: plain('roll', each('roll')),
  flip: plain('flip', each('flip')),
  face: { verb: 'face', slots: { kind: each('face'), face: { type: 'face', field: 'face' } } },
  rotate: {
    verb: 'rotate',
    slots: {
      kind: each('rotate'),
      by: number('by', 1 / DEGREE, MOST_ANGLE, { unit: DEGREE }),
    },
  },
  add: { verb: 'count', slots: { n: numberOrAnswer('add'), kind: each('count') } },
  set: { verb: 'count', slots: { kind: each('count'), n: numberOrAnswer('set') } },
  pass: {
    verb: 'pass',
    slots: {
      kind: kindOrAnswer('pass'),
      way: pick('reverse', ['next', undefined], ['back', true]),
    },
  },
  start: {
    verb: 'start',
    slots: {
      kind: each('start'),
      side: pick('side', ['waiting', undefined], ['first', 1], ['second', 2]),
    },
  },
  pause: plain('pause', each('pause')),
  reset: plain('reset', each('reset')),
  ifValue: condition('value', { kind: kind('value') }),
  ifHolds: condition('holds', { kind: kind('holds') }),
  ifPieces: condition('pieces', { kind: kind('pieces') }),
  ifInZone: condition('pieces', {
    kind: kind('inZone', { any: true }), in: { type: 'kind', field: 'in', of: 'zone' },
  }),
  ifNumber: {
    verb: 'if', lists: LISTS,
    slots: { of: { type: 'answer', field: 'of', of: 'number' }, ...compared },
  },
  ifChoice: {
    verb: 'if', lists: LISTS,
    slots: {
      of: { type: 'answer', field: 'of', of: 'choice' },
      is: { type: 'choice', field: 'is' },
    },
  },
  each: {
    verb: 'each seat', lists: ['steps'],
    slots: { seat: { type: 'answer', field: 'seat', of: 'seat', any: true } },
  },
  askNumber: question('number', {
    min: number('min', -MOST_NUMBER, MOST_NUMBER), max: number('max', -MOST_NUMBER, MOST_NUMBER),
    initial: number('initial', -MOST_NUMBER, MOST_NUMBER),
  }),
  askChoice: question('choice', { choices: { type: 'texts', field: 'choices' } }),
  askSeat: question('seat'),
  askPiece: question('piece', { kind: kind('piece') }),
  setUp: { verb: 'set up', slots: { setup: { type: 'setup', field: 'name' } } },
});

/** @typedef {keyof typeof FORMS} FormName */

/** @param {FormName} name @returns {Form} */
export const formOf = (name) => FORMS[name];

/** The greatest number of a side of a piece. */
export const MOST_FACE = MOST_FACES - 1;

/** What the steps of a button ask first. @param {FormName} name */
export const asks = (name) => formOf(name).verb === 'ask';

/** What is the last step of a button. @param {FormName} name */
export const setsUp = (name) => formOf(name).verb === 'set up';

/** What has lists of sentences. @param {FormName} name */
export const hasLists = (name) => formOf(name).lists !== undefined;

/**
 * Returns the form of a step; null if a newer server knows more.
 * @param {Step} step
 * @param {For} [of] for what the question is that it compares
 * @returns {FormName|null}
 */
export function nameOf(step, of) {
  switch (step.do) {
    case 'count':
      return step.set === undefined ? 'add' : 'set';
    case 'if':
      if (typeof step.of === 'object') return of === 'choice' ? 'ifChoice' : 'ifNumber';
      if (step.of === 'value') return 'ifValue';
      if (step.of === 'holds') return 'ifHolds';
      if (step.of !== 'pieces') return null;
      return step.in === undefined ? 'ifPieces' : 'ifInZone';
    case 'ask': {
      const names = /** @type {Record<string, FormName>} */ ({
        number: 'askNumber', choice: 'askChoice', seat: 'askSeat', piece: 'askPiece',
      });
      return names[step.for ?? ''] ?? null;
    }
    case 'each seat':
      return 'each';
    case 'set up':
      return 'setUp';
    default:
      return Object.hasOwn(FORMS, step.do) && formOf(/** @type {FormName} */ (step.do)).verb ===
        step.do ? /** @type {FormName} */ (step.do) : null;
  }
}
