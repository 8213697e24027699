// The words of sentences: what stands between their chips, and what chips say. No DOM.

import { firstMessage } from '../../../messages.js';
import { choiceOf, fitting } from './fits.js';
import { MOST_FACE, formOf } from './forms.js';
import { forOf, isAnswer, questionsOf } from './model.js';
import { msg } from './msg.js';

/** @typedef {import('./model.js').Sentence} Sentence */
/** @typedef {import('./model.js').Value} Value */
/** @typedef {import('./forms.js').FormName} FormName */
/** @typedef {import('./forms.js').Slot} Slot */
/** @typedef {import('./fits.js').Choice} Choice */
/** @typedef {import('./faults.js').Fault} Fault */

/**
 * Where a sentence stands.
 * @typedef {object} Context
 * @property {Sentence[]} sentences all of the button
 * @property {Choice[]} choices the kinds of the table
 * @property {string[]} setups the set-ups of the table that have names
 * @property {boolean} isForSeat whether it stands in an `each`
 */

/** A sign around the name of a slot, which stands in no text. */
const MARK = '\u0001';
const mark = (/** @type {string} */ slot) => MARK + slot + MARK;

/**
 * Returns the parts of a sentence: texts, and in every second place the slot of a chip.
 * @param {Sentence} one
 * @param {Context} context
 * @returns {string[]}
 */
export function partsOf(one, context) {
  const { form, has } = one;
  const is = form === 'deal' && context.isForSeat ? 'dealOne' : form;
  return msg(`sentences.says.${is}`, {
    n: mark('n'), kind: mark('kind'), to: mark('to'), up: mark('up'), by: mark('by'),
    face: mark('face'), way: mark('way'), side: mark('side'), in: mark('in'), is: mark('is'),
    of: mark('of'), seat: mark('seat'), question: mark('question'), name: mark('name'),
    min: mark('min'), max: mark('max'), initial: mark('initial'), choices: mark('choices'),
    setup: mark('setup'),
    cards: cardsOf(has, context),
  }).split(MARK);
}

/**
 * Says what comes out of a container.
 * @param {Record<string, Value>} has
 * @param {Context} context
 */
function cardsOf({ n, kind }, { sentences, choices }) {
  const name = isAnswer(kind) ? questionOf(sentences, kind.answer)?.has.kind : kind;
  const { container } = choiceOf(choices, name)?.kind ?? {};
  const count = typeof n === 'number' && Number.isFinite(n) ? n : 2;
  return container?.takes === undefined && container
    ? msg('sentences.pieces', { n: count }) : msg('sentences.cards', { n: count });
}

/** @param {Sentence[]} sentences @param {number} id */
const questionOf = (sentences, id) => questionsOf(sentences).find((one) => one.id === id);

/**
 * Says a sentence, as it is read.
 * @param {Sentence} one
 * @param {Context} context
 */
export function saysOf(one, context) {
  return partsOf(one, context).map((part, i) =>
    (i % 2 ? saysSlot(one, part, context) : part)).join('');
}

/** Says what a chip says. @param {Sentence} one @param {string} slot @param {Context} context */
function saysSlot(one, slot, context) {
  const value = one.has[slot];
  const of = formOf(one.form).slots[slot];
  switch (of.type) {
    case 'number':
      if (isAnswer(value)) break;
      return Number.isFinite(value) ? String(value) : msg('sentences.blank');
    case 'text':
      return String(value).trim() === '' ? msg('sentences.blank')
        : msg('sentences.quoted', { text: String(value) });
    case 'texts':
      return msg('sentences.quoted', { text: joined(Array.isArray(value) ? value : []) });
    default:
  }
  const mayLack = of.type === 'setup' || 'any' in of && of.any;
  if (value === '' && !mayLack) return msg('sentences.blank');
  return optionsOf(one, slot, context).find((option) => isSame(option.value, value))?.label ??
    msg('sentences.blank');
}

/** @param {Value} a @param {Value} b */
export const isSame = (a, b) =>
  (isAnswer(a) && isAnswer(b) ? a.answer === b.answer : a === b);

/** What can be chosen. @typedef {{value: Value, label: string, isAnswer?: boolean}} Option */

/**
 * Returns what can be chosen at a chip, and what is chosen there although it does not fit.
 * @param {Sentence} one
 * @param {string} slot
 * @param {Context} context
 * @returns {Option[]}
 */
