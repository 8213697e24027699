// The drawings on the table: one SVG path for each stroke, above the boards and below the pieces. A
// stroke that somebody else draws grows while they draw it: points arrive in bunches, and the line
// grows evenly until the next bunch.
//
// There are two SVG layers. The browser composites each by itself, so a line does not repaint the
// boards and the pieces. One layer is for resting strokes, the other for strokes that are being
// drawn. So a new line does not repaint two thousand others in each frame.

import { wantsStill } from '../../view/dom.js';
import { css } from '../../view/colour.js';
import { boxAround, distanceTo, lengthOf, pathOf, pointsOf } from './lines.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../components/registry.js').Points} Points */
/** @typedef {import('../components/registry.js').Stroke} Stroke */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

const SVG = 'http://www.w3.org/2000/svg';

/** Milliseconds in which a line grows by the points that have arrived. */
const GROWS = 260;

/** Milliseconds after which a line that does not grow any more moves to the resting layer. */
const RESTS = 600;

/** Age of a stroke, in seconds, up to which it is shown growing. Older ones appear at once. */
const LIVE = 5;

/**
 * A stroke as it is drawn.
 * @typedef {object} Ink
 * @property {number} entity
 * @property {number} author seat of its author; 0: it is this person's, and the room does not have
 *   it yet
 * @property {Stroke} stroke
 * @property {Points[]} stretches used to see whether something has changed
 * @property {Point[]} points
 * @property {ReturnType<typeof boxAround>} box
 * @property {SVGPathElement} path
 * @property {{shown: number, length: number, speed: number, rested: number}|null} growth shown
 *   length and full length in units, speed in units per millisecond, and how long all of it has
 *   been shown; null: it rests
 */

export class Board {
  /** By entity. @type {Map<number, Ink>} */
  inks = new Map();
  /** The growing strokes. @type {Set<Ink>} */
  #growing = new Set();
  /**
   * The entities from the bottom to the top: in the order in which they were made.
   * @type {number[]}
   */
  #order = [];
  #resting = element('svg', { class: 'ink', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
  #moving = element('svg', { class: 'ink', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
  #size = '';
  #last = 0;
  /** Strokes that something else shows, such as the pen that makes them. @type {Set<number>} */
  #hidden = new Set();
  /** @type {State} */
  #s;
  /** @type {Shared} */
  #shared;

  /** @param {State} s @param {Shared} shared */
  constructor(s, shared) {
    this.#s = s;
    this.#shared = shared;
    s.page.pieces.before(this.#resting, this.#moving);
  }

  /** Reads all strokes again. @returns {Ink[]} the strokes that somebody else has just begun */
  readAll() {
    const { replica, entities } = this.#shared;
    const there = new Set(replica.entities(entities.clearing(0), Number.MAX_SAFE_INTEGER));
    for (const entity of [...this.inks.keys()]) if (!there.has(entity)) this.read(entity);
    return [...there].flatMap((entity) => this.read(entity) ?? []);
  }

  /**
   * Reads a stroke again.
   * @param {number} entity
   * @returns {Ink|null} the stroke if somebody else has just begun it
   */
  read(entity) {
    const { replica, COMPONENTS: of } = this.#shared;
    const stroke = replica.get(entity, of.stroke);
    const stretches = stroke ? replica.elements(entity, of.points) : [];
    const known = this.inks.get(entity);
    if (!stroke || stretches.length === 0) {
      if (known) this.#drop(known);
      return null;
    }
    const author = replica.get(entity, of.author)?.seat ?? 0;
    if (known) known.author = author;
    const isSame =
      known &&
      known.stroke === stroke &&
      known.stretches.length === stretches.length &&
      known.stretches.every((p, i) => p === stretches[i]);
    if (isSame) return null;
    const ink = known ?? this.#add(entity, author, stroke);
    const isLive = this.#isLive(ink);
    const before = lengthOf(ink.points);
    Object.assign(ink, { stroke, stretches, points: pointsOf(stretches) });
    ink.box = boxAround(ink.points);
    this.#draw(ink);
    if (isLive && !wantsStill()) this.#grow(ink, before);
    return isLive && !known ? ink : null;
  }

  /** @param {number} entity @param {number} author @param {Stroke} stroke @returns {Ink} */
  #add(entity, author, stroke) {
    const path = element('path', { 'data-stroke': entity });
    const ink = {
      entity,
      author,
      stroke,
      stretches: [],
      points: [],
      box: boxAround([]),
      path,
      growth: null,
    };
    this.inks.set(entity, ink);
    let at = this.#order.length;
    while (at > 0 && this.#order[at - 1] > entity) at--;
    this.#order.splice(at, 0, entity);
    this.#lay(ink);
    return ink;
  }

  /** Puts a stroke into the resting layer, at its place in the order. @param {Ink} ink */
  #lay(ink) {
    const resting = (/** @type {number} */ entity) =>
      this.inks.get(entity)?.path.parentNode === this.#resting;
    const above = this.#order.slice(this.#order.indexOf(ink.entity) + 1).find(resting);
    this.#resting.insertBefore(ink.path, this.inks.get(above ?? -1)?.path ?? null);
  }

