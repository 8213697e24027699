// The part of the page for the bag (O38): its contents, where they are, and what can be done with
// them. The page asks only its own server, which asks a visitor's home server. It also brings a
// visitor home when the table's server has been unreachable for too long, and shows the bag to
// somebody who has lost their table (O39).

import { msg } from './msg.js';
import { kindOf } from '../../view/catalog.js';
import { el, setText } from '../../view/dom.js';
import { toTable } from '../../view/geometry.js';
import { sendBlind, change, sendMake, refusal } from '../../input/ops.js';
import { list as listed } from '../../messages.js';
import { use } from '../../parts.js';
import { hosts, plays } from '../../rights.js';
import { drawWithBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * @typedef {{
 *   set: string, name: string, place: string, server?: string, table?: string, reason?: string,
 *   until?: number, newer?: boolean, with?: string[], thrown?: {set: string, name: string}[]
 * }} Item
 */
/**
 * What is done with a set in the bag.
 * @typedef {'home'|'leave'|'adopt'|'keep'|'untie'|'throw'} Carry
 */
/**
 * What is being asked about a set: what it belongs with, or whether it is to be thrown away.
 * @typedef {{about: string, what: 'tie'|'throw'}} Asking
 */
/**
 * What the rows of the bag do.
 * @typedef {{
 *   place: (items: Item[]) => void, carry: (item: Item, what: Carry) => void,
 *   tie: (item: Item, set: string) => void, back: (set: string, name: string) => void,
 *   ask: (asking: Asking|null) => void
 * }} Doors
 */
/**
 * @typedef {{known: boolean, home?: {name: string, url: string}, away?: string, sets: Item[]}} Bag
 */

/** Milliseconds for which a visited server may be unreachable before the page says so (O39). */
const GO_HOME_AFTER = 30_000;

/** Milliseconds in which a visitor can stay, before the page goes home. */
const MAY_STAY = 20_000;

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
  if (s.page.main.dataset.carry) void putDown(s, s.page.main.dataset.carry, voice);
  const { home = '', lost = '' } = s.page.main.dataset;
  if (lost) void sayLost(s, lost, voice);
  return home ? watch(s, () => s.page.window.ownerDocument.location.assign(home)) : () => {};
}

/**
 * Says why somebody has come to this table of their own, and shows what can be put on it.
 * @param {State} s
 * @param {string} why `away` or `gone`
 * @param {Voice} voice
 */
async function sayLost(s, why, voice) {
  const { dataset } = s.page.main;
  const said = why === 'away'
    ? msg('bag.lost.away', { server: dataset.lostName ?? '' })
    : msg('bag.lost.gone');
  delete dataset.lost;
  await tableIsThere(s);
  if (dataset.bags === undefined) voice.notice(said);
  else openBag(s, voice, said);
}

/** How often the bag is asked whether the first table has let go of a set, and how long between. */
const TRIES = 30;
const PAUSE = 1000;

/** Waits for a moment. */
const pause = () => new Promise((f) => setTimeout(f, PAUSE));

/** Waits for the table: the part may be there before it is. @param {State} s */
async function tableIsThere(s) {
  const { dataset } = s.page.main;
  while (dataset.pieces === undefined || s.net.status.state !== 'online') await pause();
}

/**
 * Puts a set on this table that its person has carried through a door (O51). If that is not
 * possible it says so, and where the set is if it is in the bag.
 * @param {State} s
 * @param {string} set
 * @param {Voice} voice
 */
async function putDown(s, set, voice) {
  const { dataset } = s.page.main;
  delete dataset.carry;
  await tableIsThere(s);
  let isInBag = false;
  for (let n = 0; n < TRIES; n++) {
    try {
      const item = (await request({ do: 'open' })).sets.find((i) => i.set === set);
      if (item?.place === 'table') return; // it is where it should be
      isInBag = item?.place === 'home' || item?.place === 'here';
      if (!item || (isInBag && !plays(s))) break;
      if (isInBag) {
        await request({ do: 'bring', set });
        place(s, set);
        voice.notice(msg('bag.placed', { what: called(item), n: 1 }));
        return;
      }
    } catch {} // a server may be unreachable for a moment
    await pause();
  }
  voice.alarm(msg(isInBag ? 'bag.carried' : 'bag.notPlaced'));
}

