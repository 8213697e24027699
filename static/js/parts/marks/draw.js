// Draws labels, remarks and tints. Labels and signs of remarks lie in a layer above all pieces, so
// that no piece covers them. They are upright and have one size at every zoom. A tint is an element
// of its piece.

import { abilityOf } from '../../kinds/abilities.js';
import { kindOf } from '../../view/catalog.js';
import { css } from '../../view/colour.js';
import { el, setText } from '../../view/dom.js';
import { boundsOf, UNITS } from '../../view/geometry.js';
import { hueOf } from './tints.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('./components.js').Written} Written */

/**
 * The elements that are drawn for a piece.
 * @typedef {object} Mark
 * @property {Written} written
 * @property {HTMLElement|null} strip the element with label and sign below the piece
 * @property {HTMLElement|null} tint
 * @property {string} place where the strip was drawn last, as a text to compare
 * @property {string} look how the tint was drawn last, as a text to compare
 */

/**
 * Distance of a strip below its piece, in px. It is greater where the piece itself has something
 * there.
 */
const GAP = 3;
const GAP_CONTAINER = 16;
const GAP_STEPS = 62;

/**
 * How far inside the box of a figure the strip begins, as a part of the height: a figure does not
 * fill its box.
 */
const FOOT = 0.14;

/** @param {Written} written @returns {Mark} */
export function newMark(written) {
  return { written, strip: null, tint: null, place: '', look: '' };
}

/** Removes everything that is drawn. @param {Mark} mark */
export function erase(mark) {
  mark.strip?.remove();
  mark.tint?.remove();
  Object.assign(mark, { strip: null, tint: null, place: '', look: '' });
}

/**
 * Draws the changes of a mark, at the current place of its piece.
 * @param {State} s
 * @param {HTMLElement} layer
 * @param {Mark} mark
 * @param {Shown|undefined} p undefined: the piece is not shown
 */
export function draw(s, layer, mark, p) {
  if (!p) {
    erase(mark);
    return;
  }
  drawTint(s, mark, p);
  const { label, remark } = mark.written;
  if ((!label && !remark) || p.height === 0) {
    mark.strip?.remove();
    mark.strip = null;
    mark.place = '';
    return;
  }
  mark.strip ??= el('div', { class: 'mark' });
  if (!mark.strip.isConnected) layer.append(mark.strip);
  write(mark.strip, p.id, mark.written);
  place(s, mark, mark.strip, p);
}

/** @param {HTMLElement} strip @param {number} id @param {Written} written */
function write(strip, id, { label, remark, unsent }) {
  strip.classList.toggle('unsent', unsent);
  let sign = strip.querySelector('.mark-sign');
  if (!remark) sign?.remove();
  else if (!sign) {
    sign = el('span', { class: 'mark-sign' }, icon('remark'));
    strip.prepend(sign);
  }
  sign?.setAttribute('data-remark', String(id));
  let text = strip.querySelector('.mark-text');
  if (!label) text?.remove();
  else if (!text) {
    text = el('span', { class: 'mark-text' });
    strip.append(text);
  }
  if (text) setText(text, label);
}

/**
 * Places the strip below its piece, as this person sees the table.
 * @param {State} s
 * @param {Mark} mark
 * @param {HTMLElement} strip
 * @param {Shown} p
 */
function place(s, mark, strip, p) {
  const { scale, turn } = s.view.camera;
  const { selection, hover } = s.input;
  const isMeant = selection.has(p.id) || hover === p.id || document.activeElement === p.el;
  const k = kindOf(s, p);
  const { w, h } = boundsOf(p.w, p.h, k.shape === 'round' ? 0 : p.angle + turn * 100);
  const gap = gapBelow(s, p, k, isMeant, h * scale);
  const place = [p.x, p.y, p.angle, p.w, p.h, scale, turn, isMeant, gap, p.inOverlay].join();
  if (place === mark.place) return;
  mark.place = place;
  strip.classList.toggle('open', isMeant);
  strip.classList.toggle('moving', p.inOverlay);
  strip.style.setProperty('--room', `${Math.round(w * scale)}px`);
  strip.style.transform =
    `translate(${p.x / UNITS}px, ${p.y / UNITS}px) rotate(${-turn}deg) ` +
    `translateY(${h / 2}px) scale(${1 / scale}) translate(-50%, ${gap}px)`;
}

/**
 * @param {State} s
 * @param {Shown} p
 * @param {import('../../view/catalog.js').Kind} k
 * @param {boolean} isMeant
 * @param {number} high height of the piece, in px
 */
function gapBelow(s, p, k, isMeant, high) {
  if (k.counter && isMeant && !s.sync.pieces.get(p.id)?.locked) return GAP_STEPS;
  if (k.container) return GAP_CONTAINER;
  return isFigure(s, p) && !abilityOf(k).isRead ? -FOOT * high : GAP;
}

/** Returns whether a picture does not fill its shape. @param {State} s @param {Shown} p */
function isFigure(s, { art }) {
  return art !== '' && !s.catalog.solid.has(art);
}

/** @param {State} s @param {Mark} mark @param {Shown} p */
function drawTint(s, mark, p) {
  const { tint: colour, unsent } = mark.written;
  if (colour < 0) {
    mark.tint?.remove();
    mark.tint = null;
    mark.look = '';
    return;
  }
  mark.tint ??= el('span', { 'aria-hidden': 'true' });
  if (mark.tint.parentNode !== p.el) {
    if (p.img) p.img.after(mark.tint);
    else p.el.prepend(mark.tint);
  }
  const stands = isFigure(s, p);
  const k = kindOf(s, p);
  const { shape } = k;
  const look = [colour, stands && p.art, shape, unsent, p.el.style.borderRadius].join();
  if (look === mark.look) return;
  mark.look = look;
  const isLow = stands && abilityOf(k).isRead;
  const isRound = !stands && shape === 'round';
  mark.tint.className =
    `tint tint-${hueOf(colour).id} ${stands ? 'figure' : 'edge'}` +
    `${isLow ? ' low' : ''}${isRound ? ' round' : ''}${unsent ? ' unsent' : ''}`;
  mark.tint.style.setProperty('--tint', css(colour));
  mark.tint.style.setProperty('--figure', stands ? `url("${p.art}")` : 'none');
  mark.tint.style.borderRadius = stands ? '' : p.el.style.borderRadius;
}
