// Dice and coins (T32). A die tumbles until the result is known, then lies with that face up. It
// cannot be rolled again before its cool-down is over, which is a curve of the server's (K16).
// Everybody sees the roll. A notice tells the result, with the sum.

import { artOf, kindOf } from '../../view/catalog.js';
import { el, wantsStill } from '../../view/dom.js';
import { sendBlind } from '../../input/ops.js';
import { artFor, drawArt } from '../../view/piece.js';
import { msg } from './msg.js';
import { list } from '../../messages.js';
import { lower, nameOf } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { coolsFor } from '../../sync/curves.js';
import { redrawBars } from '../../bars/state.js';
import { eachFrame, invalidate } from '../../view/state.js';
import { onEvent } from '../../listeners.js';
import { perPiece } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Milliseconds of one turn in the air, between two faces while it tumbles, and at most in the air.
 */
const TURN = 200;
const BLINK = 50;
const LONGEST = 3000;

/** Rolls of one person within so many milliseconds are announced together. */
const TOGETHER = 350;

/**
 * A die in the air.
 * @typedef {object} Throw
 * @property {number} by the seat that rolled it
 * @property {number} start when it was rolled, performance.now()
 * @property {boolean} asked whether this page rolled it, so that the answer may still be pending
 * @property {number} blink when another face was shown last
 * @property {Animation|null} motion
 */

/**
 * The dice that tumble.
 * @type {(s: State) => Map<number, Throw>}
 */
export const throwsOf = perPiece();

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_DICE = {
  roll: {
    icon: 'die',
    takesPiece: true,
    isMain: true,
    check: (s, { id }) => (isCooling(s, id) ? 'cooling' : ''),
    run: roll,
  },
};

/**
 * Rolls dice. The caller has checked that they may be rolled.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function roll(s, pieces) {
  for (const p of pieces) {
    sendBlind(s, p.id, 'roll');
    toss(s, p, s.sync.you, true);
  }
}

/**
 * Lets a die tumble.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} by
 * @param {boolean} asked whether this page rolled it
 */
function toss(s, piece, by, asked) {
  const now = performance.now();
  if (!kindOf(s, piece).die) return;
  const throws = throwsOf(s);
  throws.get(piece.id)?.motion?.cancel();
  throws.set(
    piece.id,
    { by, start: now, asked, blink: now, motion: null },
  );
  invalidate(s, piece.id);
  s.redraw();
}

/**
 * Draws tumbling dice and announces results.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bindDice(s, voice) {
  const throws = throwsOf(s);
  /**
   * By seat: the dice that have landed and are not announced yet.
   * @type {Map<number, {ids: number[], timer: ReturnType<typeof setTimeout>}>}
   */
  const rolled = new Map();
  const tell = (/** @type {number} */ by) => {
    const ids = rolled.get(by)?.ids ?? [];
    rolled.delete(by);
    const dice = ids.flatMap((id) => s.sync.pieces.get(id) ?? []);
    if (dice.length === 0) return;
    const says = by === s.sync.you
      ? msg('abilities.dice.youRolled', { what: result(s, dice) })
      : msg('abilities.dice.rolled', { who: nickOf(s, by), what: result(s, dice) });
    if (dice.length > 1) voice.notice(says);
    else voice.whisper(says);
  };
  const lie = (/** @type {number} */ id, /** @type {number} */ by) => {
    const group = rolled.get(by);
    clearTimeout(group?.timer);
    rolled.set(
      by, { ids: [...(group?.ids ?? []), id], timer: setTimeout(() => tell(by), TOGETHER) },
    );
  };
  onEvent(s, (event) => {
    if (event.type === 'update' && event.op === 'roll') {
      const piece = s.sync.pieces.get(event.piece);
      if (piece) toss(s, piece, event.by, false);
    } else if (event.type === 'reject' && event.op === 'roll') {
      const t = throws.get(event.piece);
      throws.delete(event.piece);
      if (t?.asked) land(s, event.piece, t);
      invalidate(s, event.piece);
    }
  });
  eachFrame(s, (now) => {
    let more = false;
    for (const [id, t] of throws) {
      const p = s.view.shown.get(id);
      const piece = s.sync.pieces.get(id);
      if (!p || !piece) {
        throws.delete(id);
        continue;
      }
      if (isUp(s, id, t, now)) {
        throws.delete(id);
        land(s, id, t);
        lie(id, t.by);
        continue;
      }
      tumble(s, p, piece, t, now);
      more = true;
    }
    return more;
  });
  return () => {
    for (const { timer } of rolled.values()) clearTimeout(timer);
  };
}

/**
 * Reports whether a die must land: it has turned once, and the result is known; or it has been in
 * the air for LONGEST.
 * @param {State} s
 * @param {number} id
 * @param {Throw} t
 * @param {number} now
 */
