// The part of the page that shows the past of the table (T73). It takes in the frames of a replay
// as the page of a table takes in those of its stream, and draws them with the same code.

import { renamePiece } from '../../rename.js';
import { riffle } from '../../input/ops.js';
import { eachFrame, invalidate, invalidateAll } from '../../view/state.js';
import { wantsStill } from '../../view/dom.js';
import { resizeTable, showStage } from '../../view/camera.js';
import { sideOf, turnFor } from '../../view/sides.js';
import { turnViewTo } from '../../view/zoom.js';
import { invalidateBars } from '../../bars/state.js';
import { createBar } from './bar.js';
import { asSeen, createReader, epochs, readAll, readMotion } from './frames.js';
import { createPlayer } from './player.js';
import { msg } from './msg.js';
import { saveAsFile } from './file.js';
import { showHands } from './hands.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Outcome} Outcome */
/** @typedef {import('../../types.js').Frame} Frame */
/** @typedef {import('./frames.js').Frames} Frames */

/**
 * What the page gives this part.
 * @typedef {object} Given
 * @property {(after: number) => Promise<Uint8Array>} page returns a page of frames
 * @property {(after: number) => Promise<Uint8Array>} motions returns a page of recorded motion
 * @property {boolean} isFile
 * @property {boolean} [isCut] whether the file has not all frames
 * @property {(at: number) => void} tell sets the time that the page shows
 * @property {(outcome: Outcome) => void} shown hands a frame to the rest of the page
 */

/** Does nothing until `begin`. @returns {() => void} */
export function bind() {
  return () => {};
}

/**
 * Reads the replay and shows it.
 * @param {State} s
 * @param {Voice} voice
 * @param {Given} given
 */
export async function begin(s, voice, given) {
  await s.load('log'); // it has the words
  /** @type {Frame[]} */
  let frames = [];
  const epoch = epochs();
  const player = createPlayer({
    show: (from, to, isStill) => {
      if (isStill) jump(s, given, frames.slice(from + 1, to + 1), epoch);
      else for (const frame of frames.slice(from + 1, to + 1)) follow(s, given, frame, epoch);
    },
    changed: () => {
      bar.draw();
      if (player.hasMotion) s.parts.motion?.showPast(s);
    },
    wantsStill,
    now: () => performance.now(),
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (timer) => clearTimeout(timer),
  });
  /** @type {Frames|null} */
  let read = null;
  const bar = createBar(s, player, {
    save: given.isFile || !s.page.main.dataset.fileHash ? null : async () => {
      if (!read) return;
      try {
        const isWhole = await saveAsFile(s, read);
        voice.notice(msg(isWhole ? 'replay.saved' : 'replay.savedPart'));
      } catch {
        voice.alarm(msg('replay.notSaved'));
      }
    },
    again: () => void load(),
    hands: given.isFile ? null : () => {
      showHands(s, voice).catch(() => voice.alarm(msg('replay.hands.failed')));
    },
  });
  const load = async () => {
    bar.say(msg('replay.reading'), false);
    /** @type {ReturnType<typeof createReader>|null} */
    let reader = null;
    try {
      read = await readAll(given.page, async (some) => {
        frames = some.all;
        if (!reader) {
          player.load(some.times, []);
          await whenShown(s);
          const begin = msg(some.isDropped ? 'replay.dropped' : 'replay.begin');
          reader = createReader(s, begin, some.ends);
        }
        some.stops = reader.read(frames);
        player.load(some.times, some.stops);
      });
      turnToOwnSide(s, frames);
      await showMotion(s, given, read, player);
      const cut = given.isFile ? 'replay.cutFile' : 'replay.cut';
      const isCut = read.isCut || given.isCut;
      bar.say(isCut ? msg(cut) : read.stops.length < 2 ? msg('replay.empty') : '', false);
      bar.ready();
      await nextFrame(); // the view learns of its size, which the list has changed
      await nextFrame();
      showStage(s);
      s.page.main.setAttribute('data-replay-read', String(frames.length));
    } catch {
      bar.say(msg('replay.failed'), true);
    }
  };
  eachFrame(s, () => {
    if (!player.isGliding) return false;
    s.parts.motion?.showPast(s);
    bar.drawPlace();
    return true;
  });
  await load();
}

