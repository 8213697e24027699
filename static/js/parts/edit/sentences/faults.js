// What is wrong with sentences, as the server would say it: so the page can say which one it is
// before it sends them. No DOM.

import { choiceOf, fits } from './fits.js';
import {
  MOST_CHOICE, MOST_CHOICES, MOST_FACE, MOST_QUESTIONS, MOST_STEPS, asks, formOf,
} from './forms.js';
import { all, forOf, isAnswer, questionsOf } from './model.js';

/** @typedef {import('./model.js').Sentence} Sentence */
/** @typedef {import('./forms.js').Slot} Slot */
/** @typedef {import('./fits.js').Choice} Choice */

/**
 * What is wrong with a chip of a sentence, or with the sentence if `slot` is ''.
 * @typedef {object} Fault
 * @property {'kind'|'number'|'zero'|'text'|'taken'|'choices'|'answer'|'bounds'|'choice'|'face'|
 *   'shows'|'range'|'begin'|'empty'} what
 * @property {string} slot
 * @property {number} [min]
 * @property {number} [max]
 */
/** What is wrong with all of them. @typedef {'none'|'many'|'questions'|'onlyAsks'} Whole */

/**
 * Returns what is wrong with all sentences of a button; null if nothing is.
 * @param {Sentence[]} sentences
 * @returns {Whole|null}
 */
export function wholeFault(sentences) {
  if (sentences.length === 0) return 'none';
  if (all(sentences).length > MOST_STEPS) return 'many';
  if (questionsOf(sentences).length > MOST_QUESTIONS) return 'questions';
  return sentences.every(({ form }) => asks(form)) ? 'onlyAsks' : null;
}

/**
 * Returns what is wrong with sentences, by their numbers. Of each it is the first thing.
 * @param {Sentence[]} sentences
 * @param {Choice[]} choices the kinds of the table
 * @returns {Map<number, Fault>}
 */
export function faultsIn(sentences, choices) {
  const questions = questionsOf(sentences);
  /** @type {Map<number, Fault>} */
  const faults = new Map();
  for (const one of all(sentences)) {
    const fault = faultIn(one, questions, choices);
    if (fault) faults.set(one.id, fault);
  }
  return faults;
}

/** @param {Sentence} one @param {Sentence[]} questions @param {Choice[]} choices
 * @returns {Fault|null} */
function faultIn(one, questions, choices) {
  for (const [slot, of] of Object.entries(formOf(one.form).slots)) {
    const fault = faultAt(one, slot, of, questions, choices);
    if (fault) return { slot, ...fault };
  }
  const between = betweenSlots(one, questions, choices);
  if (between) return between;
  const isEmpty = one.lists.length > 0 && one.lists[0].length === 0;
  return isEmpty ? { what: 'empty', slot: '' } : null;
}

/**
 * @param {Sentence} one
 * @param {string} slot
 * @param {Slot} of
 * @param {Sentence[]} questions
 * @param {Choice[]} choices
 * @returns {Omit<Fault, 'slot'>|null}
 */
function faultAt(one, slot, of, questions, choices) {
  const value = one.has[slot];
  if (isAnswer(value)) return answerFault(value.answer, of, questions, choices);
  switch (of.type) {
    case 'number': {
      const { min, max, unit = 1 } = of;
      const isWhole = typeof value === 'number' && isNear(value * unit);
      return isWhole && value >= min && value <= max ? null : { what: 'number', min, max };
    }
    case 'kind': {
      if (value === '' && of.any) return null;
      const choice = choiceOf(choices, value);
      return choice && fits(choice, of.of) ? null : { what: 'kind' };
    }
    case 'text':
      return textFault(one, slot, of.most, questions);
    case 'texts':
      return areChoices(value) ? null : { what: 'choices' };
    case 'answer':
      return of.any && value === '' ? null : { what: 'answer' };
    case 'choice': {
      const { of: asked } = one.has;
      const question = isAnswer(asked) && questions.find(({ id }) => id === asked.answer);
      const isOne = question && Array.isArray(question.has.choices) &&
        question.has.choices.includes(String(value));
      return isOne ? null : { what: 'choice' };
    }
    case 'face':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_FACE
        ? null : { what: 'face' };
    default:
      return null;
  }
}

/** Reports whether a number is whole, as near as computers know. @param {number} n */
const isNear = (n) => Math.abs(n - Math.round(n)) < 1e-6;

/** @param {number} id @param {Slot} of @param {Sentence[]} questions @param {Choice[]} choices
 * @returns {Omit<Fault, 'slot'>|null} */
function answerFault(id, of, questions, choices) {
  const question = questions.find((one) => one.id === id);
  if (!question) return { what: 'answer' };
  const is = forOf(question);
  switch (of.type) {
    case 'number': {
      if (is !== 'number') return { what: 'answer' };
      const { min, max } = of;
      return Number(question.has.min) >= min && Number(question.has.max) <= max
        ? null : { what: 'bounds', min, max };
    }
    case 'kind': {
      const choice = choiceOf(choices, question.has.kind);
      return is === 'piece' && choice && fits(choice, of.of) ? null : { what: 'answer' };
    }
    case 'answer':
      return is === of.of ? null : { what: 'answer' };
    default:
      return { what: 'answer' };
  }
}

/** @param {Sentence} one @param {string} slot @param {number} most @param {Sentence[]} questions
 * @returns {Omit<Fault, 'slot'>|null} */
function textFault(one, slot, most, questions) {
  const text = String(one.has[slot]).trim();
  if (text === '' || [...text].length > most) return { what: 'text', max: most };
  const isTaken = slot === 'name' && asks(one.form) && questions.some((other) =>
    other !== one && String(other.has.name).trim() === text);
  return isTaken ? { what: 'taken' } : null;
}

/** @param {unknown} value */
function areChoices(value) {
  return Array.isArray(value) && value.length >= 2 && value.length <= MOST_CHOICES &&
    new Set(value).size === value.length &&
    value.every((text) => text !== '' && [...text].length <= MOST_CHOICE);
}

/** Returns the least and the greatest number of a chip. @param {unknown} value
 * @param {Sentence[]} questions */
function boundsOf(value, questions) {
  if (!isAnswer(value)) return [Number(value)];
  const { min, max } = questions.find(({ id }) => id === value.answer)?.has ?? {};
  return [Number(min), Number(max)];
}

/** Returns what is wrong between chips. @param {Sentence} one @param {Sentence[]} questions
 * @param {Choice[]} choices @returns {Fault|null} */
function betweenSlots({ form, has }, questions, choices) {
  const { kind } = choiceOf(choices, has.kind) ?? {};
  if (form === 'add' && has.n === 0) return { what: 'zero', slot: 'n' };
  if (form === 'set' && kind?.counter) {
    const { min, max } = kind.counter;
    const bounds = boundsOf(has.n, questions);
    if (bounds.some((n) => n < min || n > max)) return { what: 'shows', slot: 'n', min, max };
  }
  if (form === 'face' && kind && Number(has.face) >= kind.faces.length)
    return { what: 'face', slot: 'face' };
  if (form === 'start' && kind?.clock && has.side === 'second' && kind.clock.displays.length < 2)
    return { what: 'face', slot: 'side' };
  if (form === 'askNumber') {
    const [min, max, initial] = [has.min, has.max, has.initial].map(Number);
    if (max <= min) return { what: 'range', slot: 'max' };
    if (initial < min || initial > max) return { what: 'begin', slot: 'initial', min, max };
  }
  return null;
}
