// The rules of the game, if it came with some (G12). The server sends them as a tree of a few
// elements: nothing in them is markup.

import { msg } from './msg.js';
import { redrawBars } from '../../bars/state.js';
import { leaveSide, standBeside } from '../../view/camera.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */

/**
 * An element with what stands in it (http.md, Rules).
 * @typedef {{tag: string, href?: string, start?: number, in?: (string|Prose)[]}} Prose
 */

/**
 * The elements that are made, by their tags. The title of the panel is the only h2.
 * @type {Map<string, keyof HTMLElementTagNameMap>}
 */
const TAGS = new Map([
  ['h1', 'h3'], ['h2', 'h3'], ['h3', 'h4'], ['h4', 'h5'], ['h5', 'h6'], ['h6', 'h6'],
  ...(/** @type {const} */ ([
    'p', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 's', 'br', 'hr', 'a',
    'table', 'thead', 'tr', 'th', 'td',
  ])).map((tag) => /** @type {[string, keyof HTMLElementTagNameMap]} */ ([tag, tag])),
]);

/** The panel; null before it has been opened. @type {ReturnType<typeof createPanel>|null} */
let panel = null;

/** The element that had the focus when the panel was opened. @type {HTMLElement|null} */
let before = null;

/** Returns whether the game came with rules, and there is a server to ask. @param {State} s */
export const hasRules = (s) => s.page.main.dataset.rules !== undefined && !s.isReplay;

/** Makes the button that opens the rules; null if there are none. @param {State} s */
export function rulesButton(s) {
  if (!hasRules(s)) return null;
  return el(
    'button', { class: 'secondary', 'data-rules-door': true, onclick: () => openRules(s) },
    icon('rules'), msg('dialogs.rules.open'),
  );
}

/**
 * Shows the rules beside the table, and closes the dialog with the button.
 * @param {State} s
 */
function openRules(s) {
  s.page.main.querySelector('dialog')?.close();
  panel ??= createPanel(s);
  if (panel.root.hidden) before = /** @type {HTMLElement|null} */ (document.activeElement);
  panel.root.hidden = false;
  standBeside(s, 'ruled', panel.shut);
  panel.body.focus({ preventScroll: true });
  if (!panel.isComplete()) void panel.read();
}

/**
 * Makes the panel with the rules: a column beside the table. On phones it is a sheet below it.
 * @param {State} s
 */
function createPanel(s) {
  const body = el('div', {
    class: 'prose rules-body', tabindex: '0', role: 'group',
    'aria-label': msg('dialogs.rules.text'),
  });
  const shut = () => {
    const { activeElement: focused } = document;
    // At once, since the browser notices only later that what is hidden has no focus.
    if (focused instanceof HTMLElement && root.contains(focused)) focused.blur();
    root.hidden = true;
    leaveSide(s, 'ruled', shut);
    redrawBars(s);
    if (before?.isConnected) before.focus({ preventScroll: true });
  };
  const higher = el(
    'button',
    {
      class: 'plain rules-higher', 'aria-label': msg('dialogs.rules.higher'),
      'aria-pressed': 'false',
      onclick: () => {
        const isHigh = root.classList.toggle('high');
        higher.setAttribute('aria-pressed', String(isHigh));
      },
    },
    icon('higher'),
  );
  const print = el(
    'button', { class: 'secondary rules-print', hidden: true, onclick: () => window.print() },
    msg('dialogs.rules.print'),
  );
  const close = el(
    'button', { class: 'plain', 'aria-label': msg('dialogs.rules.close'), onclick: shut },
    icon('close'),
  );
  const root = el(
    'aside',
    { class: 'rules', 'aria-label': msg('dialogs.rules.title'), hidden: true },
    el('div', { class: 'panel-head' }, el('h2', {}, msg('dialogs.rules.title')),
      print, higher, close),
    body,
  );
  // Keys do nothing on the table while the focus is here.
  root.addEventListener('keydown', (e) => {
    if (e.key === 'Escape' && !e.defaultPrevented) shut();
    e.stopPropagation();
  });
  s.page.main.after(root);
  let isComplete = false;
  const read = async () => {
    body.replaceChildren(el('p', { class: 'quiet', role: 'status' }, msg('core.link.connecting')));
    const rules = await fetchRules(s);
    if (!rules) {
      body.replaceChildren(
        el('p', { class: 'problem', role: 'alert' }, msg('dialogs.rules.failed')),
      );
      return;
    }
    isComplete = true;
    print.hidden = !rules.text;
    if (rules.text) body.replaceChildren(...rules.text.map(made));
    else
      body.replaceChildren(
        el('p', {}, msg('dialogs.rules.pdf')),
        el('a', { class: 'button primary', href: rules.file, download: 'rules.pdf' },
          msg('dialogs.rules.save')),
      );
  };
  return { root, body, shut, read, isComplete: () => isComplete };
}

/**
 * Asks the server for the rules; null: they did not come.
 * @param {State} s
 * @returns {Promise<{file: string, text?: (string|Prose)[]}|null>}
 */
function fetchRules(s) {
  return fetch(`${s.api}/rules`, { headers: { Accept: 'application/json' } })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
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
  // a table may be wider than the panel
  return tag === 'table' ? el('div', { class: 'wide', tabindex: '0' }, e) : e;
}
