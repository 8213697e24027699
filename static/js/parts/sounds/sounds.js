// The part of the page for sounds. It is loaded when somebody has pressed something: before that,
// browsers play nothing. While the page is hidden only the bell is heard.

import { plays } from '../../rights.js';
import { isMuted } from '../../bars/muted.js';
import { kindOf } from '../../view/catalog.js';
import { all, on } from '../../view/dom.js';
import { onDone, onEvent, onFullState, onRename } from '../../listeners.js';
import { isAddressed } from '../../view/names.js';
import { sideOf } from '../../view/sides.js';
import { isOwnClock, soundOf } from './choose.js';
import { RATE, synthesise } from './synth.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').SyncEvent} SyncEvent */
/** @typedef {import('./synth.js').Sound} Sound */

/** How loud the sounds are, from 0 to 1. */
const LEVEL = 0.22;

/** The most sounds at a time, and the least time between two of the same, in milliseconds. */
const MOST = 3;
const APART = 45;

/**
 * Plays sounds of what happens at the table.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bind(s) {
  const player = createPlayer();
  /** The side of each clock that this person has pressed last. @type {Map<number, number>} */
  const pressed = new Map();
  /** null: not known yet. @type {boolean|null} */
  let isMyTurn = takesTurn(s);
  const play = (/** @type {Sound|''} */ name) => {
    if (!name || s.bars.isQuiet) return;
    if (name === 'bell' || document.visibilityState === 'visible') player.play(name);
  };
  /** Rings if it has become this person's turn. @param {boolean|null} before */
  const followTurn = (before) => {
    isMyTurn = takesTurn(s);
    if (isMyTurn && before === false) play('bell');
  };
  const listen = (/** @type {SyncEvent} */ e) => {
    if (e.type === 'said' && e.by !== s.sync.you && !isMuted(s, e.by) && isAddressed(s, e))
      play('bell');
    if (e.type === 'shuffled') play('shuffle');
    else if (e.type === 'notice' && e.by !== s.sync.you) play(soundOf(e.op, null));
    if (e.type !== 'update') return;
    const piece = s.sync.pieces.get(e.piece);
    const seen = piece ?? e.before;
    if (!seen) return;
    const kind = kindOf(s, seen);
    if (e.by !== s.sync.you) play(soundOf(e.op, kind));
    if (kind.clock && piece && e.by !== s.sync.you && seated(s)) {
      const own = pressed.get(piece.id) ?? 0;
      // Of several people at a table only two play by the clock.
      const isPlaying = own !== 0 || sideOf(s, s.sync.seats.get(s.sync.you)) !== null;
      if (isPlaying && isOwnClock(kind, e.before, piece, own, s.view.camera.turn)) play('bell');
    }
    if (kind.seat === 'turn') followTurn(isMyTurn ?? e.before?.owner === s.sync.you);
  };
  onEvent(s, listen);
  onFullState(s, () => followTurn(isMyTurn));
  onRename(s, (from, to) => {
    const side = pressed.get(from);
    if (pressed.delete(from) && side) pressed.set(to, side);
  });
  onDone(s, (id, op, args) => {
    const piece = s.sync.pieces.get(id) ?? s.sync.entering.get(id)?.piece;
    if (op === 'press' && args.side) pressed.set(id, args.side);
    if (piece && kindOf(s, piece).seat === 'turn') isMyTurn = takesTurn(s);
    play(soundOf(op, piece ? kindOf(s, piece) : null));
  });
  return all(player.stop, () => pressed.clear());
}

/** @param {State} s */
const seated = (s) => plays(s);

/**
 * Returns whether a turn marker says that it is this person's turn; null while the table is still
 * being loaded.
 * @param {State} s
 */
const takesTurn = (s) =>
  s.ready ? s.parts.abilities?.seatsToMove(s).has(s.sync.you) === true : null;

/** Returns what plays sounds, as soon as the browser lets it. */
function createPlayer() {
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: LEVEL });
  volume.connect(context.destination);
  /** @type {Map<Sound, AudioBuffer>} */
  const made = new Map();
  /** When each sound was played last, by performance.now(). @type {Map<Sound, number>} */
  const last = new Map();
  let playing = 0;
  const wake = () => {
    if (context.state !== 'running') context.resume().catch(() => {}); // the next press tries again
  };
  const bufferOf = (/** @type {Sound} */ name) => {
    const known = made.get(name);
    if (known) return known;
    const samples = synthesise(name);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate: RATE });
    buffer.copyToChannel(samples, 0);
    made.set(name, buffer);
    return buffer;
  };
  const stop = all(
    on(document, 'pointerup', wake, { capture: true }),
    on(document, 'keydown', wake, { capture: true }),
    () => void context.close(),
  );
  wake();
  return {
    stop,
    play(/** @type {Sound} */ name) {
      const now = performance.now();
      if (context.state !== 'running' || playing >= MOST) return;
      if (now - (last.get(name) ?? Number.NEGATIVE_INFINITY) < APART) return;
      last.set(name, now);
      playing++;
      const source = new AudioBufferSourceNode(context, {
        buffer: bufferOf(name),
        // only for the ear: no two cards sound quite alike
        playbackRate: name === 'bell' ? 1 : 0.94 + 0.12 * Math.random(),
      });
      source.onended = () => {
        playing--;
      };
      source.connect(volume);
      source.start();
    },
  };
}
