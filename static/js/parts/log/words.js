// Says the lines of the log in words.

import { kindOf } from '../../view/catalog.js';
import { lower, nameOf, the, written } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { sideOf } from '../../view/sides.js';
import { firstMessage, list } from '../../messages.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./lines.js').Line} Line */

/** The files with messages for what people do. Those of parts are there when they are loaded. */
const FILES = ['log', 'core', 'abilities', 'guests'];

/** The most pieces of which it is said that a press has turned them up. */
const FEW = 3;

/** Returns the name of a seat, or "You". @param {State} s @param {number} seat */
export function whoOf(s, seat) {
  return seat === s.sync.you ? msg('log.you') : nickOf(s, seat);
}

/** Returns what a line says; of chat, without its author. @param {State} s @param {Line} l */
export function sentenceOf(s, l) {
  if (l.chat?.isLost) return msg('log.lost');
  if (l.chat) return l.chat.isDeleted ? msg('log.deleted') : l.chat.text;
  const who = whoOf(s, l.by);
  if (l.rewound) return rewoundTo(who, l.rewound);
  const all = [...l.what.values()];
  if (l.op === 'choice') return chosen(s, all);
  const [first] = all;
  const isOne = all.length === 1;
  const what = isOne ? the(nameOf(s, first.piece)) : msg('log.pieces', { n: all.length });
  const to = l.to === s.sync.you ? msg('log.toYou') : nickOf(s, l.to);
  if (l.op === 'roll') return msg('log.rolled', { who, rolled: rolled(s, all) });
  const button = l.op === 'run' && all.find(({ piece }) => kindOf(s, piece).button);
  if (button) {
    const up = all.filter(({ isUp }) => isUp);
    const shown = up.length <= FEW ? up.map(({ piece }) => lower(nameOf(s, piece))) : [];
    const n = all.length - 1 - shown.length;
    const dice = all.filter(({ isRolled }) => isRolled);
    const pressed = msg('log.button', { name: nameOf(s, button.piece) });
    const does = dice.length > 0
      ? msg('log.pressedAndRolled', { who, button: pressed, rolled: rolled(s, dice) })
      : l.dealt !== undefined ? msg('log.pressedAndDealt', { who, button: pressed, n: l.dealt })
        : n > 0 ? msg('log.pressed', { who, button: pressed, n })
          : msg('log.didPress', { who, button: pressed });
    const says = shown.length > 0 ? `${does} ${msg('log.turnedUp', { what: list(shown) })}` : does;
    const undone = s.parts.abilities?.saysUndone(kindOf(s, button.piece), l.undone ?? []) ?? [];
    return [says, ...undone].join(' ');
  }
  if (l.op === 'run') return msg('log.setUp', { who, n: all.length });
  if (l.op === 'count' && all.length === 1)
    return msg('log.counted', { who, what, value: written(first.piece.value ?? 0) });
  const isYou = l.by === s.sync.you;
  if (l.op === 'left' && l.to !== l.by) {
    const by = whoOf(s, l.to);
    return isYou ? msg('log.putOutYou', { by }) : msg('log.putOut', { who, by });
  }
  if (l.op === 'side' && l.to) {
    const given = isYou ? msg('log.toYou') : nickOf(s, l.by);
    return msg('log.place', { by: whoOf(s, l.to), to: given, side: sideNameOf(s, l.by) });
  }
  if (l.op === 'edits' && l.to !== l.by) {
    const given = isYou ? msg('log.toYou') : nickOf(s, l.by);
    return msg('log.edits', { by: whoOf(s, l.to), to: given });
  }
  if (l.op === 'side') {
    const side = sideNameOf(s, l.by);
    return isYou ? msg('log.sideYou', { side }) : msg('log.side', { who, side });
  }
  const { from: cell = '', to: into = '' } = first?.move ?? {};
  const from = first?.source ? the(nameOf(s, first.source)) : cell;
  const back = l.op === 'undo' && captureBack(all);
  if (back) {
    const [{ piece, move }, taken] = back;
    return msg('log.capturedBack', {
      who, what: the(nameOf(s, piece)), from: move.from, to: move.to,
      taken: the(nameOf(s, taken.piece)),
    });
  }
  if (isOne && into && from !== into && (from || l.op !== 'undo')) {
    if (l.op === 'undo') return msg('log.movedBack', { who, what, from, to: into });
    const taken = first.taken ? the(nameOf(s, first.taken)) : '';
    if (!from) // it has come from beside the board
      return taken ? msg('log.putTaking', { who, what, to: into, taken })
        : msg('log.put', { who, what, to: into });
    return taken
      ? msg('log.captured', { who, what, from, to: into, taken })
      : msg('log.moved', { who, what, from, to: into });
  }
  // Of a die nobody says that it was turned over.
  const isRolled = l.op === 'turnedBack' && all.map((of) => kindOf(s, of.piece))
    .some(({ secret, faces }) => !secret && faces.length > 2);
  const isNew = l.op === 'split' && all.every((of) => !kindOf(s, of.piece).currency);
  const op = isRolled ? 'undo' : isNew ? 'supplied' : l.op;
  const ids = [...(isYou ? [`log.you.${op}`] : []), ...FILES.map((file) => `${file}.did.${op}`)];
  const said = firstMessage(ids, { who, what, to, n: l.count });
  return said || msg('log.something', { who, what });
}