/**
 * Goes home when the server has been unreachable for too long. It says so before, so that somebody
 * who reads can stay.
 * @param {State} s
 * @param {() => void} leave
 * @param {(leave: () => void, stay: () => void) => () => void} [ask] asks, and returns how to stop
 */
export function watch(s, leave, ask = (go, stay) => askToStay(s, go, stay)) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let hush = () => {};
  const stay = () => {
    clearTimeout(timer); // it has run: the page asks again after the next outage
    hush();
    hush = () => {};
  };
  const say = () => {
    hush = ask(leave, stay);
    timer = setTimeout(leave, MAY_STAY);
  };
  const look = () => {
    if (s.net.status.state === 'online' || s.net.status.state === 'closed') {
      stay();
      timer = undefined;
    } else timer ??= setTimeout(say, GO_HOME_AFTER);
  };
  drawWithBars(s, look);
  look();
  return stay;
}

/**
 * Says that the page is about to go home, and offers to go now or to stay.
 * @param {State} s
 * @param {() => void} leave
 * @param {() => void} stay
 * @returns {() => void} removes the question
 */
function askToStay(s, leave, stay) {
  const box = el(
    'div', { class: 'banner leaving', role: 'alert' },
    el('span', { class: 'banner-text' }, msg('bag.leaving')),
    el('button', { class: 'secondary', onclick: leave }, msg('bag.leaveNow')),
    el('button', { class: 'secondary', onclick: stay }, msg('bag.stay')),
  );
  s.page.banner.after(box);
  return () => box.remove();
}

/** How often a bag is looked at again that somebody opens who has lost their table. */
const LOOKS = 20;
const LOOK_AFTER = 3000;

/**
 * Opens the bag.
 * @param {State} s
 * @param {Voice} voice
 * @param {string} [said] why it opens by itself
 */
export function openBag(s, voice, said = '') {
  use(s, voice, 'dialogs', ({ openDialog }) => {
    const status = el('p', { role: 'status' }, msg('bag.loading'));
    const list = el('ul', { class: 'bag-list' });
    const foot = el('div', { class: 'bag-foot' });
    const d = openDialog(
      s.page.main, 'bag', msg('bag.title'), msg('bag.close'),
      ...(said ? [el('p', { class: 'bag-lost' }, said)] : []), status, list, foot,
    );
    let shown = '';
    /** @type {Asking|null} */
    let asking = null;
    /** @type {Bag} */
    let now = { known: false, sets: [] };
    const show = (/** @type {Bag} */ bag) => {
      now = bag;
      if (!bag.sets.some(({ set }) => set === asking?.about)) asking = null;
      const is = JSON.stringify([bag, asking]);
      if (shown === is) return; // the focus stays where it is
      shown = is;
      const hint = plays(s) ? '' : msg('bag.watching');
      setText(status, bag.away || (bag.sets.length === 0 ? msg('bag.empty') : hint));
      list.replaceChildren(...bag.sets.map((item) => row(s, item, bag, asking, doors)));
      const again = el(
        'button', { class: 'secondary', onclick: () => run({ do: 'open' }) },
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
        shown = '';
        setText(status, /** @type {Error} */ (error).message || msg('bag.failed'));
        return false;
      }
    };
    const nameOf = (/** @type {string} */ set) => called(now.sets.find((i) => i.set === set));
    /** @type {Doors} */
    const doors = {
      place: async (items) => {
        for (const { set } of items) if (!(await run({ do: 'bring', set }))) return;
        d.close();
        for (const [n, { set }] of items.entries()) place(s, set, asideOf(n, items.length));
        const what = listed(items.map(called));
        voice.notice(msg('bag.placed', { what, n: items.length }));
      },
      carry: async (item, what) => {
        asking = null;
        if (await run({ do: what, set: item.set }))
          setText(status, msg(`bag.did.${what}`, { what: called(item) }));
        focusOn(list, item.set, 'ask-tie');
      },
      tie: async (item, set) => {
        asking = null;
        if (await run({ do: 'tie', set: item.set, with: set })) {
          const what = called(item);
          setText(status, msg('bag.tied', { what, other: nameOf(set) }));
        } else show(now);
        focusOn(list, item.set, 'ask-tie');
      },
      back: async (set, name) => {
        if (await run({ do: 'back', set }))
          setText(status, msg('bag.tookBack', { what: name }));
        focusOn(list, set, 'ask-tie');
      },
      ask: (next) => {
        const was = asking;
        asking = next;
        show(now);
        if (next?.what === 'throw') focusOn(list, next.about, 'keep-it');
        else if (next) list.querySelector('button')?.focus();
        else if (was) focusOn(list, was.about, `ask-${was.what}`);
        if (next?.what === 'tie') setText(status, msg('bag.tieAsk', { what: nameOf(next.about) }));
      },
    };
    void run({ do: 'open' });
    if (said) void lookAgain(d, () => run({ do: 'open' }));
  });
}

