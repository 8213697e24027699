// What other clients do to the table, by the API, while two people play in their browsers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party } from './party.js';
import { agree, alarms, carry, eventually, named, said, same, until } from './pieces.js';
import { eventsReceived } from './secrets.js';

const client = 'q83vEjRWeJCrze8SNFZ4kA';

test('T15, T16.1 invalid updates are answered to their sender and disturb nobody', async (t) => {
  const { server, host, friend, table, invites } = await party(t);
  const seat = await server.call('POST', `/api/v1/tables/${table}/seats`, {
    invite: invites.player.split('/').at(-1),
    nick: 'Mallory',
    colour: '#222222',
  });
  assert.equal(seat.status, 201);
  const { token } = seat.json;
  const state = await server.read(table, token);
  const pawn = await named(host.page, 'White pawn');
  const target = state.pieces.find((/** @type {any} */ p) => p.x === pawn.x && p.y === pawn.y);
  const there = await same(friend.page, pawn);

  await carry(host.page, pawn.id, { x: 0, y: -500 });
  await until(friend.page, there.id, { holder: 1 });
  // The answer to the grab comes by another stream than the news of it.
  const isAnswered = () => eventsReceived(host).some((e) => e.type === 'ack');
  assert.ok(await eventually(host.page, isAnswered), 'the grab is answered');
  const before = [host, friend].map(told);

  const update = { seq: 1, piece: target.id, tag: target.mark, op: 'move', x: 0, y: 0 };
  /** @type {Array<[string, number, string, any]>} */
  const bogus = [
    ['an unknown operation', 422, 'unknown-operation', { ...update, op: 'levitate' }],
    ['a place beyond all bounds', 422, 'impossible-value', { ...update, x: 1_000_001 }],
    ['an invalid level', 422, 'impossible-value', { ...update, z: '1e-5' }],
    ['a piece that was never shown', 422, 'unknown-piece', { ...update, piece: 2_000_000_001 }],
    ['an unknown version', 422, 'tag-from-the-future', { ...update, tag: 2 ** 52 }],
    ['an unknown field', 400, 'malformed', { ...update, speed: 3 }],
    ['a wrong type', 400, 'malformed', { ...update, x: 'here' }],
  ];
  for (const [name, status, code, bad] of bogus) {
    await t.test(name, async () => {
      const good = {
        ...update, seq: bad.seq, op: 'rotate', angle: 100, x: undefined, y: undefined,
      };
      const batch = { client, epoch: state.epoch, updates: [good, { ...bad, seq: 2 }] };
      const answer = await server.call('POST', `/api/v1/tables/${table}/updates`, batch, token);
      assert.deepEqual([answer.status, answer.json.code, answer.json.update], [status, code, 1]);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
    });
  }

  const afterwards = await server.read(table, token);
  assert.deepEqual(
    afterwards.pieces.find((/** @type {any} */ p) => p.id === target.id)?.angle ?? 0,
    target.angle ?? 0,
    'nothing of the batch is applied',
  );
  assert.deepEqual([host, friend].map(told), before, 'nothing was sent to the others');
  await host.page.mouse.up();
  await until(host.page, pawn.id, { holder: 0 });
  await agree(host.page, friend.page);
  assert.equal(await alarms(host.page), '');
  assert.equal(await alarms(friend.page), '');
  assert.doesNotMatch(await said(friend.page), /Mallory (?!took a seat)/, 'nor told');
});

/** Events that nobody caused, or that come from a mouse and a drag that go on. */
const UNASKED = new Set(['fair', 'pong', 'motions', 'cursors']);

/** How many other events were sent to a person. @param {import('./party.js').Person} person */
function told(person) {
  return eventsReceived(person).filter((e) => !UNASKED.has(e.type)).length;
}
