// The bar of a replay: what was done, where in the game one is, and what moves on. Beside it are
// all lines of the log, to jump to.

import { el, isSmall, on, setAttr, setText } from '../../view/dom.js';
import { addIcons, icon } from '../../view/icons.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./player.js').Player} Player */

addIcons({
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  before: 'M18 5v14l-10-7zM6 5v14',
  after: 'M6 5v14l10-7zM18 5v14',
  table: 'M10 5l-7 7 7 7M3 12h18',
  lines: 'M4 6h16M4 12h16M4 18h10',
  file: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
});

const SPEEDS = [1, 2, 4];

/** How many lines PageUp and PageDown go on or back. */
const PAGE = 10;

/**
 * To which line a key leads on the slider. By itself the slider would stop between two of them.
 * @type {Record<string, ((player: Player) => number)|undefined>}
 */
const KEYS = {
  ArrowLeft: ({ stop }) => stop - 1,
  ArrowDown: ({ stop }) => stop - 1,
  ArrowRight: ({ stop }) => stop + 1,
  ArrowUp: ({ stop }) => stop + 1,
  PageDown: ({ stop }) => Math.max(0, stop - PAGE),
  PageUp: ({ stop }) => stop + PAGE,
  Home: () => 0,
  End: ({ stops }) => stops.length - 1,
};

/**
 * @typedef {object} Runs
 * @property {(() => Promise<void>)|null} save saves it as a file; null: this is a file
 * @property {() => void} again reads it again
 * @property {(() => void)|null} hands opens the dialog of open hands; null: this is a file
 */

/**
 * Makes the bar.
 * @param {State} s
 * @param {Player} player
 * @param {Runs} runs
 */
export function createBar(s, player, runs) {
  const { main, title } = s.page;
  const { replay: back = '' } = main.dataset;
  const said = el('p', { class: 'replay-said', 'aria-hidden': 'true' });
  const state = el('span', { class: 'replay-state', role: 'status' });
  const again = el(
    'button', { class: 'secondary', hidden: true, onclick: runs.again }, msg('replay.again'),
  );
  const range = el('input', {
    type: 'range', class: 'replay-range', min: 0, max: 0, step: 1, value: 0, disabled: true,
    'aria-label': msg('replay.where'),
    oninput: () => player.scrub(Number(range.value)),
  });
  on(range, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    const to = KEYS[e.key]?.(player);
    if (to === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    if (to === player.stop + 1 || to === player.stop - 1) player.step(to > player.stop ? 1 : -1);
    else player.jump(to);
  });
  const button = (
    /** @type {string} */ picture, /** @type {string} */ label, /** @type {() => void} */ run,
  ) => el(
    'button', { class: 'replay-button', title: label, 'aria-label': label, onclick: run },
    icon(picture),
  );
  const toggle = () => (player.isPlaying ? player.pause() : player.play());
  const play = button('play', msg('replay.play'), toggle);
  play.classList.add('primary');
  const before = button('before', msg('replay.before'), () => player.step(-1));
  const after = button('after', msg('replay.after'), () => player.step(1));
  const speed = el('select', {
    'aria-label': msg('replay.speed'), class: 'replay-choice',
    onchange: () => player.setSpeed(Number(speed.value)),
  }, ...SPEEDS.map((n) => el('option', { value: n }, msg('replay.times', { n }))));
  const pace = el('select', {
    'aria-label': msg('replay.pace'), class: 'replay-choice',
    onchange: () => player.setPace(pace.value === 'lines'),
  }, el('option', { value: 'time' }, msg('replay.byTime')),
  el('option', { value: 'lines' }, msg('replay.byMoves')));
  const list = createList(s, player, () => show(false));
  const lines = button('lines', msg('replay.lines'), () => show(!list.isOpen()));
  const show = (/** @type {boolean} */ isOpen) => {
    list.show(isOpen);
    setAttr(lines, 'aria-expanded', String(isOpen));
    main.classList.toggle('listed', isOpen);
    if (!isOpen) lines.focus({ preventScroll: true });
  };
  const hands = el(
    'button',
    {
      class: 'secondary replay-save', title: msg('replay.hands'), hidden: !runs.hands,
      onclick: runs.hands,
    },
    icon('hand'), el('span', {}, msg('replay.hands')),
  );
  const { save } = runs;
  const file = el(
    'button',
    { class: 'secondary replay-save', title: msg('replay.save'), disabled: true, hidden: !save },
    icon('file'), el('span', {}, msg('replay.save')),
  );
  on(file, 'click', async () => {
    file.disabled = true;
    setText(state, msg('replay.saving'));
    await save?.();
    setText(state, '');
    file.disabled = false;
    file.focus({ preventScroll: true });
  });
  const root = el(
    'section', { class: 'replay-bar', 'aria-label': msg('replay.bar') },
    el('div', { class: 'replay-row' }, said, state, again),
    range,
    el(
      'div', { class: 'replay-row replay-buttons' },
      back !== '' && el(
        'a', { class: 'secondary replay-back', href: back }, icon('table'),
        el('span', {}, msg('replay.back')),
      ),
      el('span', { class: 'replay-moves' }, before, play, after, lines),
      el('span', { class: 'replay-choices' }, speed, pace, hands, file),
    ),
  );
  main.append(root, list.root);
  on(main, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target instanceof Element && e.target.closest('button, select, a, input')) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ' ': toggle, ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
    };
    const run = keys[e.key];
    if (!run) return;
    e.preventDefault();
    run();
  });
  const drawPlace = () => {
    const place = Math.max(0, player.place());
    range.value = String(place);
    range.style.setProperty('--done', String(place / Math.max(1, player.stops.length - 1)));
  };
  let drawn = -1;
  const draw = () => {
    const { stop, stops, isPlaying } = player;
    const { text = '' } = stops[stop] ?? {};
    const { title: name = '', surface = 'felt' } = s.sync.info ?? {};
    setText(title, msg('replay.title', { title: name }));
    setAttr(s.page.outer, 'aria-label', msg('replay.title', { title: name }));
    setAttr(s.page.surface, 'data-surface', surface);
    setAttr(range, 'max', Math.max(0, stops.length - 1));
    setAttr(range, 'step', player.hasMotion ? 'any' : 1);
    range.disabled = stops.length < 2;
    drawPlace();
    const at = msg('replay.at', { n: stop, all: Math.max(0, stops.length - 1), text });
    setAttr(range, 'aria-valuetext', at);
    setText(said, text);
    setAttr(main, 'data-replay-stop', stop);
    const label = msg(isPlaying ? 'replay.pause' : 'replay.play');
    if (play.title !== label) {
      play.title = label;
      setAttr(play, 'aria-label', label);
      play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
    list.draw(drawn !== stop);
    drawn = stop;
  };
  return {
    draw,
    drawPlace,
    /** @param {string} text @param {boolean} hasFailed */
    say(text, hasFailed) {
      setText(state, text);
      again.hidden = !hasFailed;
    },
    /** All is read. */
    ready() {
      file.disabled = false;
      if (!isSmall()) show(true);
      play.focus({ preventScroll: true });
    },
  };
}