/**
 * Looks into an open bag again for a while: what lay on a lost table comes back, or it turns out
 * that it cannot be reached.
 * @param {HTMLDialogElement} d
 * @param {() => Promise<unknown>} look
 */
async function lookAgain(d, look) {
  for (let n = 0; n < LOOKS; n++) {
    await new Promise((f) => setTimeout(f, LOOK_AFTER));
    if (!d.open) return;
    await look();
  }
}

/**
 * Returns the address of a home server without the query that says that the visitor had to leave.
 * @param {string} url
 */
function goHome(url) {
  return url.replace(/\?.*$/, '');
}

/**
 * Puts a set where this person is looking, or so far beside that place.
 * @param {State} s @param {string} set @param {{x: number, y: number}} [aside] in table units
 */
function place(s, set, aside = { x: 0, y: 0 }) {
  const v = s.view.camera;
  const at = toTable(v, v.left + v.w / 2, v.top + v.h / 2);
  sendMake(s, 'place', { set, x: Math.round(at.x + aside.x), y: Math.round(at.y + aside.y) });
}

/**
 * How far from each other sets lie that are put on the table together, in table units, and how many
 * lie in a row: a deck has room there.
 */
const APART = { x: 1000, y: 1300 };
const IN_A_ROW = 4;

/**
 * Returns how far beside the middle the n-th of several sets lies.
 * @param {number} n from 0
 * @param {number} all how many there are
 */
export function asideOf(n, all) {
  const columns = Math.min(all, IN_A_ROW);
  const rows = Math.ceil(all / IN_A_ROW);
  return {
    x: ((n % IN_A_ROW) - (columns - 1) / 2) * APART.x,
    y: (Math.floor(n / IN_A_ROW) - (rows - 1) / 2) * APART.y,
  };
}

/** What people call a set. @param {{name: string}|undefined} item */
const called = (item) => item?.name || msg('bag.something');

/**
 * Moves the focus to a button of a row, or to its first one.
 * @param {HTMLElement} list @param {string} set @param {string} act
 */
function focusOn(list, set, act) {
  const at = list.querySelector(`li[data-set="${set}"]`);
  const button = at?.querySelector(`[data-act="${act}"]`) ?? at?.querySelector('button');
  /** @type {HTMLElement|null|undefined} */ (button)?.focus();
}

/** Whether a set can be put on the table now. @param {Item} item */
const rests = ({ place: at }) => at === 'home' || at === 'here';

/**
 * @param {State} s @param {Item} item @param {Bag} bag @param {Asking|null} asking
 * @param {Doors} doors
 */
