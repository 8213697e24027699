// The part of the page for the bag (O38): its contents, where they are, and what can be done with
// them. The page asks only its own server, which asks a visitor's home server. It also brings a
// visitor home when the table's server has been unreachable for too long (O39).

import { bagwords as t } from './words.js';
import { kindAt } from '../../view/catalog.js';
import { el, setText } from '../../view/dom.js';
import { toTable } from '../../view/geometry.js';
import { ask, change, make, refusal } from '../../input/ops.js';
import { use } from '../../parts.js';
import { hosts, plays } from '../../state.js';

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
const WHISK = 30_000;

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
    if (s.link.state === 'online' || s.link.state === 'closed') {
      clearTimeout(timer);
      timer = undefined;
    } else timer ??= setTimeout(leave, WHISK);
  };
  s.bars.push(look);
  look();
  return () => clearTimeout(timer);
}

/** Opens the bag. @param {State} s @param {Voice} voice */
export function openBag(s, voice) {
  use(s, voice, 'dialogs', ({ openDialog }) => {
    const status = el('p', { role: 'status' }, t.loading);
    const list = el('ul', { class: 'bag-list' });
    const foot = el('div', { class: 'bag-foot' });
    const d = openDialog(s.page.main, 'bag', t.title, t.close, status, list, foot);
    const show = (/** @type {Bag} */ bag) => {
      setText(status, bag.away || (bag.sets.length === 0 ? t.empty : plays(s) ? '' : t.watching));
      list.replaceChildren(...bag.sets.map((item) => row(s, item, bag, doors)));
      const again = el(
        'button', { type: 'button', class: 'secondary', onclick: () => run({ do: 'open' }) },
        t.again,
      );
      foot.replaceChildren(again, ...(bag.home ? [
        el('a', { class: 'secondary', href: goHome(bag.home.url) }, t.goHome(bag.home.name)),
      ] : []));
    };
    const run = async (/** @type {object} */ body) => {
      try {
        show(await request(body));
        return true;
      } catch (error) {
        setText(status, /** @type {Error} */ (error).message || t.failed);
        return false;
      }
    };
    const doors = {
      place: async (/** @type {Item} */ item) => {
        if (!(await run({ do: 'bring', set: item.set }))) return;
        d.close();
        place(s, item.set);
        voice.notice(t.placed(item.name || t.something));
      },
      carry: async (/** @type {Item} */ item, /** @type {'home'|'leave'} */ what) => {
        if (await run({ do: what, set: item.set }))
          setText(status, t.did[what](item.name || t.something));
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
  const v = s.view;
  const at = toTable(v, v.left + v.w / 2, v.top + v.h / 2);
  make(s, 'place', { set, x: Math.round(at.x), y: Math.round(at.y) });
}

/**
 * @param {State} s @param {Item} item @param {Bag} bag
 * @param {{place: (item: Item) => void, carry: (item: Item, what: 'home'|'leave') => void}} doors
 */
function row(s, item, bag, doors) {
  const name = item.name || t.something;
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
      rests && plays(s) && button(t.place, () => doors.place(item)),
      item.place === 'home' && bag.home !== undefined && button(
        t.leave, () => doors.carry(item, 'leave'),
      ),
      (item.place === 'here' || item.place === 'elsewhere') && button(
        t.home, () => doors.carry(item, 'home'),
      ),
    ),
  );
}

/** Returns where a set is, in words. @param {{serverNow: () => number}} s @param {Item} item */
export function whereOf(s, { place: at, server = '', table = '', reason = '', until = 0 }) {
  if (at === 'away')
    return t.away(reason, until > 0 ? Math.max(1, Math.ceil((until - s.serverNow()) / 60_000)) : 0);
  return t.where[at]?.(server, table) ?? at;
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
    voice.alarm(/** @type {Error} */ (error).message || t.failed);
    return;
  }
  for (const { id } of pieces) {
    const p = s.sync.pieces.get(id);
    if (!p) continue;
    // A pinned piece cannot leave the table (T24), and here it must.
    if (p.pinned) change(s, id, 'unpin');
    ask(s, id, 'take');
  }
}

/** @type {import('../../input/actions.js').Action} */
const STOW = {
  id: 'stow-bag',
  icon: 'bag',
  key: '',
  op: 'take',
  label: () => t.stow,
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
