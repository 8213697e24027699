// What must not leak: kinds that are secret, and what a person has been sent.

import assert from 'node:assert/strict';
import { decodeFrame, idsOf } from '../../static/js/wire.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

/** The kinds of the table's catalogue that are secret. @param {Page} page @returns {Promise<number[]>} */
export async function secretKinds(page) {
  const found = await page.evaluate(async () => {
    const hash = document.querySelector('main#table')?.getAttribute('data-catalog');
    const catalog = await (await fetch(`/art/${hash}`)).json();
    return catalog.kinds.flatMap((/** @type {any} */ kind, /** @type {number} */ i) => (kind.secret ? [i] : []));
  });
  assert.ok(found.length >= 52, 'there are cards');
  return found;
}

/** Every kind that has come down a person's stream. @param {Person} person */
export function kindsReceived(person) {
  const kinds = new Set();
  for (const event of eventsReceived(person)) {
    if (event.type === 'faces') for (const kind of event.kinds) kinds.add(kind);
    const patches = event.type === 'full' ? event.pieces : 'piece' in event && typeof event.piece === 'object' ? [event.piece] : [];
    for (const patch of patches) if (patch.kind !== undefined) kinds.add(patch.kind);
  }
  return [...kinds];
}

/** Every event that has come down a person's stream, in order. @param {Person} person */
export function eventsReceived({ watch }) {
  assert.ok(watch.frames.length > 0, 'something was received');
  return watch.frames.flatMap((message) => decodeFrame(message).events);
}

/** Every name of a piece that has come down a person's stream. @param {Person} person @returns {Set<number>} */
export function namesReceived(person) {
  const names = new Set();
  for (const event of eventsReceived(person)) for (const name of namesIn(event)) names.add(name);
  return names;
}

/** The names of pieces in an event. @param {import('../../static/js/types.js').FrameEvent} event @returns {number[]} */
function namesIn(event) {
  switch (event.type) {
    case 'full':
      return [...event.pieces.map((p) => p.id), ...(event.holds ?? []).map((h) => h.piece)];
    case 'update':
      return [event.piece.id, event.piece.renamed ?? 0];
    case 'ack':
      return [event.piece.id, event.piece.renamed ?? 0, event.made];
    case 'reject':
      return [event.piece.id];
    case 'shuffled':
      return event.pieces;
    case 'motions':
      return idsOf(event);
    case 'holds':
    case 'notice':
    case 'faces':
      return [event.piece];
    default: // what names no piece
      return [];
  }
}
