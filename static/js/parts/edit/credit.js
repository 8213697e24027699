// Who made the pictures that somebody brings (G27): asked for once, and remembered in this browser
// for the next pictures.

import { el } from '../../view/dom.js';
import { msg } from './msg.js';

/** @typedef {{author?: string, licence?: string, source?: string}} Credit */

/** The most characters of each. */
const MOST = { author: 100, licence: 100, source: 300 };

/** Where they are remembered. */
const KEY = 'holt-credit';

/** Returns what was said of the last pictures. @returns {Credit} */
function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return tidy(kept && typeof kept === 'object' ? kept : {});
  } catch {
    return {};
  }
}

/**
 * Returns what can stand in a game file: texts in one line, without those that are empty.
 * @param {Record<string, unknown>} values
 * @returns {Credit}
 */
export function tidy(values) {
  /** @type {Credit} */
  const credit = {};
  for (const name of /** @type {(keyof typeof MOST)[]} */ (Object.keys(MOST))) {
    const text = String(values[name] ?? '').replace(/[\p{C}\p{Z}]/gu, ' ').trim();
    const is = [...text].slice(0, MOST[name]).join('').trim();
    if (is) credit[name] = is;
  }
  return credit;
}

/**
 * Makes the fields, with what was said of the last pictures.
 * @param {typeof import('./form.js').textField} textField
 */
export function creditFields(textField) {
  /** @type {Record<string, string|undefined>} */
  const values = { ...remembered() };
  const field = (/** @type {keyof typeof MOST} */ name, /** @type {string} */ label) =>
    textField(label, values[name] ?? '', MOST[name], (text) => {
      values[name] = text;
    }).root;
  const root = el(
    'fieldset', { class: 'edit-credit', hidden: true },
    el('legend', {}, msg('edit.credit.title')),
    el('div', { class: 'edit-row' },
      field('author', msg('edit.credit.author')), field('licence', msg('edit.credit.licence'))),
    field('source', msg('edit.credit.source')),
    el('p', { class: 'quiet edit-hint' }, msg('edit.credit.about')),
  );
  return {
    root,
    /** Returns what is said, and remembers it for the next pictures. */
    take: () => {
      const credit = tidy(values);
      try {
        localStorage.setItem(KEY, JSON.stringify(credit));
      } catch {
        // a browser that keeps nothing asks again
      }
      return credit;
    },
  };
}
