// The part of the page for components that merge (docs/protocol/component.md): labels, tints and
// remarks of pieces, the score sheet, drawings, settings, and questions to the server. It has the
// replica, and everything that code needs to read and write it. Other parts of the page use this
// part as s.parts.components, because parts do not import each other.

import { kindAt } from '../../view/catalog.js';
import { all, on } from '../../view/dom.js';
import { classOf, TABLE } from './entities.js';
import { overlay } from './overlay.js';
import { loadUntilDone } from '../../parts.js';
import { createReplica } from './replica.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { invalidateBars } from '../../bars/state.js';
import { onEvent } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./replica.js').PageReplica} PageReplica */
/** @typedef {import('./replica.js').Refusal} Refusal */
/** @typedef {import('./entities.js').Class} Class */

export { prefetchParts } from './prefetch.js';
export { COMPONENTS, FORMS } from './registry.js';
export * as entities from './entities.js';
export { lineOf, textOf } from './typed.js';

/** The page's replica. Set when the part is bound. @type {PageReplica} */
export let replica;

/**
 * Parts that show components, and which components each shows. A part is loaded when such a
 * component has arrived.
 * @type {[import('../../parts.js').Name, (of: Class, component: number) => boolean][]}
 */
const SHOWN_BY = [
  ['marks', (of, component) => of === 'piece' && component >= 3020 && component <= 3022],
  ['doors', (of, component) => of === 'piece' && component === 3070],
  [
    'settings',
    (of, component) =>
      of === 'table' &&
      ((component >= 3001 && component <= 3006) ||
        [3008, 3009, 3012, 3013, 3025, 3026].includes(component)),
  ],
  ['profiles', (of, component) => of === 'seat' && (component === 3010 || component === 3027)],
  ['drawing', (of) => of === 'stroke'],
  ['pings', (of, component) => of === 'table' && component === 3050],
];

/**
 * Creates the replica and connects it with the page.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  replica = createReplica({
    sync: s.sync,
    table: s.table,
    sees: (piece) => s.sync.pieces.has(piece) || s.sync.entering.has(piece),
    isPrivate: (kind) => isPrivate(s, kind),
    carry: s.net.carry,
    resync: s.net.resync,
    storage: () => localStorage,
    frame: (f) => requestAnimationFrame(f),
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    now: Date.now,
  });
  const lay = overlay(s, replica);
  onEvent(s, (event) => {
    if (event.type === 'table') lay();
  });
  s.relay.bindReplica((told) => {
    replica.receive(told);
    if (told.full) lay();
  });
  let waiting = 0;
  return all(
    replica.listen((changes) => {
      if (changes.has(TABLE)) lay();
      fetchShowers(s, changes);
      if (replica.waiting() === waiting) return;
      waiting = replica.waiting();
      invalidateBars(s); // the banner counts them
      s.redraw();
    }),
    announceRefusals(voice),
    on(window, 'pagehide', replica.save),
    on(document, 'visibilitychange', replica.save),
  );
}

/**
 * Returns whether pieces of a kind are private (T23); null before the catalogue has arrived.
 * @param {State} s
 * @param {number} kind
 */
function isPrivate({ catalog }, kind) {
  if (catalog.kinds.length === 0) return null;
  const k = kindAt(catalog, kind);
  return k.secret || catalog.masks.has(kind) || (k.private === true && !k.seat);
}

/**
 * Loads the parts that show the changed components.
 * @param {State} s
 * @param {import('./shown.js').Changes} changes
 */
function fetchShowers(s, changes) {
  for (const [name, shows] of SHOWN_BY) {
    const isNeeded =
      !s.parts[name] &&
      [...changes].some(([entity, components]) =>
        [...components].some((c) => shows(classOf(entity), c)),
      );
    if (isNeeded) void loadUntilDone(s, name);
  }
}

/**
 * The components that have a name, by their numbers. It stands for those with higher numbers, too,
 * up to the next one.
 */
const NAMED = /** @type {const} */ ([
  3001, 3002, 3003, 3004, 3005, 3006, 3008, 3009, 3010, 3013, 3020, 3021, 3022, 3025, 3026, 3027,
  3030, 3031, 3040, 3050, 3060, 3100,
]);

/** Returns the name of a component inside a sentence. @param {number} component */
function nameOf(component) {
  const number = NAMED.findLast((first) => first <= component);
  return number ? msg(`components.names.${number}`) : msg('components.names.other');
}

/**
 * Notifies the player of operations that were lost: each reason once a frame.
 * @param {Voice} voice
 */
function announceRefusals(voice) {
  /** The lost operations that are not notified yet, by reason. @type {Map<string, Refusal[]>} */
  const pending = new Map();
  const announce = () => {
    for (const [reason, all] of pending) {
      const what =
        all.length === 1
          ? nameOf(all[0].component)
          : msg('components.changes', { n: all.length });
      const why = firstMessage([`components.reasons.${reason}`, 'components.reasons.other']);
      voice.alarm(msg('components.lost', { what, reason: why }));
    }
    pending.clear();
  };
  return replica.onRefused((refusals) => {
    if (pending.size === 0) requestAnimationFrame(announce);
    for (const r of refusals) pending.set(r.reason, [...(pending.get(r.reason) ?? []), r]);
  });
}
