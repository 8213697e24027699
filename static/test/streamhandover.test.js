// A page moves from its WebSocket to another line, and goes back when that is lost (D37, D38).

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BEAT, FakeSocket, GOING_FOR_GOOD, NONSENSE, RESUMED, TABLE, UPDATE, World,
} from './world.js';

const STREAM = `wss://holt.example/api/v1/tables/${TABLE}/stream?client=q83vEjRWeJCrze8SNFZ4kA`;
const KNOWN = '&epoch=5839201347112&mark=2'; // of the full state

/** A page that is online, and the lines that it opens to move to. */
async function page() {
  const world = await new World().online();
  world.outcomes.length = 0;
  /** @type {FakeSocket[]} */
  const heirs = [];
  const move = () => world.net.move((query) => {
    heirs.push(new FakeSocket(query, ''));
    return heirs[heirs.length - 1];
  });
  return { world, move, heirs, old: world.socket };
}

/** The same page, after it has moved. */
async function moved() {
  const p = await page();
  p.move();
  p.heirs[0].open(RESUMED);
  p.old.end(4001);
  p.world.outcomes.length = 0;
  return { ...p, line: p.heirs[0] };
}

/** @param {World} world */
const said = ({ outcomes }) =>
  outcomes.map(({ resumed, events }) =>
    resumed ? 'resumed' : events.map(({ type }) => type).join(' '),
  );

test('D37.2, D37.7 the new stream names its client; its frames wait for the old one', async () => {
  const { world, move, heirs, old } = await page();
  assert.equal(move(), true);
  assert.equal(move(), false, 'one at a time');
  const [heir] = heirs;
  assert.equal(heir.url, `client=q83vEjRWeJCrze8SNFZ4kA&attempt=2${KNOWN}&handover=1`);
  heir.open(RESUMED);
  heir.tell(UPDATE);
  assert.deepEqual(said(world), []);
  old.tell(UPDATE);
  old.tell(BEAT);
  assert.deepEqual(said(world), ['update', ''], 'the old stream continues until then');
  old.end(4001);
  assert.deepEqual(said(world), ['update', '', 'resumed', ''], 'the update was known (D35)');
  heir.tell(BEAT);
  assert.equal(world.outcomes.length, 5);
  assert.deepEqual([world.states, world.sockets.length, heir.isClosed], [['online'], 1, false]);
});

test('D37 the old stream may end before the new one is open', async () => {
  const { world, move, heirs, old } = await page();
  move();
  old.end(4001);
  assert.deepEqual(
    [world.states, world.net.send({ type: 'away', away: true })], [['online'], true],
  );
  await world.pass(1999);
  heirs[0].open(RESUMED);
  await world.pass(5000);
  assert.deepEqual([world.states, said(world)], [['online'], ['resumed']]);
});

test('D37 messages go up the old stream until it ends, then the new one', async () => {
  const { world, move, heirs, old } = await page();
  const up = { type: /** @type {const} */ ('cursor'), at: 1, x: 2, y: 3 };
  move();
  heirs[0].open(RESUMED);
  world.net.send(up);
  old.end(4001);
  world.net.send(up);
  assert.deepEqual([old.said.length, heirs[0].said.length], [1, 1]);
});

test('D37.6 presence waits for the new stream', async () => {
  const { world, move, heirs, old } = await page();
  const up = { type: /** @type {const} */ ('away'), away: true };
  move();
  assert.deepEqual([world.net.send(up), old.said.length], [false, 0]);
  heirs[0].open(RESUMED);
  assert.deepEqual([world.net.send(up), old.said.length], [false, 0]);
  old.end(4001);
  assert.deepEqual([world.net.send(up), heirs[0].said.length], [true, 1]);
});

test('D37 pending updates are posted again and recorded once', async () => {
  const { world, move, heirs, old } = await page();
  world.sync.update(1, 'pin');
  world.net.flush();
  await world.settle();
  move();
  heirs[0].open(RESUMED);
  old.end(4001);
  await world.settle();
  assert.equal(world.requests.length, 1, 'one request at a time');
  world.request.answer(202);
  await world.settle();
  assert.equal(world.requests.length, 2);
  assert.deepEqual(
    world.requests[1].body.updates, world.requests[0].body.updates,
    'the same, with the same number (T10)',
  );
});

test('D37.12, D37.13 both streams end if the old one lasts two more seconds', async () => {
  const { world, move, heirs, old } = await page();
  move();
  await world.pass(5000);
  assert.equal(world.states.at(-1), 'online', 'there is time until an answer comes');
  heirs[0].open(RESUMED);
  await world.pass(1999);
  assert.equal(world.states.at(-1), 'online');
  await world.pass(1);
  assert.deepEqual(
    [world.states.at(-1), old.code, heirs[0].code], ['offline network 250', 4000, 4000],
  );
  await world.pass(250);
  assert.equal(world.socket.url, `${STREAM}&attempt=3${KNOWN}`);
});