export function optionsOf(one, slot, context) {
  const value = one.has[slot];
  const of = formOf(one.form).slots[slot];
  const options = fittingOptions(one, of, context);
  if (value === '' || isAnswer(value) || of.type === 'number')
    return options.some((o) => isSame(o.value, value)) || of.type === 'number'
      ? options : [{ value, label: msg('sentences.empty') }, ...options];
  return options.some((o) => isSame(o.value, value))
    ? options : [...options, { value, label: msg('sentences.gone', { name: String(value) }) }];
}

/** @param {Sentence} one @param {Slot} of @param {Context} context @returns {Option[]} */
function fittingOptions(one, of, context) {
  switch (of.type) {
    case 'number':
      return of.answer ? answersFor('number', context) : [];
    case 'kind': {
      const kinds = fitting(context.choices, of.of).map(({ name, label }) =>
        ({ value: name, label: of.each ? msg('sentences.each', { name: label }) : label }));
      return [
        ...(of.any ? [{ value: '', label: msg('sentences.anyPiece') }] : []), ...kinds,
        ...(of.answer ? answersFor('piece', context) : []),
      ];
    }
    case 'pick':
      return of.options.map(([value]) =>
        ({ value, label: firstMessage([`sentences.pick.${value}`]) }));
    case 'setup':
      return [
        { value: '', label: msg('sentences.firstSetUp') },
        ...context.setups.map((value) => ({ value, label: value })),
      ];
    case 'answer':
      return [
        ...(of.any ? [{ value: '', label: msg('sentences.everySeat') }] : []),
        ...answersFor(of.of, context),
      ];
    case 'choice': {
      const { of: asked } = one.has;
      const id = isAnswer(asked) ? asked.answer : 0;
      const choices = questionOf(context.sentences, id)?.has.choices;
      return Array.isArray(choices) ? choices.map((value) => ({ value, label: value })) : [];
    }
    default:
      return of.type === 'face' ? sidesOf(one, context) : [];
  }
}

/** @param {import('./forms.js').For} is @param {Context} context @returns {Option[]} */
function answersFor(is, { sentences }) {
  return questionsOf(sentences).filter((one) => forOf(one) === is).map(({ id, has }) => {
    const name = String(has.name).trim();
    const label = is === 'piece' ? msg('sentences.pieceOf', { name })
      : is === 'seat' ? msg('sentences.seatOf', { name }) : msg('sentences.answer', { name });
    return { value: { answer: id }, label, isAnswer: true };
  });
}

/** Returns the sides of what is turned. @param {Sentence} one @param {Context} context */
function sidesOf({ has: { kind } }, { sentences, choices }) {
  const name = isAnswer(kind) ? questionOf(sentences, kind.answer)?.has.kind : kind;
  const faces = choiceOf(choices, name)?.kind.faces ?? [{ name: '' }, { name: '' }];
  return faces.slice(0, MOST_FACE + 1).map((face, value) => ({
    value,
    label: face.name ? msg('sentences.namedSide', { number: value + 1, name: face.name })
      : msg('sentences.aSide', { number: value + 1 }),
  }));
}

/** Returns texts with commas between them, or bars if one has a comma. @param {string[]} all */
export const joined = (all) => all.join(all.some((text) => text.includes(',')) ? ' | ' : ', ');

/** Reads texts that stand between commas or bars. @param {string} text */
export const split = (text) =>
  text.split(text.includes('|') ? '|' : ',').map((one) => one.trim()).filter(Boolean);

/** Says what is wrong with a sentence. @param {Fault} fault */
export const saysFault = ({ what, min = 0, max = 0 }) =>
  msg(`sentences.fault.${what}`, { min, max });

/** What the kinds lack of which a sentence would say something, by what it wants. */
const LACKS = /** @type {const} */ ({
  deal: 'deck', move: 'deck', recall: 'deck', holds: 'deck', shuffle: 'ordered', sort: 'zone',
  zone: 'zone', flip: 'sides', face: 'sides', roll: 'die', count: 'counter', value: 'counter',
  pass: 'turn', start: 'clock', pause: 'clock', reset: 'clock', to: 'piece', rotate: 'piece',
  pieces: 'piece', inZone: 'piece', piece: 'piece',
});

/**
 * Says why a sentence of a form cannot be said at this table yet; '' if it can be.
 * @param {FormName} form
 * @param {Context} context
 */
export function lacks(form, { sentences, choices }) {
  for (const of of Object.values(formOf(form).slots)) {
    if (of.type === 'kind' && !of.any && fitting(choices, of.of).length === 0)
      return msg(`sentences.lacks.${LACKS[of.of]}`);
    if (of.type !== 'answer' || of.any) continue;
    if (!questionsOf(sentences).some((one) => forOf(one) === of.of))
      return of.of === 'choice' ? msg('sentences.lacks.choice') : msg('sentences.lacks.number');
  }
  return '';
}