/**
 * Lets pieces follow the motion that was recorded, if there is any. Otherwise, or if it cannot be
 * read, pieces are shown where updates put them.
 * @param {State} s
 * @param {Given} given
 * @param {Frames} frames
 * @param {import('./player.js').Player} player
 */
async function showMotion(s, given, frames, player) {
  try {
    /** @type {import('../motion/recording.js').Recording|null} */
    let recording = null;
    frames.motions = await readMotion(given.motions, async (some) => {
      const { Recording } = await s.load('motion');
      recording ??= new Recording(frames.ends);
      for (const { time, events } of some)
        for (const event of events) if (event.type === 'motions') recording.add(event, time);
    });
    if (!recording) return;
    const all = /** @type {import('../motion/recording.js').Recording} */ (recording);
    player.setMotion(all.spans());
    s.parts.motion?.followPast(s, {
      recording: all, moment: player.moment, isRunning: () => player.isGliding,
    });
  } catch {
    frames.motions = [];
  }
}

/**
 * Shows a frame as the page of a table does, with motion.
 * @param {State} s
 * @param {Given} given
 * @param {Frame} frame
 * @param {() => number} epoch
 */
function follow(s, given, frame, epoch) {
  const outcome = take(s, given, frame, epoch);
  for (const id of [...outcome.changed, ...outcome.gone]) invalidate(s, id);
  if (outcome.full) invalidateAll(s);
  for (const event of outcome.events) {
    if (event.type === 'update') noteMoved(s, event);
    if (event.type === 'shuffled')
      riffle(s, event.pieces.flatMap((id) => s.sync.pieces.get(id) ?? []));
    for (const listen of s.listeners.events) listen(event);
  }
  if (outcome.full) for (const listen of s.listeners.full) listen();
  end(s);
}

/**
 * Shows what many frames lead to, without motion. They may begin with the first one.
 * @param {State} s
 * @param {Given} given
 * @param {Frame[]} frames
 * @param {() => number} epoch
 */
function jump(s, given, frames, epoch) {
  s.parts.boards?.forgetMarks();
  /** What was said last of how many pieces lie somewhere. @type {Map<number, any>} */
  const holds = new Map();
  for (const frame of frames) {
    const { events } = take(s, given, frame, epoch);
    for (const event of events) {
      if (event.type === 'holds') holds.set(event.piece, event);
      if (event.type === 'update' && frame === frames[frames.length - 1]) noteMoved(s, event);
    }
  }
  for (const event of holds.values()) for (const listen of s.listeners.events) listen(event);
  for (const listen of s.listeners.full) listen();
  invalidateAll(s);
  end(s);
}

/**
 * Takes in a frame.
 * @param {State} s
 * @param {Given} given
 * @param {Frame} frame
 * @param {() => number} epoch
 */
function take(s, given, frame, epoch) {
  given.tell(frame.time);
  const outcome = s.sync.receive(asSeen(frame, epoch));
  for (const { from, to } of outcome.renamed) renamePiece(s, from, to);
  if (outcome.full) resizeTable(s);
  given.shown(outcome);
  return outcome;
}

/** @param {State} s */
function end(s) {
  invalidateBars(s);
  s.redraw();
}

/**
 * Marks the cells of a move.
 * @param {State} s
 * @param {Extract<import('../../types.js').SyncEvent, {type: 'update'}>} event
 */
function noteMoved(s, { piece, before }) {
  const after = s.sync.pieces.get(piece);
  if (before && after) s.parts.boards?.noteMoved(s, before, after);
}

/** Waits until the table has been painted. @param {State} s @returns {Promise<void>} */
async function whenShown(s) {
  while (!s.page.main.hasAttribute('data-ready'))
    await nextFrame();
}

/** @returns {Promise<unknown>} */
const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

/**
 * Turns the table to the side that whoever looks at it had.
 * @param {State} s
 * @param {Frame[]} frames
 */
function turnToOwnSide(s, frames) {
  const own = Number(s.page.main.dataset.seat);
  let side;
  for (const frame of frames) {
    for (const event of frame.events) {
      if (event.type === 'seat' && event.id === own && event.side) side = event;
      if (event.type === 'full') side = event.seats.find(({ id }) => id === own) ?? side;
    }
  }
  const of = side && sideOf(s, side);
  if (!of) return;
  turnViewTo(s, turnFor(of.angle));
}
