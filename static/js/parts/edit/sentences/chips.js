// The chips of a sentence: fields that stand in it.

import { el, setAttr } from '../../../view/dom.js';
import { firstMessage } from '../../../messages.js';
import { formOf } from './forms.js';
import { isAnswer } from './model.js';
import { msg } from './msg.js';
import { isSame, joined, optionsOf, split } from './words.js';

/** @typedef {import('./model.js').Sentence} Sentence */
/** @typedef {import('./model.js').Value} Value */
/** @typedef {import('./words.js').Option} Option */
/** @typedef {import('./words.js').Context} Context */

/**
 * Makes the fields of a chip.
 * @param {Sentence} one
 * @param {string} slot
 * @param {Context} context
 * @param {(value: Value) => void} take
 * @returns {HTMLElement[]} each has the name of the slot
 */
export function chip(one, slot, context, take) {
  const of = formOf(one.form).slots[slot];
  const label = firstMessage([`sentences.chip.${slot}`]);
  const value = one.has[slot];
  switch (of.type) {
    case 'number': {
      const { min, max, unit = 1 } = of;
      const options = optionsOf(one, slot, context);
      const field = numberChip(slot, label, isAnswer(value) ? Number.NaN : Number(value),
        { min, max, step: 1 / unit }, take);
      if (options.length === 0) return [field];
      field.hidden = isAnswer(value);
      const number = { value: 1, label: msg('sentences.aNumber') };
      const source = select(slot, msg('sentences.chip.source'), [number, ...options],
        isAnswer(value) ? value : 1, take);
      if (!field.hidden) source.classList.add('chip-narrow'); // what it says stands before it
      return [field, source];
    }
    case 'text':
      return [textChip(slot, label, String(value), of.most,
        take)];
    case 'texts':
      return [textChip(slot, label, joined(Array.isArray(value) ? value : []), 400,
        (text) => take(split(text)))];
    default:
      return [select(slot, label, optionsOf(one, slot, context), value, take)];
  }
}

/**
 * @param {string} slot
 * @param {string} label
 * @param {number} value
 * @param {{min: number, max: number, step: number}} bounds
 * @param {(n: number) => void} take gets NaN for no number
 */
export function numberChip(slot, label, value, { min, max, step }, take) {
  const field = el('input', {
    class: 'chip', type: 'number', 'aria-label': label, 'data-slot': slot, min, max, step,
    value: Number.isFinite(value) ? value : '', inputmode: min < 0 ? 'text' : 'decimal',
    autocomplete: 'off', oninput: () => {
      fit(field);
      take(field.value === '' ? Number.NaN : Number(field.value));
    },
  });
  fit(field);
  return field;
}

/**
 * @param {string} slot
 * @param {string} label
 * @param {string} value
 * @param {number} most
 * @param {(text: string) => void} take
 */
function textChip(slot, label, value, most, take) {
  const field = el('input', {
    class: 'chip', type: 'text', 'aria-label': label, 'data-slot': slot, value, maxlength: most,
    autocomplete: 'off', oninput: () => {
      fit(field);
      take(field.value);
    },
  });
  fit(field);
  return field;
}

/** Gives a field the width of what stands in it. @param {HTMLInputElement} field */
function fit(field) {
  const length = Math.max(field.value.length, 2);
  field.style.setProperty('--letters', String(Math.min(length, 40)));
}

/**
 * @param {string} slot
 * @param {string} label
 * @param {Option[]} options
 * @param {Value} value
 * @param {(value: Value) => void} take
 */
export function select(slot, label, options, value, take) {
  const items = options.map((option, i) => el(
    'option', { value: String(i), selected: isSame(option.value, value) }, option.label,
  ));
  const answers = items.filter((_, i) => options[i].isAnswer);
  const plain = items.filter((_, i) => !options[i].isAnswer);
  const field = el('select', {
    class: 'chip', 'aria-label': label, 'data-slot': slot,
    onchange: () => take(options[Number(field.value)].value),
  }, ...plain, ...(answers.length > 0 && plain.length > 0
    ? [el('optgroup', { label: msg('sentences.answers') }, ...answers)] : answers));
  return field;
}

/**
 * Marks the fields of a slot as wrong, and no others.
 * @param {HTMLElement} within
 * @param {string} slot
 * @param {string} by the identifier of what says why; '' if none is wrong
 */
export function markWrong(within, slot, by) {
  for (const field of within.querySelectorAll('.chip')) {
    const isWrong = by !== '' && field.getAttribute('data-slot') === slot;
    setAttr(field, 'aria-invalid', isWrong ? 'true' : null);
    setAttr(field, 'aria-describedby', isWrong ? by : null);
  }
}
