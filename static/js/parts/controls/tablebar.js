// What people do together at the table beside moving pieces: keep the score, draw, measure, and
// show each other a place. A small bar, and the gestures that show a place. Each tool loads its
// part when somebody uses it.

import { all, el, isSmall, on, setAttr } from '../../view/dom.js';
import { toTable } from '../../view/geometry.js';
import { addIcons } from '../../view/icons.js';
import { use } from '../../parts.js';
import { focused } from '../../input/select.js';
import { nearPiece } from './near.js';
import { plays } from '../../rights.js';
import { msg } from './msg.js';
import { moveFocus, setTabStop } from './toolbar.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';
import { viewTool } from './viewtool.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * LONG is the time in milliseconds for which a finger rests on the empty table to show a place.
 * SLOP is how far it may move meanwhile, in px.
 */
const LONG = 500;
const SLOP = 9;

addIcons({
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  together: 'M5 4h6v9H5zM13 6.5l5.6 1.6-2.3 8.4-4-1.2M9 16.5l2 2.5 4-5',
  sheet: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14M15 10v9',
  pen:
    'M4 20l1.2-4.8L15.8 4.6a1.7 1.7 0 0 1 2.4 0l1.2 1.2a1.7 1.7 0 0 1 0 2.4L8.8 18.8z' +
    'M13.5 7l3.5 3.5',
  ruler: 'M3 16 16 3l5 5L8 21zM7 12l2 2m1-5 2 2m1-5 2 2',
  make: 'M4 4h7v7H4zM17 3.5v8M13 7.5h8M4 15h7v5H4zM14 15h6v5h-6z',
  bag: 'M5 9h14l1 11H4zM9 12V7a3 3 0 0 1 6 0v5',
  tools: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  point: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
});

/** Returns the functions that the bar and the keys call. @param {State} s @param {Voice} voice */
export function tableOpeners(s, voice) {
  const players = (/** @type {() => void} */ f) => () =>
    plays(s) ? f() : voice.notice(msg('controls.why.spectator'));
  const tool = (/** @type {'drawing'|'ruler'} */ name) =>
    players(() => use(s, voice, name, (part) => part.toggle(s, voice)));
  const ping = (/** @type {import('../../view/geometry.js').Point} */ place) =>
    use(s, voice, 'pings', (pings) => pings.ping(s, voice, place));
  const mouse = followMouse(s);
  return {
    sheet: () => use(s, voice, 'sheet', (sheet) => sheet.toggle(s, voice)),
    draw: tool('drawing'),
    measure: tool('ruler'),
    undo: players(() => use(s, voice, 'undo', (part) => void part.undo(s, voice))),
    choose: players(() => use(s, voice, 'rounds', (part) => part.start(s, voice))),
    edit: () => use(s, voice, 'edit', (part) => part.toggle(s, voice)),
    bag: () => use(s, voice, 'bag', (bag) => bag.openBag(s, voice)),
    /** Shows the place of the mouse, else of the focused piece, else the middle of the window. */
    point: players(() => {
      const { left, top, w, h } = s.view.camera;
      const at = mouse() ?? { x: left + w / 2, y: top + h / 2 };
      ping((!mouse() && s.sync.pieces.get(focused(s))) || toTable(s.view.camera, at.x, at.y));
    }),
    /** Shows the place of the next press. */
    aim: players(() => use(s, voice, 'pings', (pings) => pings.aim(s, voice))),
    ping,
  };
}

/**
 * Returns a function that returns the mouse position over the table, in the page. It returns null
 * while the person navigates by keys.
 * @param {State} s
 */
function followMouse(s) {
  const win = s.page.window;
  /** @type {import('../../view/geometry.js').Point|null} */
  let at = null;
  const forget = () => {
    at = null;
  };
  on(win, 'pointermove', (/** @type {PointerEvent} */ e) => {
    at = e.pointerType === 'mouse' ? { x: e.clientX, y: e.clientY } : null;
  });
  on(win, 'pointerleave', forget);
  on(s.page.outer, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Tab' || e.key.startsWith('Arrow')) forget();
  });
  return () => at;
}

/**
 * Makes the bar, and listens to the gestures.
 * @param {State} s
 * @param {ReturnType<typeof tableOpeners>} doors
 * @returns {() => void} removes the listeners
 */
