// The pen. While drawing is on, a mouse, finger or stylus on the table makes strokes or erases
// them. A stroke is sent while it is drawn, a stretch at a time. Two fingers still zoom and move
// the table.

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

/** The number of stretches after which a stroke continues as another one. A set keeps 256 (C14). */
const STRETCHES = 240;

/**
 * How far a simplified line may be from the drawn one: OFF in px of this person's screen, and at
 * most MOST_OFF in units.
 */
const OFF = 0.7;
const MOST_OFF = 15;

/** How far the eraser reaches, in px. */
const REACH = 9;

/**
 * If a second finger follows, a stroke of up to this length, in px, is removed: the person wants to
 * zoom.
 */
const SLIP = 24;

/**
 * The setting of the pen.
 * @typedef {{tool: 'pen'|'eraser', colour: number, width: number}} Setting
 */

/**
 * @typedef {object} Callbacks
 * @property {Setting} setting
 * @property {(ink: Ink) => boolean} mayErase
 * @property {(ink: Ink) => void} onForbidden the eraser touches a stroke that this person may not
 *   erase
 * @property {() => void} onFull there is no room for another stroke
 * @property {(entity: number) => void} onDrawn a stroke was drawn
 */

/**
 * A stroke that is being made.
 * @typedef {object} Draft
 * @property {number} pointer
 * @property {import('../components/registry.js').Stroke} stroke
 * @property {SVGPathElement} path
 * @property {number} entity 0: nothing of it has been sent yet
 * @property {number} count number of stretches that were sent
 * @property {Point[]} sent points that were sent
 * @property {Point[]} rest points since then
 */

/**
 * Listens to pointers.
 * @param {State} s
 * @param {Shared} shared
 * @param {Board} board
 * @param {Callbacks} desk
 * @returns {() => void} stops
 */
export function bindPen(s, shared, board, desk) {
  const win = s.page.window;
  /** @type {Draft|null} */
  let draft = null;
  /**
   * The pointer that erases or moves the table.
   * @type {{pointer: number, does: 'erase'|'pan', x: number, y: number}|null}
   */
  let other = null;
  /** Once a stylus has drawn, a finger or the ball of the hand does not draw any more. */
  let stylus = false;
  let fingers = 0;

  const down = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType === 'touch') fingers++;
    // the press moves the table or opens a menu
    if ((e.button !== 0 && !isEraser(e)) || s.page.main.classList.contains('panning')) return;
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
      sent: [],
      rest: [placeOf(e)],
    };
    show(draft);
    beat = setTimeout(tick, BEAT);
  };

  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let beat;
  const tick = () => {
    if (!draft) return;
    if (s.net.status.state === 'online') sendRest(draft);
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

  /**
   * Handles a second finger, which means a zoom. A short stroke of the first finger is removed,
   * because it was not intended.
   */
  const secondFinger = () => {
    other = null;
    const d = draft;
    if (!d) return;
    const [first] = [...d.sent, ...d.rest];
    const slip = [...d.sent, ...d.rest].every(
      (p) => Math.hypot(p.x - first.x, p.y - first.y) <= (SLIP * UNITS) / scale(),
    );
    if (!slip) {
      end();
      return;
    }
    finish();
    if (d.entity) shared.replica.removeEntity(d.entity);
  };

  const up = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType === 'touch') fingers = Math.max(0, fingers - 1);
    if (draft?.pointer === e.pointerId) end();
    if (other?.pointer === e.pointerId) other = null;
  };

  /** Sends the rest of the stroke, and ends it. */
  const end = () => {
    if (!draft) return;
    sendRest(draft);
    finish();
  };

  /** Ends the stroke on the screen. */
  const finish = () => {
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

  /** Sends the points since the last time, simplified. @param {Draft} d */
  const sendRest = (d) => {
    const last = d.sent.at(-1);
    if (d.rest.length === 0) return;
    const line = simplified(
      last ? [last, ...d.rest] : d.rest,
      Math.min((OFF * UNITS) / scale(), MOST_OFF),
    );
    const fresh = last ? line.slice(1) : line;
    if (!d.entity && !createStroke(d)) {
      finish();
      desk.onFull();
      return;
    }
    for (const stretch of stretchesOf(fresh)) {
      shared.replica.append(d.entity, shared.COMPONENTS.points, stretch);
      d.count++;
    }
    d.sent.push(...fresh.map((p) => ({ x: Math.round(p.x), y: Math.round(p.y) })));
    d.rest = [];
    if (d.count >= STRETCHES) continueStroke(d);
  };

  /** Creates the stroke in the replica. Returns false if that is not possible. @param {Draft} d */
  const createStroke = (d) => {
    const { replica, entities, COMPONENTS } = shared;
    const now = entities.secondAt(s.net.serverNow());
    // A host may just have cleared all strokes up to now, with a clock that is a little ahead. Then
    // the stroke gets a later second.
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

  /** Continues a stroke that has reached its greatest length as another one. @param {Draft} d */
  const continueStroke = (d) => {
    const { pointer, stroke } = d;
    const from = d.sent.slice(-1);
    finish();
    draft = {
      pointer,
      stroke,
      path: board.draft(stroke),
      entity: 0,
      count: 0,
      sent: [],
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

  const scale = () => s.view.camera.scale * (s.view.camera.live?.factor ?? 1);

  /**
   * Returns the place of a pointer in units, at most 300 units beyond the edge of the table.
   * @param {PointerEvent} e
   * @returns {Point}
   */
  const placeOf = (e) => {
    const { x, y } = toTable(s.view.camera, e.clientX, e.clientY);
    const near = (/** @type {number} */ n, /** @type {number} */ size) =>
      Math.min(Math.max(n, -size / 2 - 300), size / 2 + 300);
    return { x: near(x, s.view.camera.width), y: near(y, s.view.camera.height) };
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

/** Adds a place to a stroke if it differs from the last one. @param {Draft} d @param {Point} p */
function add(d, p) {
  const last = d.rest.at(-1) ?? d.sent.at(-1);
  if (!last || Math.hypot(p.x - last.x, p.y - last.y) >= 2) d.rest.push(p);
}

/** @param {Draft} d */
function show({ path, sent, rest }) {
  path.setAttribute('d', pathOf([...sent, ...rest]));
}

/** Returns whether the eraser end of a stylus is used. @param {PointerEvent} e */
function isEraser(e) {
  return e.pointerType === 'pen' && (e.buttons & 32) !== 0;
}
