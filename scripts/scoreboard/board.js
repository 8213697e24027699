// What a scoreboard shows, computed from the components of a link (docs/protocol/component.md).

import { get } from '../../static/js/parts/components/crdtread.js';
import {
  FIRST_ROW, entityOfSeat, SHEET, seatOf, TABLE,
} from '../../static/js/parts/components/entities.js';
import { COMPONENTS } from '../../static/js/parts/components/registry.js';
import { readSheet, sumOf } from '../../static/js/parts/sheet/model.js';
import { DERIVED } from './registry.js';

/** @typedef {import('../../static/js/parts/components/crdt.js').Replica} Replica */
/**
 * @template V
 * @typedef {import('../../static/js/parts/components/component.js').Component<V>} Component
 */
/**
 * Somebody who plays. `holding` are the names of the pieces in their grip, `hand` is the number of
 * pieces in their hands.
 *
 * @typedef {object} Player
 * @property {string} name
 * @property {string} colour
 * @property {number} presence as Presence in holt.proto: 1 here, 2 away, 3 lost
 * @property {string[]} holding
 * @property {number} hand
 */
/**
 * A clock: which side runs since when, and the milliseconds of its sides then.
 *
 * @typedef {{name: string, running: number, since: number, left: number[], up: boolean}} Clock
 */
/**
 * @typedef {object} Board
 * @property {string} title
 * @property {Player[]} players
 * @property {number} watching how many others only watch
 * @property {Clock[]} clocks
 * @property {{title: string, columns: {heading: string, sum: string}[], rows: {name: string, cells:
 *   string[]}[]} | null} sheet null if nobody has written one
 */

const SPECTATOR = 3;
const FIRST_PIECE = 2 ** 32;
const LAST_PIECE = 2 ** 52 - 1;

/**
 * Returns what the board of a seat shows.
 *
 * @param {Replica} r
 * @param {number} own the seat of the board
 * @returns {Board}
 */
export function boardOf(r, own) {
  /** @template V @param {number} entity @param {Component<V>} component @param {number} [number] */
  const read = (entity, component, number = component.number) => {
    const data = get(r, entity, number);
    return data ? component.decode(data) : null;
  };
  const people = [...r.entities.keys()].sort((a, b) => a - b).flatMap((entity) => {
    const person = entity > entityOfSeat(0) && entity < FIRST_PIECE
      ? read(entity, DERIVED.person) : null;
    return person ? [{ seat: seatOf(entity), ...person }] : [];
  });
  /** @type {Map<number, string[]>} */
  const holding = new Map();
  /** @type {Map<number, number>} */
  const hands = new Map();
  /** @type {Clock[]} */
  const clocks = [];
  for (const entity of [...r.entities.keys()].sort((a, b) => a - b)) {
    if (entity < FIRST_PIECE || entity > LAST_PIECE) continue;
    const kind = read(entity, DERIVED.kind);
    if (!kind) continue;
    const face = read(entity, DERIVED.face);
    const holder = read(entity, DERIVED.holder)?.seat;
    const name = read(entity, COMPONENTS.label)?.text || kind.name || 'a piece';
    // A concealed card has the name of its mask.
    if (holder) holding.set(holder, [...(holding.get(holder) ?? []), name]);
    const owner = read(entity, DERIVED.place)?.owner;
    const count = read(entity, DERIVED.contents)?.count ?? 0;
    if (owner && kind.ability === 'hand') hands.set(owner, (hands.get(owner) ?? 0) + count);
    const clock = read(entity, DERIVED.clock);
    // Nobody needs a clock on the screen that was never touched.
    if (clock && face && (clock.running || clock.since)) {
      const { running, since, up, sides } = clock;
      const left = [clock.left1, clock.left2].slice(0, sides || 2);
      clocks.push({ name, running, since, left, up });
    }
  }
  const text = (/** @type {number} */ entity, /** @type {Component<{text: string}>} */ component,
    /** @type {number} */ number = component.number) =>
    read(entity, component, number)?.text ?? null;
  const sheet = readSheet({
    title: () => text(SHEET, COMPONENTS.sheet),
    heading: (column) => text(SHEET, COMPONENTS.column, COMPONENTS.column.number + column),
    name: (row) => text(FIRST_ROW + row, COMPONENTS.row),
    cell: (row, column) =>
      text(FIRST_ROW + row, COMPONENTS.cell, COMPONENTS.cell.number + column),
  });
  return {
    title: read(TABLE, DERIVED.about)?.title ?? '',
    players: people.filter(({ role }) => role !== SPECTATOR).map((p) => ({
      name: p.number ? `${p.name} (${p.number})` : p.name,
      colour: `#${p.colour.toString(16).padStart(6, '0')}`,
      presence: p.presence, holding: holding.get(p.seat) ?? [], hand: hands.get(p.seat) ?? 0,
    })),
    watching: people.filter(({ seat, role, presence }) =>
      seat !== own && role === SPECTATOR && presence !== 0).length,
    clocks,
    sheet: sheet.title || sheet.columns.length > 0 || sheet.rows.length > 0 ? {
      title: sheet.title,
      columns: sheet.columns.map(({ column, heading }) => ({
        heading, sum: sumOf(sheet, column),
      })),
      rows: sheet.rows.map(({ name, cells }) => ({
        name, cells: sheet.columns.map(({ column }) => cells.get(column) ?? ''),
      })),
    } : null,
  };
}