export function bindTablebar(s, doors) {
  const text = (/** @type {string} */ word, /** @type {string} */ label,
    /** @type {string} */ about) => ({ word, label, about });
  const undo = tool(s, 'undo', 'undo', text(
    msg('controls.together.undo'), msg('controls.together.undo'),
    msg('controls.together.about.undo'),
  ), '', doors.undo);
  const sheet = tool(s, 'sheet', 'sheet', text(
    msg('controls.together.word.sheet'), msg('controls.together.sheet'),
    msg('controls.together.about.sheet'),
  ), 'S', doors.sheet);
  const draw = tool(s, 'drawing', 'pen', text(
    msg('controls.together.word.draw'), msg('controls.together.draw'),
    msg('controls.together.about.draw'),
  ), 'D', doors.draw);
  const measure = tool(s, 'ruler', 'ruler', text(
    msg('controls.together.measure'), msg('controls.together.measure'),
    msg('controls.together.about.measure'),
  ), 'Q', doors.measure);
  const point = tool(s, 'pings', 'point', text(
    msg('controls.together.word.point'), msg('controls.together.point'),
    msg('controls.together.about.point'),
  ), 'P', doors.aim);
  const choose = tool(s, 'rounds', 'together', text(
    msg('controls.together.word.choose'), msg('controls.together.choose'),
    msg('controls.together.about.choose'),
  ), 'V', doors.choose);
  const bag = tool(s, 'bag', 'bag', text(
    msg('controls.together.bag'), msg('controls.together.bag'), msg('controls.together.about.bag'),
  ), 'B', doors.bag);
  bag.hidden = s.page.main.dataset.bags === undefined;
  const edit = viewTool('make', text(
    msg('controls.together.word.edit'), msg('controls.together.edit'),
    msg('controls.together.about.edit'),
  ), '', () => {
    openTools(s, false);
    doors.edit();
  });
  const tools = [undo, sheet, draw, measure, point, choose, bag, edit];
  const opener = viewTool('tools', text(
    msg('controls.together.tools'), msg('controls.together.tools'),
    msg('controls.together.about.tools'),
  ), '', () => openTools(s, !isOpen(s)));
  opener.classList.add('opener');
  const bar = el(
    'div',
    { class: 'viewbar tablebar', role: 'toolbar', 'aria-label': msg('controls.together.label') },
    ...tools, opener,
  );
  s.page.viewbar.before(bar);
  setTabStop(bar);
  let shownBefore = '';
  drawWithBars(s, () => {
    setAttr(opener, 'aria-expanded', isOpen(s) ? 'true' : 'false');
    undo.hidden = draw.hidden = measure.hidden = point.hidden = choose.hidden = !plays(s);
    edit.hidden = !s.sync.seats.get(s.sync.you)?.editsBy;
    const { parts } = s;
    const pressed = [
      false,
      parts.sheet?.isOpen(),
      parts.drawing?.isOn(),
      parts.ruler?.isOn(),
      parts.pings?.isAiming(),
      false,
      false,
      parts.edit?.isOpen(),
    ];
    tools.forEach((b, i) => {
      setAttr(b, 'aria-pressed', pressed[i] ? 'true' : 'false');
    });
    // which buttons are shown is known only after a layout, which takes long with many pieces
    const shown = `${plays(s)} ${isOpen(s)} ${isSmall()} ${edit.hidden}`;
    if (shown !== shownBefore) setTabStop(bar);
    shownBefore = shown;
  });
  return all(
    on(bar, 'keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== 'Escape' || !isOpen(s)) return moveFocus(bar, e);
      e.stopPropagation();
      openTools(s, false);
      opener.focus();
    }),
    on(s.page.window, 'pointerdown', () => isOpen(s) && openTools(s, false)),
    bindGestures(s, doors),
  );
}

/**
 * Makes a button of the bar. In a small window it closes the tools again.
 * @param {State} s
 * @param {import('../../parts.js').Name} part
 * @param {string} picture
 * @param {import('./viewtool.js').Says} says
 * @param {string} letter key together with Shift; empty: Ctrl and Z
 * @param {() => void} run
 */
function tool(s, part, picture, says, letter, run) {
  const key = letter ? msg('controls.together.key', { letter }) : msg('controls.together.undoKey');
  const b = viewTool(picture, says, key, () => {
    openTools(s, false);
    if (document.activeElement === b) toOpener(b); // it may be out of sight now, or when it is off
    run();
  });
  setAttr(b, 'aria-keyshortcuts', letter ? `Shift+${letter}` : 'Control+Z');
  setAttr(b, 'data-part', part);
  return b;
}

/**
 * Gives the focus to the button for all tools. A large window has none, and the focus stays.
 * @param {HTMLElement} tool
 */
function toOpener(tool) {
  const opener = tool.parentElement?.querySelector('.opener');
  if (opener instanceof HTMLElement) opener.focus();
}

/** Returns whether the tools are open in a small window. @param {State} s */
const isOpen = (s) => s.page.main.classList.contains('tooled');

/**
 * Shows or hides the tools in a small window, which has room for one button. A large one shows them
 * always.
 * @param {State} s
 * @param {boolean} open
 */
function openTools(s, open) {
  s.page.main.classList.toggle('tooled', open);
  redrawBars(s);
}

/**
 * Shows a place after Alt and click, or after a long touch, where no piece lies. On pieces both
 * gestures mean something else.
 * @param {State} s
 * @param {ReturnType<typeof tableOpeners>} doors
 */
function bindGestures(s, doors) {
  const win = s.page.window;
  /** @type {{pointer: number, x: number, y: number}|null} */
  let press = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const end = () => {
    press = null;
    clearTimeout(timer);
  };
  const ping = () => {
    const p = press;
    end();
    if (p && plays(s)) doors.ping(toTable(s.view.camera, p.x, p.y));
  };
  return all(
    end,
    on(win, 'pointerdown', (/** @type {PointerEvent} */ e) => {
      const second = press !== null;
      end();
      const free =
        !(/** @type {Element} */ (e.target).closest('[data-piece]')) &&
        e.button === 0 &&
        !second &&
        !s.input.carry;
      if (!free || (!e.altKey && e.pointerType !== 'touch')) return;
      if (!e.altKey && nearPiece(s, e.clientX, e.clientY, true)) return; // it means the piece
      press = { pointer: e.pointerId, x: e.clientX, y: e.clientY };
      if (!e.altKey) timer = setTimeout(ping, LONG);
    }),
    on(win, 'pointermove', (/** @type {PointerEvent} */ e) => {
      if (
        press?.pointer === e.pointerId &&
        Math.hypot(e.clientX - press.x, e.clientY - press.y) > SLOP
      )
        end();
    }),
    on(win, 'pointerup', (/** @type {PointerEvent} */ e) =>
      press?.pointer === e.pointerId && e.altKey ? ping() : end(),
    ),
    on(win, 'pointercancel', end),
  );
}