test('D37.12 a new stream without frames is given up after two seconds', async () => {
  const { world, move, old } = await page();
  move();
  old.end(4001);
  await world.pass(2000);
  assert.equal(world.states.at(-1), 'offline network 250');
});

test('D38 a failed handover changes nothing', async () => {
  const { world, move, heirs, old } = await page();
  move();
  heirs[0].end(1006);
  move();
  heirs[1].end(4003);
  await world.pass(10_000);
  old.tell(UPDATE);
  assert.deepEqual([world.states, world.sockets.length, said(world)], [['online'], 1, ['update']]);
  old.end(1006);
  assert.equal(world.states.at(-1), 'offline network 250');
});

test('D37.13 losing the new stream after the old one opens another WebSocket', async () => {
  const { world, move, heirs, old } = await page();
  move();
  heirs[0].open(RESUMED);
  heirs[0].end(1006);
  old.end(4001);
  assert.equal(world.states.at(-1), 'offline network 250', 'nobody else has taken over');
  await world.pass(250);
  world.socket.open(RESUMED);
  world.socket.end(4001);
  assert.equal(world.states.at(-1), 'closed taken-over', 'now somebody has');
});

test('D37.11 losing the old stream while another opens ends both', async () => {
  const { world, move, heirs, old } = await page();
  move();
  old.end(1006);
  assert.deepEqual([world.states.at(-1), heirs[0].isClosed], ['offline network 250', true]);
});

test('D37 only an online stream can be handed over', async () => {
  const { world, move, heirs, old } = await page();
  old.end(1006);
  assert.deepEqual([move(), heirs.length], [false, 0]);
  await world.pass(250);
  assert.deepEqual([move(), heirs.length], [false, 0]);
});

test('D38.1, D38.2 a lost stream is resumed by WebSocket at once, from its version', async () => {
  const { world, line } = await moved();
  line.tell(UPDATE);
  line.end(1006);
  assert.deepEqual([world.sockets.length, world.states.at(-1)], [2, 'connecting']);
  assert.equal(world.socket.url, `${STREAM}&attempt=3${KNOWN}`);
  world.socket.open(RESUMED);
  assert.equal(world.states.at(-1), 'online');
});

for (const [code, state] of /** @type {[number, string][]} */ ([
  [4000, 'connecting'], [1010, 'connecting'], [4003, 'connecting'],
  [1001, 'offline stopping 250'], [1008, 'offline too-fast 10000'], [1011, 'offline fault 250'],
  [4001, 'closed taken-over'], [4002, 'closed seat-withdrawn'], [4004, 'closed table-closed'],
])) {
  test(`D38.2, D38.4 after ${code} it is ${state}`, async () => {
    const { world, line } = await moved();
    line.end(code);
    assert.equal(world.states.at(-1), state);
  });
}

for (const code of [4001, 4002, 4004]) {
  // Clauses: D38.3
  test(`D38 after ${code} the page does not come back`, async () => {
    const { world, line } = await moved();
    const sockets = world.sockets.length;
    line.end(code);
    await world.pass(600_000);
    assert.deepEqual(
      [world.sockets.length, world.states.at(-1)?.split(' ')[0]], [sockets, 'closed'],
    );
  });
}

test('D38.3 after a final Going the page does not come back, whatever the code is', async () => {
  for (const code of [1001, 1006, 4000]) {
    const { world, line } = await moved();
    const sockets = world.sockets.length;
    line.tell(GOING_FOR_GOOD);
    line.end(code);
    await world.pass(600_000);
    assert.deepEqual(
      [world.sockets.length, world.states.at(-1)], [sockets, 'closed table-closed'], `${code}`,
    );
  }
});

for (const code of [1002, 1009]) {
  test(`D38.5 close code ${code} on datagrams leads to a WebSocket with a full state`, async () => {
    const { world, line } = await moved();
    line.end(code);
    assert.deepEqual(
      [world.states.at(-1), world.socket.url], ['connecting', `${STREAM}&attempt=3`],
    );
    world.socket.open();
    world.socket.end(code);
    assert.equal(world.states.at(-1), 'closed protocol', 'if it happens there, too, it is final');
  });
}

test('D38 an unreadable frame ends the stream like any other', async () => {
  const { world, line } = await moved();
  line.tell(NONSENSE);
  assert.deepEqual([world.states.at(-1), line.code], ['offline fault 250', 4000]);
});

test('S6 signs of life keep a stream; 40 s without any end it', async () => {
  const { world, line } = await moved();
  for (let i = 0; i < 6; i++) {
    await world.pass(10_000);
    line.tell(new ArrayBuffer(0)); // a sign of life
  }
  assert.equal(world.states.at(-1), 'online');
  await world.pass(40_000);
  assert.equal(world.states.at(-1), 'offline network 250');
});

test('S14 leaving ends both streams', async () => {
  const { world, move, heirs, old } = await page();
  move();
  world.net.close();
  assert.deepEqual([old.code, heirs[0].code], [1000, 1000]);
});
