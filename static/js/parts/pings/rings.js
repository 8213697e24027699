// Draws pings: a ring with a name, in the colour of the person who shows the place, upright and of
// one size at every zoom. If the place is outside the window, an arrow at the edge points to it.

import { el, wantsStill } from '../../view/dom.js';
import { toPage, UNITS } from '../../view/geometry.js';
import { icon } from '../../view/icons.js';
import { msg } from './msg.js';
import { nickOf } from '../../view/names.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/geometry.js').Point} Point */

/** The strips at the edges of the window that bars cover, in px. Arrows stay out of them. */
const EDGE = { left: 30, right: 30, top: 84, bottom: 96 };

/**
 * @typedef {object} Ring
 * @property {number} seat
 * @property {Point} place
 * @property {HTMLElement} el the element in the layer of cursors
 * @property {HTMLButtonElement} edge the button at the edge of the window
 * @property {HTMLElement} tip the arrow in that button
 * @property {() => void} remove
 */

/**
 * Makes the elements of a ping.
 * @param {State} s
 * @param {import('../components/registry.js').Ping} ping
 * @param {boolean} own
 * @returns {Ring}
 */
export function ringFor(s, { seat, x, y, word }, own) {
  const who = s.sync.seats.get(seat);
  const nick = nickOf(s, seat);
  const name = word ? msg('pings.name', { nick, word }) : nick;
  const colour = who ? s.view.tints.held(who) : '';
  const root = el(
    'div',
    { class: `ping ${colour}`, 'data-ping': seat },
    el('span', { class: 'ping-ring' }),
    el('span', { class: 'ping-ring late' }),
    el('span', { class: 'ping-name' }, name),
  );
  const tip = el('span', { class: 'ping-tip', 'aria-hidden': 'true' }, icon('tip'));
  const go = () =>
    s.page.window.scrollBy({ ...away(s, { x, y }), behavior: wantsStill() ? 'instant' : 'smooth' });
  const edge = el(
    'button',
    {
      class: `ping-edge ${colour}`,
      hidden: true,
      'aria-label': msg('pings.go', { nick }),
      onclick: go,
    },
    tip,
    el('span', {}, name),
  );
  s.page.arrows.append(root);
  if (!own) s.page.toolbar.before(edge);
  const remove = () => {
    root.remove();
    edge.remove();
  };
  return { seat, place: { x, y }, el: root, edge, tip, remove };
}

/**
 * Returns the distance of a place from the middle of the window, in px.
 * @param {State} s
 * @param {Point} place
 */
function away({ view: { camera } }, place) {
  const at = toPage(camera, place);
  return { left: at.x - camera.left - camera.w / 2, top: at.y - camera.top - camera.h / 2 };
}

/**
 * Puts rings at their places in the current view.
 * @param {State} s
 * @param {Iterable<Ring>} rings
 */
export function drawRings(s, rings) {
  const { turn, scale, live } = s.view.camera;
  const upright = `rotate(${-turn}deg) scale(${1 / (scale * (live?.factor ?? 1))})`;
  for (const ring of rings) {
    const { x, y } = ring.place;
    ring.el.style.transform = `translate(${x / UNITS}px, ${y / UNITS}px) ${upright}`;
    drawEdge(s, ring);
  }
}

/** @param {State} s @param {Ring} ring */
function drawEdge({ view: { camera } }, { place, edge, tip }) {
  const at = toPage(camera, place);
  const box = {
    left: camera.left,
    top: camera.top,
    right: camera.left + camera.w,
    bottom: camera.top + camera.h,
  };
  const inSight = at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
  edge.hidden = inSight;
  if (inSight) return;
  const x = Math.min(
    Math.max(at.x, box.left + EDGE.left),
    box.right - EDGE.right - edge.offsetWidth,
  );
  const y = Math.min(Math.max(at.y, box.top + EDGE.top), box.bottom - EDGE.bottom);
  edge.style.transform = `translate(${x}px, ${y}px)`;
  tip.style.transform = `rotate(${Math.atan2(at.y - y, at.x - x)}rad)`;
}
