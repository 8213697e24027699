// The pen: mouse, finger or stylus on the table make strokes, or erase them, as long as drawing is on. What is drawn is told while it is
// drawn, a stretch at a time; two fingers still zoom and move the table.

import { all, on } from '../../view/dom.js';
import { toTable, UNITS } from '../../view/geometry.js';
import { pathOf, simplified, stretchesOf } from './lines.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Ink} Ink */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

/** Milliseconds between two stretches of a stroke that is being drawn. */
const BEAT = 150;

/** Stretches of one stroke: when there are so many, it goes on as another. A set keeps 256 (C14). */
const STRETCHES = 240;

/** How far a line may be off the one that was drawn, in px of this person's screen, and at most in units. */
const OFF = 0.7;
const MOST_OFF = 15;

/** How far the eraser reaches, in px. */
const REACH = 9;

/** A stroke of this length, in px, or a shorter one was none if a second finger follows: they want to zoom. */
const SLIP = 24;

/**
 * What the pen is set to.
 * @typedef {{tool: 'pen'|'eraser', colour: number, width: number}} Setting
 */

/**
 * @typedef {object} Desk
 * @property {Setting} setting
 * @property {(ink: Ink) => boolean} mayErase
 * @property {(ink: Ink) => void} onForbidden somebody else's stroke is touched with the eraser
 * @property {() => void} onFull there is no room for another stroke
 * @property {(entity: number) => void} onDrawn
 */

/**
 * A stroke that is being made.
 * @typedef {object} Draft
 * @property {number} pointer
 * @property {import('../components/registry.js').Stroke} stroke
 * @property {SVGPathElement} path
 * @property {number} entity  0: nothing of it has been told yet
 * @property {number} count   stretches that were told
 * @property {Point[]} told
 * @property {Point[]} rest   what was drawn since, after the last place that was told
 */

/**
 * Listens to pointers until it is stopped.
 * @param {State} s @param {Shared} shared @param {Board} board @param {Desk} desk
 * @returns {() => void} stops
 */
