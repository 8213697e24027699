// A table for measurements: set up through the API, with pieces of the pack of cards and bots that
// move some of them.

import { COMPONENTS } from '../../static/js/parts/components/registry.js';
import { encodeMessage } from '../../static/js/parts/components/wire.js';
import { entityOfStroke, secondAt } from '../../static/js/parts/components/entities.js';
import { encodeUp } from '../../static/js/net/up.js';
import { openStream } from './stream.mjs';

/** @typedef {import('../e2e/server.js').Server} Server */
/** @typedef {{table: string, token: string}} Seat */

/** The time between two points of a motion, in ms. */
const BEAT = 50;

/** How many updates one request has. */
const BATCH = 200;

/** How many pieces one draw takes out of a container at most (T30). */
const DRAWN = 100;

/**
 * A client of the API that does not listen. It posts, and gets nothing but the statuses of the
 * answers.
 */
export class Bot {
  #seq = 0;
  #epoch = 0;
  #client = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
  /** The table as this seat saw it when the bot came. @type {any} */
  view = null;

  /** @param {Server} server @param {Seat} seat */
  constructor(server, seat) {
    this.server = server;
    this.seat = seat;
  }

  /** @param {Server} server @param {Seat} seat */
  static async come(server, seat) {
    const bot = new Bot(server, seat);
    await bot.look();
    return bot;
  }

  async look() {
    this.view = await this.server.read(this.seat.table, this.seat.token);
    this.#epoch = this.view.epoch;
  }

  /** Opens a stream, to send something on it. */
  stream() {
    return openStream(
      `${this.server.url}/api/v1/tables/${this.seat.table}/stream?client=${this.#client}`,
      this.seat.token,
    );
  }