/**
 * Returns of what an undo has done the captor and what it had captured; null if it was something
 * else.
 * @param {import('./lines.js').Done[]} all
 */
function captureBack(all) {
  const captor = all.find(({ move }) => move?.from && move.to !== move.from);
  const taken = all.find(({ move }) => move && !move.from && move.to === captor?.move?.from);
  return all.length === 2 && captor?.move && taken
    ? /** @type {const} */ ([{ piece: captor.piece, move: captor.move }, taken]) : null;
}

/**
 * Says to what somebody brought the table back.
 * @param {string} who
 * @param {import('./lines.js').Rewound} to
 */
function rewoundTo(who, { kind, name = '', at }) {
  switch (kind) {
    case 'named':
      return msg('log.rewound.named', { who, name });
    case 'set-up':
      return name ? msg('log.rewound.setUpAs', { who, name }) : msg('log.rewound.setUp', { who });
    case 'before':
      return msg('log.rewound.before', { who });
    default:
      return msg('log.rewound.auto', { who, time: clock(at) });
  }
}

/**
 * Says what several people had chosen: "Shown together: Ada: the ace; Ben: the king and the ten".
 * @param {State} s
 * @param {import('./lines.js').Done[]} all
 */
function chosen(s, all) {
  /** @type {Map<number, string[]>} */
  const by = new Map();
  for (const { piece, by: seat = 0 } of all)
    by.set(seat, [...by.get(seat) ?? [], the(nameOf(s, piece))]);
  const parts = [...by].map(([seat, what]) =>
    msg('log.chosenBy', { who: whoOf(s, seat), what: list(what) }));
  return msg('log.chosen', { what: parts.join('; ') });
}

/**
 * Says what dice show: "5", or "5 and 2: 7 in all".
 * @param {State} s
 * @param {import('./lines.js').Done[]} dice
 */
function rolled(s, dice) {
  const faces = dice.map(({ piece }) => kindOf(s, piece).faces[piece.face]?.name ?? '');
  if (faces.length === 1) return faces[0].toLowerCase() || nameOf(s, dice[0].piece);
  const numbers = faces.map(Number);
  const listed = faces.join(', ');
  return numbers.every((n) => n > 0)
    ? msg('log.sum', { listed, sum: numbers.reduce((a, b) => a + b) })
    : listed;
}

/** @param {State} s @param {number} seat */
function sideNameOf(s, seat) {
  const of = s.sync.seats.get(seat);
  return (of && sideOf(s, of)?.name) ?? '';
}

/** Returns a time of day: "14:05". @param {number} at in ms */
export function clock(at) {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
