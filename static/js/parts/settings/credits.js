// Who made the pictures of the table, in its dialog (G27).

import { el } from '../../view/dom.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/**
 * What a game says of some of its pictures.
 * @typedef {{author?: string, licence?: string, source?: string, pictures: number}} Credit
 */

/** How many are shown. */
const MOST = 100;

/**
 * Makes the list of who made the pictures. It is hidden until the server has named somebody.
 * @param {State} s
 */
export function creditsNote(s) {
  const list = el('ul', {});
  const root = el('details', { class: 'set-note credits', hidden: true },
    el('summary', {}, msg('settings.credits')), list);
  if (s.net.status.state !== 'online') return root;
  fetch(`${s.api}/credits`, { headers: { Accept: 'application/json' } })
    .then((answer) => (answer.ok ? answer.json() : { credits: [] }))
    .then((/** @type {{credits: Credit[]}} */ { credits }) => {
      list.replaceChildren(...credits.slice(0, MOST).map((of) => el('li', {}, ...partsOf(of))));
      root.hidden = s.isReplay || credits.length === 0;
    })
    .catch(() => {}); // nothing is lost: the dialog can be opened again
  return root;
}

/** Returns what is said of pictures, with a link to an address. @param {Credit} of */
function partsOf({ author, licence, source, pictures }) {
  const isAddress = /^https?:\/\//i.test(source ?? '');
  const said = [
    author, licence,
    source && (isAddress
      ? el('a', { href: source, target: '_blank', rel: 'noopener noreferrer' }, source) : source),
  ].filter((part) => part);
  return [
    msg('settings.credits.of', { n: pictures }), ' ',
    ...said.flatMap((part, i) => (i ? [', ', part] : [part])),
  ].map((part) => part ?? '');
}
