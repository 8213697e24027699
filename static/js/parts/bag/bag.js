// The part of the page for the bag (O38): its contents, where they are, and what can be done with
// them. The page asks only its own server, which asks a visitor's home server. It also brings a
// visitor home when the table's server has been unreachable for too long (O39).

import { msg } from './msg.js';
import { kindAt } from '../../view/catalog.js';
import { el, setText } from '../../view/dom.js';
import { toTable } from '../../view/geometry.js';
import { sendBlind, change, sendMake, refusal } from '../../input/ops.js';
import { use } from '../../parts.js';
import { hosts, plays } from '../../rights.js';
import { drawWithBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * @typedef {{
 *   set: string, name: string, place: string, server?: string, table?: string, reason?: string,
 *   until?: number
 * }} Item
 */
/**
 * @typedef {{known: boolean, home?: {name: string, url: string}, away?: string, sets: Item[]}} Bag
 */

/** Milliseconds for which a visited server may be unreachable before the page goes home (O39). */
const GO_HOME_AFTER = 30_000;

/** Sends a request of this page. Set by bind. @type {(body: object) => Promise<Bag>} */
let request = () => Promise.reject(new Error('not bound'));

/**
 * Starts the part.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  request = async (body) => {
    const answer = await fetch(`${s.api}/bag`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok)
      throw new Error(said.code === 'refused' || said.code === 'away' ? said.detail : '');
    return said;
  };
  stowing = [{ ...STOW, run: (state, pieces) => void stow(state, pieces, voice) }];
  const home = s.page.main.dataset.home ?? '';
  return home ? watch(s, () => s.page.window.ownerDocument.location.assign(home)) : () => {};
}

/**
 * Goes home when the server has been unreachable for too long.
 * @param {State} s
 * @param {() => void} leave
 */
export function watch(s, leave) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const look = () => {
    if (s.net.status.state === 'online' || s.net.status.state === 'closed') {
      clearTimeout(timer);
      timer = undefined;
    } else timer ??= setTimeout(leave, GO_HOME_AFTER);
  };
  drawWithBars(s, look);
  look();
  return () => clearTimeout(timer);
}

/** Opens the bag. @param {State} s @param {Voice} voice */
export function openBag(s, voice) {
  use(s, voice, 'dialogs', ({ openDialog }) => {
    const status = el('p', { role: 'status' }, msg('bag.loading'));
    const list = el('ul', { class: 'bag-list' });
    const foot = el('div', { class: 'bag-foot' });
    const d = openDialog(
      s.page.main, 'bag', msg('bag.title'), msg('bag.close'), status, list, foot,
    );
    const show = (/** @type {Bag} */ bag) => {
      const hint = plays(s) ? '' : msg('bag.watching');
      setText(status, bag.away || (bag.sets.length === 0 ? msg('bag.empty') : hint));
      list.replaceChildren(...bag.sets.map((item) => row(s, item, bag, doors)));
      const again = el(
        'button', { type: 'button', class: 'secondary', onclick: () => run({ do: 'open' }) },
        msg('bag.again'),
      );
      foot.replaceChildren(again, ...(bag.home ? [
        el(
          'a', { class: 'secondary', href: goHome(bag.home.url) },
          msg('bag.goHome', { server: bag.home.name }),
        ),
      ] : []));
    };
    const run = async (/** @type {object} */ body) => {
      try {
        show(await request(body));
        return true;
      } catch (error) {
        setText(status, /** @type {Error} */ (error).message || msg('bag.failed'));
        return false;
      }
    };
    const doors = {
      place: async (/** @type {Item} */ item) => {
        if (!(await run({ do: 'bring', set: item.set }))) return;
        d.close();
        place(s, item.set);
        voice.notice(msg('bag.placed', { what: item.name || msg('bag.something') }));
      },
      carry: async (/** @type {Item} */ item, /** @type {'home'|'leave'} */ what) => {
        if (await run({ do: what, set: item.set }))
          setText(status, msg(`bag.did.${what}`, { what: item.name || msg('bag.something') }));
      },
    };
    void run({ do: 'open' });
  });
}

