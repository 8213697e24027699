// The rules of the game, if it came with some (G12). The server sends them as a tree of a few
// elements: nothing in them is markup.

import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */

/**
 * An element with what stands in it (http.md, Rules).
 * @typedef {{tag: string, href?: string, start?: number, in?: (string|Prose)[]}} Prose
 */

/**
 * The elements that are made, by their tags. The title of the dialog is the only h2.
 * @type {Map<string, keyof HTMLElementTagNameMap>}
 */
const TAGS = new Map([
  ['h1', 'h3'], ['h2', 'h3'], ['h3', 'h4'], ['h4', 'h5'], ['h5', 'h6'], ['h6', 'h6'],
  ...(/** @type {const} */ ([
    'p', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 's', 'br', 'hr', 'a',
    'table', 'thead', 'tr', 'th', 'td',
  ])).map((tag) => /** @type {[string, keyof HTMLElementTagNameMap]} */ ([tag, tag])),
]);

/** Returns whether the game came with rules, and there is a server to ask. @param {State} s */
export const hasRules = (s) => s.page.main.dataset.rules !== undefined && !s.isReplay;

/** Makes the button that opens the rules; null if there are none. @param {State} s */
export function rulesButton(s) {
  if (!hasRules(s)) return null;
  return el(
    'button', { class: 'secondary', 'data-rules-door': true, onclick: () => void openRules(s) },
    icon('rules'), msg('dialogs.rules.open'),
  );
}

/** Fetches the rules and shows them. @param {State} s */
export async function openRules(s) {
  const status = el('p', { class: 'quiet', role: 'status' }, msg('core.link.connecting'));
  const body = el('div', { class: 'prose' }, status);
  const d = openDialog(
    s.page.main, 'rules', msg('dialogs.rules.title'), msg('dialogs.rules.close'), body,
  );
  /** @type {{file: string, text?: (string|Prose)[]}|null} */
  const rules = await fetch(`${s.api}/rules`, { headers: { Accept: 'application/json' } })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  if (!d.isConnected) return;
  if (!rules) {
    body.replaceChildren(
      el('p', { class: 'problem', role: 'alert' }, msg('dialogs.rules.failed')),
    );
    return;
  }
  if (rules.text) body.replaceChildren(...rules.text.map(made));
  else
    body.replaceChildren(
      el('p', {}, msg('dialogs.rules.pdf')),
      el('a', { class: 'button primary', href: rules.file, download: 'rules.pdf' },
        msg('dialogs.rules.save')),
    );
}

/** Makes an element, or a text. @param {string|Prose} of @returns {Node} */
export function made(of) {
  if (typeof of === 'string') return document.createTextNode(of);
  const inside = (of.in ?? []).map(made);
  const isEmpty = inside.length === 0; // the corner of a table heads nothing
  const tag = TAGS.get(of.tag === 'th' && isEmpty ? 'td' : of.tag);
  if (!tag) return el('span', {}, ...inside); // of a later version
  const isLink = tag === 'a' && /^(https?:\/\/|mailto:)/i.test(of.href ?? '');
  const e = el(
    tag,
    {
      href: isLink && of.href,
      target: isLink && '_blank',
      rel: isLink && 'noopener noreferrer',
      start: tag === 'ol' && of.start,
      scope: tag === 'th' && 'col',
    },
    ...inside,
  );
  // a table may be wider than the dialog
  return tag === 'table' ? el('div', { class: 'wide', tabindex: '0' }, e) : e;
}
