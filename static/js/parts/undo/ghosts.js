// Shows on the table where the pieces would lie that an undo changes back (T63.26): a faint picture
// or outline at the former place, and an arrow to it from where the piece lies now. It lies above
// the pieces and catches no pointer. Screen readers ignore it: the question says it in words.

import { kindOf } from '../../view/catalog.js';
import { el, setAttr } from '../../view/dom.js';
import { turned, UNITS } from '../../view/geometry.js';
import { addIcons, icon } from '../../view/icons.js';
import { artFor } from '../../view/piece.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Ghost} Ghost */

/**
 * Where something lies: its middle in units, its angle in hundredths of a degree, its size in px,
 * and how round its corners are.
 * @typedef {{x: number, y: number, angle: number, w: number, h: number, round: string}} Spot
 */

const SVG = 'http://www.w3.org/2000/svg';

addIcons({ goes: 'M6 6l12 12M18 6L6 18' });

/** Length of the shortest arrow, and of a head of an arrow, in px of the screen. */
const LEAST = 8;
const HEAD = 11;

/**
 * Makes the layer of the ghosts of a question.
 * @param {State} s
 */
export function createGhosts(s) {
  const lines = document.createElementNS(SVG, 'svg');
  lines.classList.add('ghost-lines');
  const root = el('div', { class: 'ghosts', 'aria-hidden': 'true' });
  root.append(lines);
  s.page.arrows.prepend(root);
  /** @type {ReturnType<typeof one>[]} */
  let all = [];
  let told = '';
  return {
    /** @param {Ghost[]} ghosts */
    show(ghosts) {
      const now = JSON.stringify(ghosts);
      if (now === told) return;
      told = now;
      for (const ghost of all) ghost.remove();
      const takers = new Set();
      all = [...ghosts].reverse().map((ghost) => { // those last that do not say which piece it is
        const isFirst = !takers.has(ghost.into);
        if (ghost.into) takers.add(ghost.into);
        return one(s, root, lines, { ...ghost }, isFirst);
      });
      this.draw();
    },
    /** Draws all where they belong now: hands and containers may move. */
    draw() {
      for (const ghost of all) ghost.draw();
    },
    /** A piece has another name (T21). @param {number} from @param {number} to */
    rename(from, to) {
      for (const ghost of all) ghost.rename(from, to);
    },
    remove: () => root.remove(),
  };
}

/**
 * Makes one ghost.
 * @param {State} s
 * @param {HTMLElement} root
 * @param {SVGElement} lines
 * @param {Ghost} g
 * @param {boolean} isFramed whether it has a frame: what takes several pieces has one
 */
function one(s, root, lines, g, isFramed) {
  const frame = el('div', { class: g.goes ? 'ghost goes' : g.into ? 'ghost into' : 'ghost' });
  const edge = document.createElementNS(SVG, 'path');
  const line = document.createElementNS(SVG, 'path');
  edge.classList.add('edge');
  lines.append(edge, line);
  if (isFramed) root.append(frame);
  const piece = s.sync.pieces.get(g.piece);
  const art = piece && !g.into && !g.goes ? artFor(s, piece) : '';
  if (art) frame.append(el('img', { class: 'art', alt: '', draggable: 'false', src: art }));
  if (g.goes) frame.append(icon('goes'));
  const draw = () => {
    const from = g.piece ? drawnAt(s, g.piece) : null;
    const to = g.goes ? from : g.into ? drawnAt(s, g.into) : placeOf(s, g, from);
    frame.hidden = to === null;
    const path = from && to ? arrow(from, to, UNITS / s.view.camera.scale) : '';
    frame.classList.toggle('here', !g.into && !g.goes && path === '' && from !== null);
    for (const drawn of [edge, line]) setAttr(drawn, 'd', path || null);
    if (to) lay(frame, to);
  };
  return {
    draw,
    rename(/** @type {number} */ from, /** @type {number} */ to) {
      if (g.piece === from) g.piece = to;
      if (g.into === from) g.into = to;
    },
    remove() {
      for (const e of [frame, edge, line]) e.remove();
    },
  };
}

/** @param {HTMLElement} frame @param {Spot} at */
function lay(frame, { x, y, angle, w, h, round }) {
  const { style } = frame;
  style.width = `${w}px`;
  style.height = `${h}px`;
  style.borderRadius = round;
  style.transform =
    `translate(${x / UNITS - w / 2}px, ${y / UNITS - h / 2}px) rotate(${angle / 100}deg)`;
}

/**
 * Returns where a piece is drawn now; null if it is not.
 * @param {State} s
 * @param {number} id
 * @returns {Spot|null}
 */
function drawnAt(s, id) {
  const p = s.view.shown.get(id);
  if (!p) return null;
  return { x: p.x, y: p.y, angle: p.angle, w: p.w, h: p.h, round: p.el.style.borderRadius };
}

/**
 * Returns where a ghost lies that goes neither away nor into something. It has the shape of its
 * piece, or of its kind if it is not known which piece it is.
 * @param {State} s
 * @param {Ghost} g
 * @param {Spot|null} piece
 * @returns {Spot}
 */
function placeOf(s, { x, y, angle, kind }, piece) {
  if (piece) return { ...piece, x, y, angle };
  const { width, height, shape } = kindOf(s, { kind });
  return {
    x, y, angle, w: width / UNITS, h: height / UNITS, round: shape === 'round' ? '50%' : '',
  };
}

/**
 * Returns the path of an arrow from the edge of one thing to that of another; empty if they are too
 * close for one.
 * @param {Spot} from
 * @param {Spot} to
 * @param {number} px units in a px of the screen
 */
export function arrow(from, to, px) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = Math.hypot(dx, dy);
  if (long === 0) return '';
  const [start, end] = [from, to].map((spot) => reach(spot, dx / long, dy / long));
  const free = long - start - end;
  if (free < LEAST * px) return '';
  const at = (/** @type {number} */ far, aside = 0) => {
    const [along, across] = [far / long, aside / long];
    const [x, y] = [from.x + dx * along - dy * across, from.y + dy * along + dx * across];
    return `${Math.round(x) / UNITS} ${Math.round(y) / UNITS}`;
  };
  const head = Math.min(HEAD * px, free / 2);
  const tip = long - end;
  return `M${at(start)}L${at(tip)}M${at(tip - head, head * 0.6)}L${at(tip)}` +
    `L${at(tip - head, -head * 0.6)}`;
}

/**
 * Returns how far it is from the middle of a thing to its edge, in a direction, in units.
 * @param {Spot} spot
 * @param {number} dx
 * @param {number} dy
 */
function reach({ w, h, angle, round }, dx, dy) {
  if (round === '50%') return (Math.min(w, h) * UNITS) / 2;
  const { x, y } = turned(dx, dy, -angle / 100);
  return (Math.min(w / Math.abs(x), h / Math.abs(y)) * UNITS) / 2;
}