  /** Posts updates that are complete except for their numbers. @param {object[]} updates */
  async post(updates) {
    for (let i = 0; i < updates.length; i += BATCH) {
      const batch = updates.slice(i, i + BATCH).map((u) => ({ seq: ++this.#seq, ...u }));
      const body = { client: this.#client, epoch: this.#epoch, updates: batch };
      const { status, headers, json } = await this.server.call(
        'POST', `/api/v1/tables/${this.seat.table}/updates`, body, this.seat.token,
      );
      if (status === 429) {
        this.#seq -= batch.length;
        i -= BATCH;
        await new Promise((done) => setTimeout(done, 1000 * Number(headers.get('Retry-After'))));
      } else if (status !== 202) throw new Error(`updates: ${status} ${JSON.stringify(json)}`);
    }
  }
}

/**
 * Draws lines all over a table: waves of forty points in different colours.
 *
 * @param {Bot} host
 * @param {number} count
 */
export async function drawOn({ server, seat, view }, count) {
  const { width, height } = view.info;
  const { stroke, points } = COMPONENTS;
  const columns = Math.ceil(Math.sqrt(count));
  const now = secondAt(Date.now());
  const ops = Array.from({ length: count }, (_, i) => {
    const entity = entityOfStroke(now, i + 1);
    const first = {
      x: Math.round(((i % columns) / columns - 0.5) * 0.9 * width),
      y: Math.round((Math.floor(i / columns) / columns - 0.5) * 0.9 * height),
    };
    const x = Array.from({ length: 40 }, (_, k) => (k === 0 ? first.x : 15));
    const y = Array.from({ length: 40 }, (_, k) =>
      k === 0 ? first.y : Math.round(60 * Math.sin(k / 3 + i)),
    );
    return [
      {
        kind: /** @type {const} */ ('put'), entity, component: stroke.number, timestamp: 1,
        data: stroke.encode({ colour: (i * 0x3779b9) % 2 ** 24, width: 25 }),
      },
      {
        kind: /** @type {const} */ ('append'), entity, component: points.number, timestamp: 1,
        data: points.encode({ x, y }),
      },
    ];
  });
  for (let i = 0; i < count; i += BATCH) {
    const { status, headers } = await fetch(
      `${server.url}/api/v1/tables/${seat.table}/components?epoch=${view.epoch}&mark=${view.mark}`,
      {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${seat.token}`, 'Content-Type': 'application/x-protobuf',
        },
        body: encodeMessage({ ops: ops.slice(i, i + BATCH).flat() }),
      },
    );
    if (status === 429) {
      i -= BATCH;
      await new Promise((done) => setTimeout(done, 1000 * Number(headers.get('Retry-After'))));
    } else if (status !== 204) throw new Error(`components: ${status}`);
  }
}

/**
 * The kinds of the pieces of a table: fronts of cards, tokens, containers.
 * @param {Server} server @param {any} view
 */
async function kindsOf(server, view) {
  const answer = await fetch(`${server.url}/art/${view.info.catalog}`);
  /** @type {{kinds: {secret: boolean, weight: string, shape: string, container?: object}[]}} */
  const catalog = /** @type {any} */ (await answer.json());
  const numbers = (/** @type {(kind: any) => boolean} */ wanted) =>
    catalog.kinds.flatMap((k, i) => (wanted(k) ? [i] : []));
  return {
    cards: numbers((k) => k.secret),
    tokens: numbers((k) => k.weight === 'light' && k.shape === 'round'),
    containers: numbers((k) => k.container !== undefined),
  };
}

/**
 * Makes a table with so many pieces and nothing else, all on the table and none in a hand. Seven of
 * ten show the picture of a card, two are tokens, and one lies face down and turned.
 *
 * @param {Server} server
 * @param {number} count
 */
export async function furnish(server, count) {
  const { table, token, invites } = await server.createTable('cards', 'Host');
  const host = await Bot.come(server, { table, token });
  const kinds = await kindsOf(server, host.view);
  await clear(host);
  const { width, height } = host.view.info;
  const columns = Math.ceil(Math.sqrt((count * width) / height));
  const rows = Math.ceil(count / columns);
  const updates = Array.from({ length: count }, (_, i) => {
    const x = Math.round(width * (((i % columns) + 0.5) / columns - 0.5) * 0.94);
    const y = Math.round(height * ((Math.floor(i / columns) + 0.5) / rows - 0.5) * 0.92);
    const card = kinds.cards[i % kinds.cards.length];
    const tenth = (i * 7) % 10;
    if (tenth < 7) return { op: 'add', kind: card, face: 0, x, y };
    if (tenth < 9) return { op: 'add', kind: kinds.tokens[i % kinds.tokens.length], x, y };
    return { op: 'add', kind: card, face: 1, angle: (i * 1777) % 36000, x, y };
  });
  await host.post(updates);
  await host.look();
  if (host.view.pieces.length !== count)
    throw new Error(`${host.view.pieces.length} pieces lie on the table, not ${count}`);
  return { host, invite: invites.player };
}

/**
 * Removes everything from a table. A container can be deleted when it is empty (T29), so its
 * content is drawn first, again and again until nothing more comes.
 *
 * @param {Bot} host
 */
export async function clear(host) {
  const { containers } = await kindsOf(host.server, host.view);
  const seen = () => host.view.pieces.length;
  for (let before = -1; seen() > 0 && seen() !== before; ) {
    before = seen();
    for (const { id, kind } of host.view.pieces) {
      const n = containers.includes(kind) ? Math.min(DRAWN, held(host.view, id) ?? DRAWN) : 0;
      if (n > 0) await host.post([{ op: 'draw', piece: id, n }]);
    }
    await host.look();
    const updates = host.view.pieces.flatMap((/** @type {any} */ p) => {
      const of = (/** @type {string} */ op) => ({ op, piece: p.id, tag: p.mark });
      return [
        ...(p.locked ? [of('unlock')] : []), ...(p.pinned ? [of('unpin')] : []), of('delete'),
      ];
    });
    await host.post(updates);
    await host.look();
  }
  if (seen() > 0) throw new Error(`${seen()} pieces cannot be taken off the table`);
}

/**
 * How many pieces lie in a container; undefined if they are not counted, or if it has none.
 *
 * @param {any} view
 * @param {number} piece
 */
function held({ holds = [] }, piece) {
  const found = holds.find((/** @type {any} */ h) => h.piece === piece);
  return found?.counts.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0);
}

/**
 * Takes a seat.
 *
 * @param {Server} server
 * @param {string} table
 * @param {string} invite
 * @param {string} nick
 */
export async function sit(server, table, invite, nick) {
  const body = { invite: invite.split('/').at(-1), nick };
  for (;;) {
    const { status, headers, json } =
      await server.call('POST', `/api/v1/tables/${table}/seats`, body);
    if (status === 201) return { table, token: /** @type {string} */ (json.token) };
    if (status !== 429) throw new Error(`take a seat: ${status} ${JSON.stringify(json)}`);
    await new Promise((done) => setTimeout(done, 1000 * Number(headers.get('Retry-After'))));
  }
}

/**
 * Makes bots move a piece each in circles until the returned function is called.
 *
 * @param {Server} server
 * @param {string} table
 * @param {string} invite
 * @param {{bots: number, hz: number}} how
 */
export async function movers(server, table, invite, { bots, hz }) {
  const all = [];
  for (let i = 0; i < bots; i++)
    all.push(await Bot.come(server, await sit(server, table, invite, `Bot ${i + 1}`)));
  let going = true;
  let posts = 0;
  const runs = all.map(async (bot, i) => {
    const pieces = bot.view.pieces.filter((/** @type {any} */ p) => p.holder === 0);
    const p = pieces[Math.floor(((i + 0.5) * pieces.length) / bots)];
    const start = performance.now() + (1000 * i) / bots / hz;
    await bot.post([{ op: 'grab', piece: p.id, tag: p.mark }]);
    for (let n = 0; going; n++) {
      await new Promise((done) =>
        setTimeout(done, Math.max(0, start + (1000 * n) / hz - performance.now())),
      );
      const turn = (n / hz) * Math.PI; // a circle in two seconds
      const x = Math.round(p.x * 0.8 + 600 * Math.cos(turn));
      const y = Math.round(p.y * 0.8 + 600 * Math.sin(turn));
      await bot.post([{ op: 'move', piece: p.id, tag: p.mark, x, y }]);
      posts++;
    }
    await bot.post([{ op: 'release', piece: p.id, tag: p.mark }]);
  });
  return async () => {
    going = false;
    await Promise.all(runs);
    return posts;
  };
}

/**
 * Makes bots drag a piece each in circles, without putting it down, until the returned function is
 * called. They publish the motion twenty times a second at the same instants, as pages do.
 *
 * @param {Server} server
 * @param {string} table
 * @param {string} invite
 * @param {number} bots
 */
export async function carriers(server, table, invite, bots) {
  const all = [];
  for (let i = 0; i < bots; i++)
    all.push(await Bot.come(server, await sit(server, table, invite, `Bot ${i + 1}`)));
  let points = 0;
  const carrying = await Promise.all(
    all.map(async (bot, i) => {
      const pieces = bot.view.pieces.filter((/** @type {any} */ p) => p.holder === 0);
      const p = pieces[Math.floor(((i + 0.5) * pieces.length) / bots)];
      const stream = await bot.stream();
      await bot.post([{ op: 'grab', piece: p.id, tag: p.mark }]);
      const timer = setInterval(() => {
        const at = Math.floor(Date.now() / BEAT) * BEAT;
        const turn = (at / 1000) * Math.PI; // a circle in two seconds
        const x = Math.round(p.x * 0.8 + 600 * Math.cos(turn + i));
        const y = Math.round(p.y * 0.8 + 600 * Math.sin(turn + i));
        stream.send(encodeUp({ type: 'motion', at, pieces: [p.id], x: [x], y: [y] }));
        points++;
      }, BEAT);
      return { bot, piece: p, stream, timer };
    }),
  );
  return async () => {
    for (const { bot, piece, stream, timer } of carrying) {
      clearInterval(timer);
      await bot.post([{ op: 'release', piece: piece.id, tag: piece.mark }]);
      stream.close();
    }
    return points;
  };
}
