// What must not happen while connections break and servers end: a page that is loaded again, a
// table that is empty for a frame, a piece that jumps back and forth, something that is lost or
// there twice.

import assert from 'node:assert/strict';
import { decodeFrame } from '../../static/js/net/wire.js';
import { networkErrors } from './browser.js';
import { agree, pieces, still } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./party.js').Party} Party */

/** CSS pixels by which a place may differ and count as the same: what is drawn is rounded. */
const SAME = 1.5;

/**
 * Where a piece was shown in each frame of the screen, and the lowest number of pieces on the page.
 *
 * @typedef {{places: {x: number, y: number}[], fewest: number, blank: number}} Seen
 */

/** A page that must stay as it is, whatever happens to its connection. */
export class Steady {
  #person;
  #loads = 0;
  #from = 0;

  /**
   * @param {Person} person whose page is at the table; errors of the network are expected from here
   *   on
   */
  constructor(person) {
    this.#person = person;
    person.watch.expect(networkErrors);
    person.page.on('framenavigated', () => this.#loads++);
    this.#from = person.watch.frames.length;
  }

  /** Looks at a piece from now on, in every frame of the screen. @param {number} id */
  async look(id) {
    await this.#person.page.evaluate((id) => {
      /** @type {Seen} */
      const seen = { places: [], fewest: Number.POSITIVE_INFINITY, blank: 0 };
      const note = () => {
        const r = document.querySelector(`[data-piece="${id}"]`)?.getBoundingClientRect();
        if (r && r.width > 0)
          seen.places.push({ x: r.left + r.width / 2, y: r.top + r.height / 2 });
        else seen.blank++;
        seen.fewest = Math.min(seen.fewest, document.querySelectorAll('[data-piece]').length);
        requestAnimationFrame(note);
      };
      note();
      Object.assign(window, { seen });
    }, id);
  }

  /** @returns {Promise<Seen>} */
  seen() {
    return this.#person.page.evaluate(() => /** @type {any} */ (window).seen);
  }

  /** The types of the events that began a stream since: they say how the page was synchronised. */
  get wholes() {
    const events = this.#person.watch.frames
      .slice(this.#from)
      .flatMap((message) => decodeFrame(message).events);
    return events.map((e) => e.type).filter((type) => type === 'full' || type === 'resumed');
  }

  /** Checks that the page was not loaded again, and has not gone anywhere else. */
  stayed() {
    assert.equal(this.#loads, 0, `${this.#person.nick}'s page was not reloaded`);
  }
}

/**
 * Checks that a piece was there in every frame, among as many others as ever, and moved without
 * turning back, along a line from its first place to its last.
 *
 * @param {Seen} seen
 * @param {number} count of pieces on the table
 * @param {string} who
 */
export function assertSmooth({ places, fewest, blank }, count, who) {
  assert.deepEqual([fewest, blank], [count, 0], `${who} sees all pieces in every frame`);
  const from = places[0];
  const to = places[places.length - 1];
  const far = Math.hypot(to.x - from.x, to.y - from.y);
  assert.ok(far > 20, `${who} sees it move: ${far} px`);
  const along = places.map(
    (p) => ((p.x - from.x) * (to.x - from.x) + (p.y - from.y) * (to.y - from.y)) / far,
  );
  let furthest = 0;
  for (const [i, at] of along.entries()) {
    const nearby = along.slice(Math.max(0, i - 8), i + 8).map((px) => px.toFixed(1));
    assert.ok(
      at > furthest - SAME,
      `${who} sees it turn back from ${furthest} to ${at} of ${far} px: ${nearby.join(' ')}`,
    );
    furthest = Math.max(furthest, at);
  }
}

/**
 * Checks that a piece was there in every frame, and always in the same place.
 *
 * @param {Seen} seen
 * @param {number} count of pieces on the table
 * @param {string} who
 */
export function assertStill({ places, fewest, blank }, count, who) {
  assert.deepEqual([fewest, blank], [count, 0], `${who} sees all pieces in every frame`);
  const [from] = places;
  const far = Math.max(...places.map((p) => Math.hypot(p.x - from.x, p.y - from.y)));
  assert.ok(far < SAME, `${who} sees it move by ${far} px`);
}

/**
 * Checks that both pages show the same table, and each what the server says that its view shows:
 * nothing is lost, nothing is there twice.
 *
 * @param {Party} party
 */
export async function assertSame({ host, friend, table }) {
  await agree(host.page, friend.page);
  for (const { page, nick } of [host, friend]) {
    await still(page);
    const shown = (await pieces(page)).map(({ label: _, mark: __, ...piece }) => piece);
    const state = await page.evaluate(
      async (path) => (await fetch(path, { cache: 'no-store' })).json(), `/api/v1/tables/${table}`,
    );
    const said = state.pieces.map((/** @type {any} */ p) => {
      const { id, kind, x, y, angle, face, holder } = p;
      return { id, kind, x, y, angle, face, holder };
    });
    const byId = (/** @type {{id: number}} */ a, /** @type {{id: number}} */ b) => a.id - b.id;
    assert.deepEqual(
      shown.sort(byId), said.sort(byId), `${nick}'s page equals the server’s state`,
    );
  }
}