/**
 * Returns the address of a home server without the query that says that the visitor had to leave.
 * @param {string} url
 */
function goHome(url) {
  return url.replace(/\?.*$/, '');
}

/** Puts a set where this person is looking. @param {State} s @param {string} set */
function place(s, set) {
  const v = s.view.camera;
  const at = toTable(v, v.left + v.w / 2, v.top + v.h / 2);
  sendMake(s, 'place', { set, x: Math.round(at.x), y: Math.round(at.y) });
}

/**
 * @param {State} s @param {Item} item @param {Bag} bag
 * @param {{place: (item: Item) => void, carry: (item: Item, what: 'home'|'leave') => void}} doors
 */
function row(s, item, bag, doors) {
  const name = item.name || msg('bag.something');
  const button = (/** @type {string} */ label, /** @type {() => void} */ run) =>
    el(
      'button',
      { type: 'button', class: 'secondary', 'aria-label': `${label}: ${name}`, onclick: run },
      label,
    );
  const rests = item.place === 'home' || item.place === 'here';
  return el(
    'li',
    { 'data-set': item.set, 'data-place': item.place },
    el('span', { class: 'bag-name' }, name),
    el('span', { class: 'bag-where' }, whereOf(s, item)),
    el(
      'span',
      { class: 'bag-doors' },
      rests && plays(s) && button(msg('bag.place'), () => doors.place(item)),
      item.place === 'home' && bag.home !== undefined && button(
        msg('bag.leave'), () => doors.carry(item, 'leave'),
      ),
      (item.place === 'here' || item.place === 'elsewhere') && button(
        msg('bag.home'), () => doors.carry(item, 'home'),
      ),
    ),
  );
}

/**
 * Returns where a set is, in words.
 * @param {{net: {serverNow: () => number}}} s
 * @param {Item} item
 */
export function whereOf(s, { place: at, server = '', table = '', reason = '', until = 0 }) {
  const n = Math.max(1, Math.ceil((until - s.net.serverNow()) / 60_000));
  switch (at) {
    case 'away':
      return until > 0
        ? msg('bag.where.awayFor', { why: reason, n })
        : msg('bag.where.away', { why: reason });
    case 'home':
      return server ? msg('bag.where.home', { server }) : msg('bag.where.bag');
    case 'other':
      return table ? msg('bag.where.otherTable', { table }) : msg('bag.where.other', { server });
    case 'elsewhere':
      return msg('bag.where.elsewhere', { server });
    case 'here':
      return msg('bag.where.here');
    case 'table':
      return msg('bag.where.table');
    default:
      return at;
  }
}

/**
 * Puts pieces of the table into the bag, which is opened first.
 * @param {State} s
 * @param {import('../../types.js').Piece[]} pieces
 * @param {Voice} voice
 */
async function stow(s, pieces, voice) {
  try {
    await request({ do: 'open' });
  } catch (error) {
    voice.alarm(/** @type {Error} */ (error).message || msg('bag.failed'));
    return;
  }
  for (const { id } of pieces) {
    const p = s.sync.pieces.get(id);
    if (!p) continue;
    // A pinned piece cannot leave the table (T24), and here it must.
    if (p.pinned) change(s, id, 'unpin');
    sendBlind(s, id, 'take');
  }
}

/** @type {import('../../input/actions.js').Action} */
const STOW = {
  id: 'stow-bag',
  icon: 'bag',
  key: '',
  op: 'take',
  label: () => msg('bag.stow'),
  fits: (s, pieces) => (hosts(s)
    ? pieces.filter(
      (p) => !p.set && !kindAt(s.catalog, p.kind).hand &&
        !refusal(s, { ...p, pinned: false }, 'take'),
    )
    : []),
  run: () => {},
};

/**
 * Actions for the table's own pieces. bind sets them.
 * @type {import('../../input/actions.js').Action[]}
 */
export let stowing = [];