export function bindPen(s, shared, board, desk) {
  const win = s.page.window;
  /** @type {Draft|null} */
  let draft = null;
  /** The pointer that erases, or moves the table. @type {{pointer: number, does: 'erase'|'pan', x: number, y: number}|null} */
  let other = null;
  /** Once a stylus has drawn, a finger, or the ball of the hand, is no pen. */
  let stylus = false;
  let fingers = 0;

  const down = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType === 'touch') fingers++;
    if ((e.button !== 0 && !isEraser(e)) || s.page.main.classList.contains('panning')) return; // the table is moved, or a menu opened
    e.stopImmediatePropagation();
    e.preventDefault();
    stylus ||= e.pointerType === 'pen';
    if (draft || other || (e.pointerType === 'touch' && fingers > 1)) {
      if (e.pointerType === 'touch') secondFinger();
      return;
    }
    win.setPointerCapture(e.pointerId);
    if (e.pointerType === 'touch' && stylus)
      other = { pointer: e.pointerId, does: 'pan', x: e.clientX, y: e.clientY };
    else if (desk.setting.tool === 'eraser' || isEraser(e)) {
      other = { pointer: e.pointerId, does: 'erase', x: 0, y: 0 };
      erase(e);
    } else begin(e);
  };

  const begin = (/** @type {PointerEvent} */ e) => {
    const { colour, width } = desk.setting;
    const stroke = { colour, width };
    draft = {
      pointer: e.pointerId,
      stroke,
      path: board.draft(stroke),
      entity: 0,
      count: 0,
      told: [],
      rest: [placeOf(e)],
    };
    show(draft);
    beat = setTimeout(tick, BEAT);
  };

  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let beat;
  const tick = () => {
    if (!draft) return;
    if (s.link.state === 'online') tell(draft);
    beat = setTimeout(tick, BEAT);
  };

  const move = (/** @type {PointerEvent} */ e) => {
    if (draft?.pointer === e.pointerId) {
      const events = e.getCoalescedEvents?.() ?? [];
      for (const event of events.length > 0 ? events : [e]) add(draft, placeOf(event));
      show(draft);
    } else if (other?.pointer === e.pointerId) {
      if (other.does === 'erase') for (const event of e.getCoalescedEvents?.() ?? [e]) erase(event);
      else {
        win.scrollBy(other.x - e.clientX, other.y - e.clientY);
        Object.assign(other, { x: e.clientX, y: e.clientY });
      }
    }
  };

  /** A second finger zooms: what the first one has just begun was not meant. */
  const secondFinger = () => {
    other = null;
    const d = draft;
    if (!d) return;
    const [first] = [...d.told, ...d.rest];
    const slip = [...d.told, ...d.rest].every(
      (p) => Math.hypot(p.x - first.x, p.y - first.y) <= (SLIP * UNITS) / scale(),
    );
    if (!slip) {
      end();
      return;
    }
    put();
    if (d.entity) shared.replica.removeEntity(d.entity);
  };

  const up = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType === 'touch') fingers = Math.max(0, fingers - 1);
    if (draft?.pointer === e.pointerId) end();
    if (other?.pointer === e.pointerId) other = null;
  };

  /** Tells the rest of the stroke, and lets it be one like the others. */
  const end = () => {
    if (!draft) return;
    tell(draft);
    put();
  };

  /** Takes the pen off the table. */
  const put = () => {
    const d = draft;
    draft = null;
    clearTimeout(beat);
    if (!d) return;
    d.path.remove();
    if (!d.entity) return;
    board.hide(d.entity, false);
    board.read(d.entity);
    desk.onDrawn(d.entity);
  };

  /** Tells what was drawn since the last time, made of few points. @param {Draft} d */
  const tell = (d) => {
    const last = d.told.at(-1);
    if (d.rest.length === 0) return;
    const line = simplified(
      last ? [last, ...d.rest] : d.rest,
      Math.min((OFF * UNITS) / scale(), MOST_OFF),
    );
    const fresh = last ? line.slice(1) : line;
    if (!d.entity && !name(d)) {
      put();
      desk.onFull();
      return;
    }
    for (const stretch of stretchesOf(fresh)) {
      shared.replica.append(d.entity, shared.COMPONENTS.points, stretch);
      d.count++;
    }
    d.told.push(...fresh.map((p) => ({ x: Math.round(p.x), y: Math.round(p.y) })));
    d.rest = [];
    if (d.count >= STRETCHES) goOn(d);
  };

  /** Begins the stroke as one of the table's. @param {Draft} d */
  const name = (d) => {
    const { replica, entities, COMPONENTS } = shared;
    const now = entities.secondAt(s.serverNow());
    // A host may just have cleared the table of all that was made up to now, by a clock that goes a little fast.
    for (let later = 0; later < 3600; later = later * 2 + 1) {
      const entity = entities.entityOfStroke(
        now + later,
        1 + Math.floor(Math.random() * (2 ** 20 - 1)),
      );
      if (replica.isDeleted(entity)) continue;
      if (!replica.put(entity, COMPONENTS.stroke, d.stroke)) return false;
      d.entity = entity;
      board.hide(entity, true);
      return true;
    }
    return false;
  };

  /** A stroke is as long as one can be: another one goes on from there. @param {Draft} d */
  const goOn = (d) => {
    const { pointer, stroke } = d;
    const from = d.told.slice(-1);
    put();
    draft = {
      pointer,
      stroke,
      path: board.draft(stroke),
      entity: 0,
      count: 0,
      told: [],
      rest: from,
    };
    beat = setTimeout(tick, BEAT);
  };

  const erase = (/** @type {PointerEvent} */ e) => {
    for (const ink of board.at(placeOf(e), (REACH * UNITS) / scale())) {
      if (desk.mayErase(ink)) {
        shared.replica.removeEntity(ink.entity);
        board.read(ink.entity);
      } else desk.onForbidden(ink);
    }
  };

  const scale = () => s.view.scale * (s.view.live?.factor ?? 1);

  /** Where a pointer is, in units, on the table or close to it. @param {PointerEvent} e @returns {Point} */
  const placeOf = (e) => {
    const { x, y } = toTable(s.view, e.clientX, e.clientY);
    const near = (/** @type {number} */ n, /** @type {number} */ size) =>
      Math.min(Math.max(n, -size / 2 - 300), size / 2 + 300);
    return { x: near(x, s.view.width), y: near(y, s.view.height) };
  };

  const first = { capture: true };
  return all(
    end,
    on(win, 'pointerdown', down, first),
    on(win, 'pointermove', move, first),
    on(win, 'pointerup', up, first),
    on(win, 'pointercancel', up, first),
  );
}

/** Adds a place to a stroke, if it is another one. @param {Draft} d @param {Point} p */
function add(d, p) {
  const last = d.rest.at(-1) ?? d.told.at(-1);
  if (!last || Math.hypot(p.x - last.x, p.y - last.y) >= 2) d.rest.push(p);
}

/** @param {Draft} d */
function show({ path, told, rest }) {
  path.setAttribute('d', pathOf([...told, ...rest]));
}

/** Whether a stylus is held upside down. @param {PointerEvent} e */
function isEraser(e) {
  return e.pointerType === 'pen' && (e.buttons & 32) !== 0;
}
