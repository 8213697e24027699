// The panel of the log: what happened and what people wrote, line by line; a search; and the field
// to write in. It is a column beside the table, and a sheet over it on phones.

import { isMuted } from '../../bars/muted.js';
import { isHosting } from '../../roles.js';
import { all, el, on, setAttr, setText } from '../../view/dom.js';
import { css, inkOn } from '../../view/colour.js';
import { icon } from '../../view/icons.js';
import { linked } from './links.js';
import { msg } from './msg.js';
import { clock, sentenceOf, whoOf } from './words.js';
import { createWriting, options, REACTIONS } from './writing.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./lines.js').Line} Line */

/** The most lines that the panel keeps. */
const MOST_LINES = 1000;

/** How near the end of the list, in px, one still reads the newest line. */
const NEAR = 60;

/**
 * What the panel calls.
 * @typedef {object} Runs
 * @property {() => void} close
 * @property {(line: import('./sending.js').Sent) => boolean} say returns whether it is sent
 * @property {(line: Line) => void} remove
 * @property {(line: Line) => void} show
 * @property {() => void} earlier
 */

/**
 * Makes the panel, closed.
 * @param {State} s
 * @param {Runs} runs
 */
export function createPanel(s, runs) {
  const close = el(
    'button', { class: 'plain', 'aria-label': msg('log.close'), onclick: runs.close },
    icon('close'),
  );
  const replay = el(
    'a', { class: 'secondary log-replay', href: `/t/${s.table}/replay` }, msg('log.replay'),
  );
  const people = el('select', { class: 'log-people', 'aria-label': msg('log.of') });
  const search = el('input', {
    type: 'search', class: 'log-search', placeholder: msg('log.search'),
    'aria-label': msg('log.search'), autocomplete: 'off', enterkeyhint: 'search',
  });
  const earlier = el(
    'button', { class: 'secondary log-earlier', hidden: true, onclick: runs.earlier },
    msg('log.earlier'),
  );
  const list = el('ol', { class: 'log-lines' });
  const state = el('p', { class: 'log-state', role: 'status' });
  const scroll = el('div', { class: 'log-scroll', tabindex: '0', role: 'group',
    'aria-label': msg('log.lines') }, earlier, list, state);
  const writing = createWriting(s, runs.say);
  const root = el(
    'aside', { class: 'log', 'aria-label': msg('log.title'), 'data-log': true, hidden: true },
    el('div', { class: 'panel-head' }, el('h2', {}, msg('log.title')), replay, close),
    el('div', { class: 'log-filter' }, people, search),
    scroll,
    writing.root,
  );

  /** @type {Map<number, {line: Line, item: HTMLElement, says: string}>} */
  const drawn = new Map();
  const isShown = (/** @type {Line} */ line, /** @type {string} */ says) => {
    const wanted = search.value.trim().toLowerCase();
    const of = people.value;
    const who = whoOf(s, line.by);
    if (line.chat && isMuted(s, line.by)) return false;
    return (of === '' || (of === 'chat' ? line.chat !== null : Number(of) === line.by)) &&
      (wanted === '' || `${who} ${says}`.toLowerCase().includes(wanted));
  };
  let { muted } = s.bars;
  const filter = () => {
    for (const { line, item, says } of drawn.values()) item.hidden = !isShown(line, says);
  };
  const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
  const toEnd = () => {
    scroll.scrollTop = scroll.scrollHeight;
  };
  /** @param {Line} line @param {Element|null} before where it goes; null: to the end */
  const put = (line, before) => {
    const known = drawn.get(line.key);
    const says = sentenceOf(s, line);
    const item = draw(s, line, says, runs);
    item.hidden = !isShown(line, says);
    if (known) known.item.replaceWith(item);
    else list.insertBefore(item, before);
    drawn.set(line.key, { line, item, says });
  };
  const stop = all(
    on(people, 'change', filter),
    on(search, 'input', filter),
    // Keys do nothing on the table while the focus is here.
    on(root, 'keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key === 'Escape' && !e.defaultPrevented) runs.close();
      e.stopPropagation();
    }),
    () => root.remove(),
  );

  return {
    root,
    stop,
    isOpen: () => !root.hidden,
    open() {
      root.hidden = false;
      if (!writing.focus()) scroll.focus({ preventScroll: true });
      toEnd();
    },
    close() {
      root.hidden = true;
    },
    /** Draws a line that is new, or has changed. @param {Line} line */
    put(line) {
      const follows = atEnd();
      put(line, null);
      if (drawn.size > MOST_LINES) {
        const [[key, { item }]] = drawn;
        item.remove();
        drawn.delete(key);
      }
      if (follows) toEnd();
    },
    /** Draws lines before all others. @param {Line[]} lines */
    putEarlier(lines) {
      const { scrollHeight } = scroll;
      const first = list.firstElementChild;
      const later = [...drawn];
      drawn.clear();
      for (const line of lines) put(line, first);
      for (const [key, known] of later) drawn.set(key, known);
      scroll.scrollTop += scroll.scrollHeight - scrollHeight;
    },
    /** Returns the line with a line of chat. @param {number} chat its identifier */
    chatLine: (chat) => [...drawn.values()].find(({ line }) => line.chat?.line === chat)?.line,
    clear() {
      drawn.clear();
      list.replaceChildren();
    },
    /** @param {boolean} isMore whether the server has earlier lines @param {string} text */
    setState(isMore, text) {
      earlier.hidden = !isMore;
      setText(state, text);
      state.hidden = text === '';
    },
    giveBack: writing.giveBack,
    drawPeople() {
      drawPeople(s, people);
      if (muted !== s.bars.muted) filter();
      ({ muted } = s.bars);
      writing.draw();
    },
  };
}

