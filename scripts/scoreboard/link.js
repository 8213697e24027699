// The link of a scoreboard: it takes a seat, keeps the components of the table, and comes back
// after a cut (docs/protocol/component.md, C19).

import { setTimeout as pause } from 'node:timers/promises';
import { merge, replica } from '../../static/js/parts/components/crdt.js';
import { limitOf } from '../../static/js/parts/components/registry.js';
import { decodeMessage } from '../../static/js/parts/components/wire.js';
import { Refused, Socket } from './socket.js';

/** @typedef {{server: string, table: string, token: string, number: number}} Seat */
/** @typedef {'open' | 'lost' | 'ended'} State */

/** Close codes after which a replica should not come back as it is (C19.54). */
const FINAL = new Set([1002, 1003, 1008, 1009, 4001, 4002, 4004]);
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/**
 * Takes a seat by an invite link, or uses the one at the address of a table.
 *
 * @param {string} link
 * @param {string} nick
 * @param {string | undefined} token of the seat, for the address of a table
 * @returns {Promise<Seat>}
 */
export async function seatFor(link, nick, token) {
  const url = new URL(link);
  const server = url.origin;
  const last = url.pathname.split('/').at(-1) ?? '';
  if (token) return { server, table: last, token, number: await watcher(server, last, token) };
  const answer = await fetch(`${server}/api/v1/seats`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ invite: last, nick }),
  });
  const json = await answer.json();
  if (answer.status !== 201) throw new Error(json.detail ?? `the server answers ${answer.status}`);
  if (json.role !== 'spectator') throw new Error('this invite is not for people who only watch');
  return { server, table: json.table, token: json.token, number: json.seat };
}

/**
 * Returns the number of a seat that only watches. What others see is not for a second screen.
 *
 * @param {string} server
 * @param {string} table
 * @param {string} token
 * @returns {Promise<number>}
 */
async function watcher(server, table, token) {
  const answer = await fetch(`${server}/api/v1/tables/${table}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.detail ?? `the server answers ${answer.status}`);
  const own = json.seats.find((/** @type {{id: number}} */ { id }) => id === json.you);
  if (own?.role !== 'spectator') throw new Error('HOLT_TOKEN is of a seat that plays');
  return json.you;
}

/** Keeps what the view of a seat has. */
export class Link {
  state = /** @type {State} */ ('lost');
  /** By how many ms the clock of the server is ahead. */
  ahead = 0;
  replica = replica({ limitOf });
  #stopped = new AbortController();
  /** @type {Socket | undefined} */
  #socket;

  /** @param {Seat} seat @param {() => void} changed called when anything is different */
  constructor(seat, changed) {
    this.seat = seat;
    this.changed = changed;
  }

  /** Runs until the link has ended for good, or somebody stops it. */
  async run() {
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      try {
        if (await this.#once()) wait = FIRST_PAUSE;
      } catch (error) {
        const status = error instanceof Refused ? error.status : 0;
        if (status >= 400 && status < 500 && status !== 429) this.state = 'ended';
      }
      if (this.#stopped.signal.aborted) return;
      if (this.#socket?.code !== undefined && FINAL.has(this.#socket.code)) this.state = 'ended';
      if (this.state !== 'ended') this.state = 'lost';
      this.changed();
      if (this.state === 'ended') return;
      await pause(wait, null, { signal: this.#stopped.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) return;
    }
  }

  stop() {
    this.#stopped.abort();
    this.#socket?.close();
  }

  /** One connection, from its beginning to its end. It returns whether anything came. */
  async #once() {
    const { server, table, token } = this.seat;
    this.#socket = undefined;
    const asked = await fetch(`${server}/healthz`);
    // Date has whole seconds: on average half of one has passed since.
    this.ahead = Date.parse(asked.headers.get('Date') ?? '') + 500 - Date.now() || 0;
    const socket = await Socket.open(
      `${server}/api/v1/tables/${table}/replica?form=protobuf&compare=bytes`, token,
    );
    this.#socket = socket;
    // Until the first message has come the last state stays on the board (C19.15).
    let fresh = true;
    socket.onMessage = (message) => {
      if (fresh) this.replica = replica({ limitOf });
      fresh = false;
      for (const op of decodeMessage(message).ops) merge(this.replica, op);
      this.state = 'open';
      this.changed();
    };
    await new Promise((done) => {
      socket.onClose = () => done(null);
    });
    return !fresh;
  }
}