  /** @param {Ink} ink */
  #drop(ink) {
    ink.path.remove();
    this.inks.delete(ink.entity);
    this.#growing.delete(ink);
    this.#order.splice(this.#order.indexOf(ink.entity), 1);
  }

  /** @param {Ink} ink */
  #draw({ path, stroke, points, entity }) {
    path.setAttribute('d', pathOf(points));
    path.setAttribute('stroke', css(stroke.colour));
    path.setAttribute('stroke-width', String(stroke.width));
    path.toggleAttribute('hidden', this.#hidden.has(entity));
  }

  /**
   * Hides a stroke that something else shows, or shows it again.
   * @param {number} entity
   * @param {boolean} yes
   */
  hide(entity, yes) {
    if (yes) this.#hidden.add(entity);
    else this.#hidden.delete(entity);
    this.inks.get(entity)?.path.toggleAttribute('hidden', yes);
  }

  // ---- growing ----

  /** Returns whether somebody else is drawing a stroke now. @param {Ink} ink */
  #isLive({ entity, author }) {
    const { secondOf, secondAt } = this.#shared.entities;
    const age = secondAt(this.#s.serverNow()) - secondOf(entity);
    return author !== 0 && author !== this.#s.sync.you && age < LIVE + this.#duration(entity);
  }

  /**
   * Returns an upper bound of the time for which a stroke has been growing, in seconds. The pen
   * sends at most about six to seven stretches a second; this counts four.
   * @param {number} entity
   */
  #duration(entity) {
    return (this.inks.get(entity)?.stretches.length ?? 0) / 4;
  }

  /**
   * Lets a stroke grow.
   * @param {Ink} ink
   * @param {number} before its length before the change
   */
  #grow(ink, before) {
    const shown = ink.growth?.shown ?? before;
    const length = lengthOf(ink.points);
    ink.growth = { shown, length, speed: (length - shown) / GROWS, rested: 0 };
    if (ink.path.parentNode !== this.#moving) this.#moving.append(ink.path);
    this.#growing.add(ink);
    writeGrowth(ink);
    this.#s.redraw();
  }

  /**
   * Draws the next step of the growing strokes. One of s.frames.
   * @param {number} now
   * @returns {boolean} whether some still grow
   */
  step(now) {
    this.#fit();
    const ms = Math.min(now - this.#last, 50);
    this.#last = now;
    for (const ink of this.#growing) {
      const { growth } = ink;
      if (!growth) continue;
      if (growth.shown < growth.length) {
        growth.shown = Math.min(growth.length, growth.shown + growth.speed * ms);
        writeGrowth(ink);
      } else growth.rested += ms;
      if (growth.rested < RESTS) continue;
      ink.growth = null;
      this.#growing.delete(ink);
      writeGrowth(ink);
      this.#lay(ink);
    }
    return this.#growing.size > 0;
  }

  /** Makes the layers as large as the table. */
  #fit() {
    const { width, height } = this.#s.view;
    const size = `${-width / 2} ${-height / 2} ${width} ${height}`;
    if (size === this.#size) return;
    this.#size = size;
    for (const svg of [this.#resting, this.#moving]) svg.setAttribute('viewBox', size);
  }

  // ---- finding strokes, and the stroke of the pen ----

  /**
   * Returns the strokes at a place, the uppermost first.
   * @param {Point} place
   * @param {number} reach how far they may be from it, in units
   * @returns {Ink[]}
   */
  at(place, reach) {
    const found = [];
    for (let i = this.#order.length - 1; i >= 0; i--) {
      const ink = this.inks.get(this.#order[i]);
      if (!ink) continue;
      const r = reach + ink.stroke.width / 2;
      const { left, right, top, bottom } = ink.box;
      if (place.x < left - r || place.x > right + r || place.y < top - r || place.y > bottom + r)
        continue;
      if (distanceTo(ink.points, place) <= r) found.push(ink);
    }
    return found;
  }

  /** Makes a path above all strokes, for one that is being made. @param {Stroke} stroke */
  draft({ colour, width }) {
    const path = element('path', { stroke: css(colour), 'stroke-width': width, 'data-draft': '' });
    this.#moving.append(path);
    return path;
  }

  remove() {
    this.#resting.remove();
    this.#moving.remove();
  }
}

/** Shows a growing stroke up to its shown length, by a dash of that length. @param {Ink} ink */
function writeGrowth({ path, growth }) {
  if (growth) {
    path.setAttribute('pathLength', String(growth.length));
    path.setAttribute(
      'stroke-dasharray',
      `${Math.round(growth.shown)} ${Math.ceil(growth.length) + 1}`,
    );
  } else {
    path.removeAttribute('pathLength');
    path.removeAttribute('stroke-dasharray');
  }
}

/**
 * @template {'svg'|'path'} K
 * @param {K} name @param {Record<string, string|number>} attributes
 */
function element(name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  return /** @type {SVGElementTagNameMap[K]} */ (e);
}