/**
 * Lists the people by whom lines can be.
 * @param {State} s
 * @param {HTMLSelectElement} people
 */
function drawPeople(s, people) {
  const seats = [...s.sync.seats.values()].filter((seat) => !seat.left);
  options(people, [
    ['', msg('log.all')],
    ['chat', msg('log.onlyChat')],
    ...seats.map(({ id, nick }) => /** @type {[string, string]} */ ([String(id), nick])),
  ]);
}

/**
 * Makes the element of a line.
 * @param {State} s
 * @param {Line} line
 * @param {string} says
 * @param {Runs} runs
 */
function draw(s, line, says, runs) {
  const time = el('time', { class: 'log-time', datetime: new Date(line.at).toISOString() },
    clock(line.at));
  if (line.chat) return drawChat(s, line, line.chat, says, time, runs);
  const words = line.place
    ? el('button', { class: 'log-did', onclick: () => runs.show(line) }, says)
    : el('span', { class: 'log-did' }, says);
  return el('li', { class: 'log-line', 'data-line': line.op }, words, time);
}

/**
 * @param {State} s
 * @param {Line} line
 * @param {import('./lines.js').Chat} chat
 * @param {string} says
 * @param {HTMLElement} time
 * @param {Runs} runs
 */
function drawChat(s, line, chat, says, time, runs) {
  const { sync: { you, seats } } = s;
  const name = el('span', { class: 'log-name' }, whoOf(s, line.by));
  const colour = seats.get(line.by)?.colour;
  if (colour !== undefined) {
    name.style.background = css(colour);
    name.style.color = inkOn(colour);
  }
  const whispered = chat.to !== 0 && el('span', { class: 'log-whispered' },
    line.by === you ? msg('log.whisperTo', { nick: whoOf(s, chat.to) }) : msg('log.whisper'));
  const mayRemove = !chat.isDeleted && chat.line !== 0 &&
    (line.by === you || isHosting(seats.get(you)));
  const remove = mayRemove && el(
    'button',
    { class: 'log-remove', 'aria-label': msg('log.remove', { text: says }),
      onclick: () => runs.remove(line) },
    icon('remove'),
  );
  const isGone = chat.isDeleted === true || chat.isLost === true;
  const text = el('span', { class: 'log-said' }, ...(isGone ? [says] : linked(says)));
  const item = el(
    'li', { class: 'log-line log-chat', 'data-line': 'chat' }, name, whispered, text, remove, time,
  );
  item.classList.toggle('deleted', isGone);
  item.classList.toggle('waiting', chat.line === 0);
  item.classList.toggle('sign', REACTIONS.includes(chat.text));
  setAttr(item, 'data-chat', chat.line || null);
  return item;
}
