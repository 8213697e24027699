import assert from 'node:assert/strict';
import test from 'node:test';
import { BEAT, World } from './world.js';

const CURSOR = /** @type {const} */ ({ type: 'cursor', at: 0, x: 0, y: 0 });

test('S9, S13 unguaranteed messages go up while the stream is synchronised', async () => {
  const world = new World();
  world.net.open();
  assert.equal(world.net.send(CURSOR), false, 'nothing is open yet');
  world.socket.open(BEAT);
  assert.equal(world.net.send(CURSOR), false, 'the stream is not synchronised yet');
  assert.deepEqual(world.socket.sent, []);
  const { net, socket } = await new World().online();
  assert.equal(net.send(CURSOR), true);
  assert.equal(socket.sent.at(-1), '2200');
  socket.end(1006);
  assert.equal(net.send(CURSOR), false, 'the stream is gone');
});

test('S9 nothing is sent on a closing connection', async () => {
  const { net, socket } = await new World().online();
  const before = socket.sent.length;
  socket.readyState = 2;
  assert.equal(net.send(CURSOR), false);
  assert.equal(socket.sent.length, before);
});

test('S12 a busy stream gets no more motion', async () => {
  const { net, socket } = await new World().online();
  const before = socket.sent.length;
  socket.bufferedAmount = 5000;
  assert.equal(net.send(CURSOR), false);
  assert.equal(socket.sent.length, before);
  socket.bufferedAmount = 4000;
  assert.equal(net.send(CURSOR), true);
  assert.equal(socket.sent.length, before + 1);
});
