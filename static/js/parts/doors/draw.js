// Draws a sign at each door. The signs lie in a layer above all pieces. They are upright and have
// one size at every zoom.

import { el, setText } from '../../view/dom.js';
import { boundsOf, UNITS } from '../../view/geometry.js';
import { kindOf } from '../../view/catalog.js';
import { icon } from '../../view/icons.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('./components.js').Door} Door */

/**
 * @typedef {object} Sign
 * @property {Door} door
 * @property {HTMLElement} el
 * @property {string} place where it was drawn last, as a text to compare
 */

/** Distance of a sign above its piece, in px. */
const GAP = 4;

/**
 * Makes the sign of a door. Screen readers have the name of the piece and its actions instead.
 * @param {number} id
 * @param {Door} door
 * @returns {Sign}
 */
export function newSign(id, door) {
  const sign = el(
    'div', { class: 'door-sign', 'aria-hidden': 'true', 'data-door': id }, icon('door'),
    el('span', { class: 'door-words' }, el('span', { class: 'door-text' })),
  );
  return { door, el: sign, place: '' };
}

/** Writes a sign. @param {Sign} sign */
export function write({ door, el: sign }) {
  sign.classList.toggle('shut', door.why !== '');
  const text = /** @type {Element} */ (sign.querySelector('.door-text'));
  setText(text, door.title);
  const why = door.why ? msg(`doors.closed.${door.why}`) : '';
  let reason = sign.querySelector('.door-why');
  if (!why) reason?.remove();
  else if (!reason) {
    reason = el('span', { class: 'door-why' });
    text.after(reason);
  }
  if (reason) setText(reason, why);
  const to = door.server
    ? msg('doors.toServer', { title: door.title, server: door.server })
    : msg('doors.sign', { title: door.title });
  sign.title = why ? `${to}: ${why}` : to;
}

/**
 * Shows that a door accepts what is dragged over it, or ends that.
 * @param {Sign|undefined} sign
 * @param {Shown|undefined} p the piece
 * @param {boolean} accepts
 */
export function showAccepting(sign, p, accepts) {
  p?.el.classList.toggle('door-accepts', accepts);
  if (!sign) return;
  sign.el.classList.toggle('accepts', accepts);
  const { title } = sign.door;
  const text = /** @type {Element} */ (sign.el.querySelector('.door-text'));
  setText(text, accepts ? msg('doors.sendHere', { title }) : title);
}

/**
 * Places a sign above its piece, as this person sees the table.
 * @param {State} s
 * @param {Sign} sign
 * @param {Shown|undefined} p undefined: the piece is not shown
 * @param {HTMLElement} layer
 */
export function place(s, sign, p, layer) {
  if (!p || p.height === 0) {
    sign.el.remove();
    sign.place = '';
    return;
  }
  if (!sign.el.isConnected) layer.append(sign.el);
  const { scale, turn } = s.view.camera;
  const { h } = boundsOf(p.w, p.h, kindOf(s, p).shape === 'round' ? 0 : p.angle + turn * 100);
  const at = [p.x, p.y, h, scale, turn].join();
  if (at === sign.place) return;
  sign.place = at;
  sign.el.style.transform =
    `translate(${p.x / UNITS}px, ${p.y / UNITS}px) rotate(${-turn}deg) ` +
    `translateY(${-h / 2}px) scale(${1 / scale}) translate(-50%, calc(-100% - ${GAP}px))`;
}