/**
 * Makes the list of all lines.
 * @param {State} s
 * @param {Player} player
 * @param {() => void} close
 */
function createList(s, player, close) {
  const list = el('ol', { class: 'log-lines' });
  const scroll = el(
    'div', { class: 'log-scroll' }, list, el('p', { class: 'replay-note' }, msg('replay.leftOut')),
  );
  const root = el(
    'aside', { class: 'log replay-lines', 'aria-label': msg('replay.lines'), hidden: true },
    el('div', { class: 'panel-head' }, el('h2', {}, msg('replay.lines')), el(
      'button', { class: 'plain', 'aria-label': msg('replay.close'), onclick: close },
      icon('close'),
    )),
    scroll,
  );
  on(root, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Escape') close();
  });
  /** @type {readonly import('./player.js').Stop[]} */
  let stops = [];
  /** @type {Element|null} */
  let current = null;
  const make = (/** @type {import('./player.js').Stop} */ stop, /** @type {number} */ i) => el(
    'li', { class: 'log-line' },
    el('button', { class: 'log-did', onclick: () => player.jump(i) }, stop.text),
    el('time', { class: 'log-time', datetime: new Date(stop.at).toISOString() },
      s.parts.log?.clock(stop.at) ?? ''),
  );
  return {
    root,
    isOpen: () => !root.hidden,
    /** @param {boolean} isOpen */
    show(isOpen) {
      root.hidden = !isOpen;
      if (isOpen) current?.scrollIntoView({ block: 'nearest' });
    },
    /** @param {boolean} hasMoved whether it stands at another line */
    draw(hasMoved) {
      const isNew = stops !== player.stops;
      if (isNew) {
        ({ stops } = player);
        list.replaceChildren(...stops.map(make));
      }
      if (!isNew && !hasMoved) return;
      if (current) setAttr(current, 'aria-current', null);
      current = list.children[player.stop] ?? null;
      if (!current) return;
      setAttr(current, 'aria-current', 'step');
      if (!root.hidden) current.scrollIntoView({ block: 'nearest' });
    },
  };
}
