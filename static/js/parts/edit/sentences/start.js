// What a new sentence says at first: whatever of the table fits. No DOM.

import { choiceOf, fitting } from './fits.js';
import { asks, formOf } from './forms.js';
import { forOf, questionsOf, sentence } from './model.js';
import { msg } from './msg.js';

/** @typedef {import('./model.js').Sentence} Sentence */
/** @typedef {import('./model.js').Value} Value */
/** @typedef {import('./forms.js').FormName} FormName */
/** @typedef {import('./forms.js').For} For */
/** @typedef {import('./words.js').Context} Context */

/** Numbers with which sentences begin. @type {Record<string, number>} */
const NUMBERS = { n: 1, by: 90, min: 1, max: 5, initial: 1 };

/**
 * Makes a sentence.
 * @param {FormName} form
 * @param {Context} context
 * @returns {Sentence}
 */
export function begin(form, { sentences, choices }) {
  /** @type {Record<string, Value>} */
  const has = {};
  /** @type {Set<string>} */
  const chosen = new Set(); // not twice the same, such as from a deck to itself
  for (const [slot, of] of Object.entries(formOf(form).slots)) {
    switch (of.type) {
      case 'number':
        has[slot] = NUMBERS[slot];
        break;
      case 'kind': {
        const fit = fitting(choices, of.of).filter((choice) => !chosen.has(choice.name));
        const [first = fitting(choices, of.of)[0]] = fit;
        const one = of.any ? null : of.of === 'to' ? fit.find(takes) ?? first : first;
        has[slot] = one?.name ?? '';
        chosen.add(has[slot]);
        break;
      }
      case 'pick':
        has[slot] = of.options[0][0];
        break;
      case 'texts':
        has[slot] = [msg('sentences.yes'), msg('sentences.no')];
        break;
      case 'answer': {
        const question = questionsOf(sentences).findLast((one) => forOf(one) === of.of);
        has[slot] = question && !of.any ? { answer: question.id } : '';
        break;
      }
      case 'choice':
        has[slot] = firstChoice(sentences);
        break;
      default:
        has[slot] = of.type === 'face' ? 0 : '';
    }
  }
  const { counter } = choiceOf(choices, has.kind)?.kind ?? {};
  if (form === 'set' && counter) has.n = counter.initial;
  const one = sentence(form, has);
  const is = forOf(one);
  if (asks(form) && is) name(has, is, sentences);
  return one;
}

/** Reports whether pieces are put there as a rule. @param {import('./fits.js').Choice} choice */
const takes = ({ kind }) => kind.zone !== undefined || kind.container !== undefined;

/** The first choice of the last question for one. @param {Sentence[]} sentences */
function firstChoice(sentences) {
  const question = questionsOf(sentences).findLast((one) => forOf(one) === 'choice');
  const choices = question?.has.choices;
  return Array.isArray(choices) ? choices[0] ?? '' : '';
}

/** @param {Record<string, Value>} has @param {For} is @param {Sentence[]} sentences */
function name(has, is, sentences) {
  const taken = new Set(questionsOf(sentences).map((one) => one.has.name));
  const named = msg(`sentences.named.${is}`);
  has.question = msg(`sentences.first.${is}`);
  has.name = named;
  for (let n = 2; taken.has(has.name); n++) has.name = `${named} ${n}`;
}