function isUp(s, id, t, now) {
  const least = wantsStill() ? 0 : TURN;
  if (now - t.start > LONGEST) return true;
  return now - t.start >= least && !(t.asked && s.sync.pending(id));
}

/** @param {State} s @param {number} id @param {Throw} t */
function land(s, id, t) {
  t.motion?.cancel();
  t.motion = null;
  const p = s.view.shown.get(id);
  const piece = s.sync.pieces.get(id);
  if (!p || !piece) return;
  drawArt(p, artFor(s, piece));
  invalidate(s, id);
  redrawBars(s); // its button is for use again, or says that it rests
}

/** @param {State} s @param {Shown} p @param {Piece} piece @param {Throw} t @param {number} now */
function tumble(s, p, piece, t, now) {
  if (wantsStill() || !p.img) return;
  const { faces } = kindOf(s, piece);
  if (!t.motion) {
    const coin = faces.length === 2;
    t.motion = p.img.animate(
      coin ? FLIPS : ROLLS,
      { duration: TURN, iterations: Number.POSITIVE_INFINITY, easing: 'linear' },
    );
  }
  if (now - t.blink < BLINK) return;
  t.blink = now;
  // Only for the eyes: the server decides the result.
  drawArt(p, artOf(s.catalog, faces[Math.floor(Math.random() * faces.length)]));
}

/** How a die tumbles. @type {Keyframe[]} */
const ROLLS = [
  { transform: 'translateY(0) rotate(0deg) scale(1)' },
  { transform: 'translateY(-34%) rotate(130deg) scale(1.12)', offset: 0.3 },
  { transform: 'translateY(0) rotate(250deg) scale(0.96)', offset: 0.65 },
  { transform: 'translateY(-9%) rotate(315deg) scale(1.02)', offset: 0.82 },
  { transform: 'translateY(0) rotate(360deg) scale(1)' },
];
/** How a coin tumbles. @type {Keyframe[]} */
const FLIPS = [
  { transform: 'translateY(0) scaleY(1)' },
  { transform: 'translateY(-30%) scaleY(-1.1)', offset: 0.25 },
  { transform: 'translateY(-44%) scaleY(1.15)', offset: 0.5 },
  { transform: 'translateY(-30%) scaleY(-1.1)', offset: 0.75 },
  { transform: 'translateY(0) scaleY(1)' },
];

/**
 * Returns the faces that dice show, in words, with the sum if all of them show numbers.
 * @param {State} s
 * @param {Piece[]} dice
 */
export function result(s, dice) {
  const faces = dice.map((p) => kindOf(s, p).faces[p.face]?.name ?? nameOf(s, p));
  const numbers = faces.map(numberIn);
  const sum = numbers.reduce((a, b) => a + b, 0);
  return faces.length > 1 && numbers.every(Number.isFinite)
    ? msg('abilities.dice.sum', { faces: list(faces), sum })
    : list(faces.map(lower));
}

/**
 * Returns the number in the name of a face, such as "4" or "Four pips, 4"; NaN unless it has
 * exactly one.
 * @param {string} face
 */
function numberIn(face) {
  const found = face.match(/-?\d+/g);
  return found?.length === 1 ? Number(found[0]) : Number.NaN;
}

/** Returns whether a die cannot be rolled yet. @param {State} s @param {number} id */
function isCooling(s, id) {
  const piece = s.sync.pieces.get(id);
  return throwsOf(s).has(id) ||
    (piece !== undefined && coolsFor(piece, s.net.serverNow()) > 0);
}

/**
 * Shows on a die or a button how long it cannot be used again. Called by view/piece.js.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawCooling(s, p, piece) {
  const { die, button } = kindOf(s, piece);
  const cooldown = die?.cooldown ?? button?.cooldown;
  if (cooldown === undefined) return;
  const old = p.el.querySelector(':scope > .cooling');
  const left = throwsOf(s).has(piece.id) ? 0 : coolsFor(piece, s.net.serverNow());
  if (left <= 0 || old) {
    if (left <= 0) old?.remove();
    return;
  }
  const part = Math.min(left / cooldown, 1); // less for whoever comes later
  const bar = el('span', { class: 'cooling', 'aria-hidden': 'true' });
  p.el.append(bar);
  const run = bar.animate(
    { transform: [`scaleX(${part})`, 'scaleX(0)'] }, { duration: left, easing: 'linear' },
  );
  run.onfinish = () => {
    bar.remove();
    redrawWhenCool(s, piece.id);
  };
  run.oncancel = () => bar.remove();
}

/** Draws the bars when a die may be rolled again. @param {State} s @param {number} id */
function redrawWhenCool(s, id) {
  const piece = s.sync.pieces.get(id);
  const left = piece ? coolsFor(piece, s.net.serverNow()) : 0;
  if (left > 0) setTimeout(() => redrawWhenCool(s, id), left);
  else redrawBars(s);
}
