// The dialog in which a host says where a piece leads.

import { el, setText } from '../../view/dom.js';
import { phrase } from '../../reasons.js';
import { doorOn } from './components.js';
import { request } from './request.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../parts.js').Part<'dialogs'>} Dialogs */

/** The greatest number of characters of an invite link. */
const LINK = 1000;

/**
 * Asks through which of several doors something goes.
 * @param {State} s
 * @param {{id: number, title: string}[]} doors
 * @param {(door: number) => void} choose
 * @param {Dialogs} dialogs
 */
export function chooseDoor(s, doors, choose, { openDialog }) {
  const d = openDialog(
    s.page.main, 'door', msg('doors.choose'), msg('doors.close'),
    el('ul', { class: 'door-tables' }, ...doors.map(({ id, title }) => el(
      'li', {},
      el(
        'button',
        {
          type: 'button', class: 'secondary', 'data-through': id,
          onclick: () => {
            d.close();
            choose(id);
          },
        },
        msg('doors.sign', { title }),
      ),
    ))),
  );
}

/**
 * Opens the dialog.
 * @param {State} s
 * @param {Piece} piece
 * @param {Voice} voice
 * @param {Dialogs} dialogs
 */
export function showDoor(s, piece, voice, { openDialog }) {
  const { id } = piece;
  const door = doorOn(s, id);
  const status = el(
    'p', { role: 'status', class: 'door-status' },
    door ? msg('doors.now', { title: door.title }) : '',
  );
  const run = async (/** @type {() => Promise<string>} */ ask) => {
    try {
      const done = await ask();
      d.close();
      voice.notice(done);
    } catch (error) {
      setText(status, /** @type {Error} */ (error).message || msg('doors.notMade'));
    }
  };
  const lead = (/** @type {{link: string}|{table: string}} */ where) => run(async () => {
    const { title } = await request(s, 'POST', '', { piece: id, ...where });
    return msg('doors.made', { title });
  });
  const input = el('input', {
    type: 'url', id: 'door-link', maxlength: LINK, autocomplete: 'off', spellcheck: 'false',
    required: true, 'aria-describedby': 'door-link-hint',
  });
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    void lead({ link: input.value.trim() });
  };
  const form = el(
    'form',
    { class: 'door-form', onsubmit: submit },
    el('label', { for: input.id }, msg('doors.link')),
    input,
    el('p', { class: 'quiet', id: 'door-link-hint' }, msg('doors.linkHint')),
    el(
      'div', { class: 'door-buttons' },
      el('button', { type: 'submit', class: 'primary' }, msg('doors.save')),
      door && el(
        'button', { class: 'secondary', onclick: () => void remove() }, msg('doors.remove'),
      ),
    ),
  );
  const remove = () => run(async () => {
    await request(s, 'DELETE', `/${id}`);
    return msg('doors.removed');
  });
  const list = el('ul', { class: 'door-tables' });
  const mine = el('section', { hidden: true }, el('h3', {}, msg('doors.mine')), list);
  const d = openDialog(
    s.page.main, 'door', msg('doors.title', { what: phrase(s, [piece]) }), msg('doors.close'),
    el('p', { class: 'quiet' }, msg('doors.hint')), mine, form, status,
  );
  request(s, 'GET', '').then(({ tables }) => {
    mine.hidden = tables.length === 0;
    list.replaceChildren(...tables.map((/** @type {{table: string, title: string}} */ t) => el(
      'li', {},
      el(
        'button',
        {
          type: 'button', class: 'secondary', 'data-leads': t.table,
          'aria-label': msg('doors.mineTo', { title: t.title }),
          onclick: () => void lead({ table: t.table }),
        },
        t.title,
      ),
    )));
  }, () => {}); // a link can be pasted all the same
  input.focus();
}
