// Does the time of an answer show that something hidden happens? Somebody at the same table reads
// it again and again, in windows in which the host moves a card within their own hand, and in
// windows in which nobody does anything.
//
//   node scripts/bench/latency.mjs http://127.0.0.1:8080 [WINDOWS] [SECONDS]
//
// It prints the AUC: the probability that of two windows the one with hidden moves has the higher
// median. 0.5 shows nothing, 1 everything.

import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

const [url = 'http://127.0.0.1:8080', windows = '40', seconds = '1'] = process.argv.slice(2);

/** @param {string} method @param {string} path @param {string} [token] @param {any} [body] */
async function call(method, path, token, body) {
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  };
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method, headers, body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : {};
}

const { table, token, invites } = await call('POST', 'tables', undefined, {
  game: 'cards', nick: 'Ada',
});
const spy = await call('POST', `tables/${table}/seats`, undefined, {
  invite: invites.player.split('/').at(-1), nick: 'Mallory',
});

/**
 * Posts updates of a client.
 *
 * @param {string} client
 * @param {number} epoch
 * @param {any[]} updates
 */
const post = (client, epoch, updates) =>
  call('POST', `tables/${table}/updates`, token, { client, epoch, updates });

/** A card in the host's hand, drawn from the first container that has one. */
async function cardInHand() {
  for (;;) {
    const { epoch, pieces, seats } = await call('GET', `tables/${table}`, token);
    const me = seats.find((/** @type {any} */ s) => s.role === 'host').id;
    const hand = pieces.find((/** @type {any} */ p) => p.owner === me);
    const card = pieces.find((/** @type {any} */ p) => p.owner === me && p.id !== hand.id);
    if (card) return { epoch, card, hand };
    const { epoch: now, pieces: all } = await call('GET', `tables/${table}`, token);
    let seq = 1;
    const client = randomBytes(16).toString('base64url');
    for (const p of all)
      await post(client, now, [{ seq: seq++, op: 'draw', piece: p.id }]).catch(() => {});
  }
}

/** Moves a card in the hand until `run` says stop. @param {{ on: boolean }} run */
async function fidget(run) {
  const { epoch, card } = await cardInHand();
  const client = randomBytes(16).toString('base64url');
  for (let seq = 1; run.on; seq++) {
    await post(client, epoch, [
      { seq, op: 'move', piece: card.id, tag: card.mark, x: card.x + (seq % 2), y: card.y },
    ]);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The median time of an answer in a window, in milliseconds. */
async function medianOf() {
  const times = [];
  for (const end = performance.now() + 1000 * Number(seconds); performance.now() < end; ) {
    const at = performance.now();
    await call('GET', `tables/${table}`, spy.token);
    times.push(performance.now() - at);
    await new Promise((done) => setTimeout(done, 15)); // below the rate at which a seat may read
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1];
}

await cardInHand();
await medianOf(); // until everything is warm
const medians = { busy: /** @type {number[]} */ ([]), idle: /** @type {number[]} */ ([]) };
for (let i = 0; i < 2 * Number(windows); i++) {
  const run = { on: i % 2 === 0 };
  const hidden = run.on ? fidget(run) : Promise.resolve();
  (run.on ? medians.busy : medians.idle).push(await medianOf());
  run.on = false;
  await hidden;
}
let higher = 0;
for (const b of medians.busy) for (const i of medians.idle) higher += b > i ? 1 : b === i ? 0.5 : 0;
const mean = (/** @type {number[]} */ list) =>
  (list.reduce((sum, x) => sum + x, 0) / list.length).toFixed(2);
console.log(
  `AUC ${(higher / (medians.busy.length * medians.idle.length)).toFixed(2)} ` +
    `over ${windows} + ${windows} windows of ${seconds} s`,
);
console.log(
  `medians: ${mean(medians.busy)} ms with hidden moves, ${mean(medians.idle)} ms without`,
);