function row(s, item, bag, asking, doors) {
  const name = called(item);
  const button = (
    /** @type {string} */ label, /** @type {() => void} */ run, /** @type {string} */ act = '',
    of = name,
  ) => el(
    'button',
    { class: 'secondary', 'aria-label': `${label}: ${of}`, 'data-act': act || null, onclick: run },
    label,
  );
  const others = bag.sets.filter(({ set }) => item.with?.includes(set));
  return el(
    'li',
    { 'data-set': item.set, 'data-place': item.place },
    el('span', { class: 'bag-name' }, name),
    el('span', { class: 'bag-where' }, whereOf(s, item)),
    item.newer === true && el('span', { class: 'bag-where' }, msg('bag.newer')),
    others.length > 0 && el(
      'span', { class: 'bag-note' }, msg('bag.with', { names: listed(others.map(called)) }),
    ),
    ...(item.thrown ?? []).map((gone) => el(
      'span', { class: 'bag-note' }, msg('bag.thrown', { what: called(gone) }), ' ',
      button(msg('bag.back'), () => doors.back(gone.set, called(gone)), '', called(gone)),
    )),
    asking === null
      ? el('span', { class: 'bag-doors' }, ...usual(s, item, bag, others, button, doors))
      : el('span', { class: 'bag-doors' }, ...answers(item, bag, asking, button, doors)),
  );
}

/**
 * The buttons of a row.
 * @param {State} s @param {Item} item @param {Bag} bag
 * @param {Item[]} others what belongs with it
 * @param {(label: string, run: () => void, act?: string) => HTMLElement} button
 * @param {Doors} doors
 */
function usual(s, item, bag, others, button, doors) {
  const together = [item, ...others].filter(rests);
  const isHome = bag.home === undefined; // only their own server changes what belongs together
  const isTied = others.length > 0 || (item.thrown ?? []).length > 0;
  return [
    rests(item) && plays(s) && button(msg('bag.place'), () => doors.place([item])),
    rests(item) && plays(s) && together.length > 1 &&
      button(msg('bag.placeAll'), () => doors.place(together)),
    item.place === 'home' && !isHome && button(msg('bag.leave'), () => doors.carry(item, 'leave')),
    (item.place === 'here' || item.place === 'elsewhere') &&
      button(msg('bag.home'), () => doors.carry(item, 'home')),
    item.newer === true && button(msg('bag.adopt'), () => doors.carry(item, 'adopt')),
    item.newer === true && button(msg('bag.keep'), () => doors.carry(item, 'keep')),
    isHome && bag.sets.length > 1 && button(
      msg('bag.tie'), () => doors.ask({ about: item.set, what: 'tie' }), 'ask-tie',
    ),
    isHome && isTied && button(msg('bag.untie'), () => doors.carry(item, 'untie')),
    isHome && button(
      msg('bag.throw'), () => doors.ask({ about: item.set, what: 'throw' }), 'ask-throw',
    ),
  ];
}

/**
 * The buttons of a row while something is asked.
 * @param {Item} item @param {Bag} bag @param {Asking} asking
 * @param {(label: string, run: () => void, act?: string) => HTMLElement} button
 * @param {Doors} doors
 */
function answers(item, bag, asking, button, doors) {
  const is = asking.about === item.set;
  if (asking.what === 'tie') {
    const about = bag.sets.find(({ set }) => set === asking.about);
    return [
      is && button(msg('bag.cancel'), () => doors.ask(null)),
      about !== undefined && !is && !about.with?.includes(item.set) && button(
        msg('bag.tieWith', { what: called(about) }), () => doors.tie(about, item.set),
      ),
    ];
  }
  return is
    ? [
      el('span', {}, msg(item.with ? 'bag.throwAskTied' : 'bag.throwAsk')),
      button(msg('bag.cancel'), () => doors.ask(null), 'keep-it'),
      button(msg('bag.throwYes'), () => doors.carry(item, 'throw')),
    ]
    : [];
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

/** @type {import('../../input/action.js').Action} */
const STOW = {
  id: 'stow-bag',
  icon: 'bag',
  key: '',
  op: 'take',
  label: () => msg('bag.stow'),
  fits: (s, pieces) => (hosts(s)
    ? pieces.filter(
      (p) => !p.set && !kindOf(s, p).hand &&
        !refusal(s, { ...p, pinned: false }, 'take'),
    )
    : []),
  run: () => {},
};

/**
 * Actions for the table's own pieces. bind sets them.
 * @type {import('../../input/action.js').Action[]}
 */
export let stowing = [];
