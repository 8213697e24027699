// The operations of all pieces as players know them: name, picture, key, condition and effect.
// perform.js adds the offers of kinds, and the actions for hands (parts/cards/handactions.js) and
// clocks (parts/clocks/actions.js).

import { allowed } from '../../input/action.js';
import * as carry from '../../input/drag.js';
import { kindAt, kindOf } from '../../view/catalog.js';
import {
  change,
  flip,
  lower,
  sendMake,
  maskOf,
  raise,
  riffle,
  rotate,
  spread,
  stack,
} from '../../input/ops.js';
import { onRename } from '../../listeners.js';
import { use } from '../../parts.js';
import { explain, phrase } from '../../reasons.js';
import { isMadeHere } from '../../input/pending.js';
import { nextSide } from './faces.js';
import { pivoting } from './pivot.js';
import { focusOn, focused, pileOf, select, selectBelow, stackAt } from '../../input/select.js';
import { hosts, isHand, isUndoOff, plays } from '../../rights.js';
import { msg } from './msg.js';
import { placeOf } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../input/action.js').Action} Action */

/**
 * The names of actions that have a message.
 * @typedef {import('./msg.js').ControlsId extends infer I
 *   ? I extends `controls.actions.${infer Name}` ? Name : never : never} ActionName
 */

/** @param {ActionName} name */
const named = (name) => () => msg(`controls.actions.${name}`);

/**
 * Returns how far pieces turn at once if all their kinds say the same (G22).
 * @param {State} s
 * @param {Piece[]} pieces
 */
function turnOf(s, pieces) {
  const [turn, ...others] = new Set(pieces.map((p) => kindOf(s, p).turn));
  return others.length === 0 ? turn : undefined;
}

/** The actions of all pieces. @type {Action[]} */
export const actions = [
  {
    id: 'pick',
    icon: 'hand',
    key: '⏎',
    keys: 'Enter',
    op: 'grab',
    label: (s) => (s.input.carry ? msg('controls.actions.drop') : msg('controls.actions.pick')),
    fits: allowed('grab'),
    run: (s, pieces, voice) => grabOrRelease(s, pieces, voice),
  },
  {
    id: 'wrest',
    icon: 'wrest',
    key: 'W',
    op: 'wrest',
    label: (s, pieces) => msg('controls.bar.wrest', { nick: nickOf(s, pieces[0]?.holder ?? 0) }),
    fits: allowed('wrest'),
    run: (s, pieces, voice) => takeFromHolder(s, pieces, voice),
  },
  {
    id: 'enter',
    icon: 'door',
    key: '⇧⏎',
    keys: 'Shift+Enter',
    op: 'copy',
    none: 'noDoor',
    label: (s, pieces) => {
      const title = s.parts.doors?.titleBehind(pieces[0]?.id) ?? '';
      return msg('controls.bar.enter', { title });
    },
    fits: (s, pieces) => pieces.filter((p) => s.parts.doors?.isDoor(p.id)).slice(0, 1),
    run: (s, pieces, voice) => void s.parts.doors?.openDoor(s, pieces[0].id, voice),
  },
  {
    id: 'flip',
    icon: 'flip',
    key: 'F',
    op: 'flip',
    label: named('flip'),
    fits: allowed('flip'),
    run: flip,
  },
  nextSide,
  {
    id: 'rotate',
    icon: 'rotate',
    key: 'R',
    op: 'rotate',
    label: (s, pieces) => {
      const n = turnOf(s, pieces);
      return n ? msg('controls.turn.by', { n }) : msg('controls.actions.rotate');
    },
    fits: allowed('rotate'),
    run: (s, pieces) => rotate(s, pieces, 1),
  },
  {
    id: 'unrotate',
    icon: 'unrotate',
    key: '⇧R',
    keys: 'Shift+R',
    op: 'rotate',
    label: (s, pieces) => {
      const n = turnOf(s, pieces);
      return n ? msg('controls.turn.backBy', { n }) : msg('controls.actions.unrotate');
    },
    fits: allowed('rotate'),
    run: (s, pieces) => rotate(s, pieces, -1),
  },
  ...pivoting,
  {
    id: 'pile',
    icon: 'pile',
    key: 'A',
    op: 'grab',
    label: named('pile'),
    fits: (s, pieces) => (pieces.length === 1 && pileOf(s, pieces[0].id).length > 1 ? pieces : []),
    why: (_s, pieces) => ({ reason: 'noPile', piece: pieces[0].id, by: 0 }),
    run: (s, pieces) => selectPiles(s, pieces),
  },
  {
    id: 'shuffle',
    icon: 'shuffle',
    key: 'S',
    op: 'shuffle',
    none: 'shuffle',
    label: named('shuffle'),
    fits: (s, pieces) => shuffled(s, pieces),
    run: (s, pieces, voice) => {
      sendMake(s, 'shuffle', { pieces: pieces.map((p) => p.id) });
      riffle(s, pieces);
      voice.notice(msg('controls.shuffled', { n: pieces.length }));
    },
  },
  {
    id: 'stack',
    icon: 'stack',
    key: 'T',
    op: 'move',
    label: named('stack'),
    fits: (s, pieces) => several(allowed('move')(s, pieces)),
    run: stack,
  },
  {
    id: 'spread',
    icon: 'spread',
    key: 'E',
    op: 'move',
    label: named('spread'),
    fits: (s, pieces) => {
      const { cards } = s.parts;
      if (cards && pieces.every((p) => isHand(s, p)))
        return cards.targetHands(s, pieces).filter((h) => cards.cardsIn(s, h).length > 0);
      return several(allowed('move')(s, pieces));
    },
    run: (s, pieces) => {
      const hands = s.parts.cards?.targetHands(s, pieces) ?? [];
      if (hands.length === 0) spread(s, pieces);
      for (const h of hands) s.parts.cards?.closeUp(s, h);
    },
  },
  {
    id: 'raise',
    icon: 'raise',
    key: 'U',
    op: 'raise',
    label: named('raise'),
    fits: allowed('raise'),
    run: raise,
  },
  {
    id: 'lower',
    icon: 'lower',
    key: 'D',
    op: 'lower',
    label: named('lower'),
    fits: allowed('lower'),
    run: lower,
  },
  {
    id: 'below',
    icon: 'below',
    key: 'B',
    op: 'grab',
    label: named('below'),
    fits: (s, pieces) => (pieces.length === 1 && stackAt(s, pieces[0].id).length > 1 ? pieces : []),
    why: (_s, pieces) => ({ reason: 'noPile', piece: pieces[0].id, by: 0 }),
    run: (s, pieces) => {
      const id = selectBelow(s, stackAt(s, pieces[0].id));
      if (id) focusOn(s, id, true);
    },
  },
  {
    id: 'pin',
    icon: 'pin',
    key: 'P',
    op: 'pin',
    label: (_s, pieces) =>
      pieces.some((p) => !p.pinned) ? msg('controls.actions.pin') : msg('controls.actions.unpin'),
    fits: allowed('pin'),
    run: (s, pieces) => {
      const op = pieces.some((p) => !p.pinned) ? 'pin' : 'unpin';
      for (const p of pieces) change(s, p.id, op);
    },
  },
  {
    id: 'lock',
    icon: 'lock',
    key: 'L',
    op: 'lock',
    label: (_s, pieces) =>
      pieces.some((p) => !p.locked) ? msg('controls.actions.lock') : msg('controls.actions.unlock'),
    fits: allowed('lock'),
    run: (s, pieces) => {
      const op = pieces.some((p) => !p.locked) ? 'lock' : 'unlock';
      for (const p of pieces) change(s, p.id, op);
    },
  },
  writing('label', '⇧L', 'Shift+L', (marks) => marks.openLabel),
  writing('tint', '⇧T', 'Shift+T', (marks) => marks.openTint),
  writing('remark', '⇧M', 'Shift+M', (marks) => marks.openRemark),
  {
    id: 'door',
    icon: 'door',
    key: '',
    asks: true,
    op: 'copy',
    label: () => msg('core.bar.asks', { label: msg('controls.actions.door') }),
    fits: (s, pieces) =>
      (hosts(s) && s.page.main.dataset.bags !== undefined ? pieces.slice(0, 1) : []),
    run: (s, pieces, voice) => use(s, voice, 'doors', (doors) => doors.askDoor(s, pieces, voice)),
  },
  {
    id: 'copy',
    icon: 'copy',
    key: 'C',
    op: 'copy',
    label: named('copy'),
    fits: allowed('copy'),
    run: (s, pieces) => {
      for (const p of pieces) sendMake(s, 'copy', { piece: p.id, ...beside(s, p) });
    },
  },
  {
    id: 'remove',
    icon: 'remove',
    key: 'Del',
    keys: 'Delete',
    op: 'delete',
    label: named('remove'),
    fits: allowed('delete'),
    run: remove,
  },
];

/**
 * Makes an action that writes on pieces. It is not an operation of the table, so it also works on
 * pieces that are pinned, locked or held by others.
 * @param {'label'|'tint'|'remark'} id
 * @param {string} key
 * @param {string} keys
 * @param {(marks: import('../../parts.js').Part<'marks'>) =>
 *   (s: State, pieces: Piece[], voice: Voice) => void} open
 * @returns {Action}
 */
function writing(id, key, keys, open) {
  const run = (/** @type {State} */ s, /** @type {Piece[]} */ pieces, /** @type {Voice} */ voice) =>
    use(s, voice, 'marks', (marks) => open(marks)(s, pieces, voice));
  const fits = (/** @type {State} */ s, /** @type {Piece[]} */ pieces) =>
    plays(s) ? pieces : (id === 'remark' && s.parts.marks?.remarked(pieces)) || [];
  return {
    id,
    icon: id,
    key,
    keys,
    asks: true,
    op: 'copy',
    label: () => msg('core.bar.asks', { label: msg(`controls.actions.${id}`) }),
    fits,
    run,
  };
}

/** How many pieces can be deleted so that one undo brings all of them back: those of a batch. */
const UNDOABLE = 256;

/**
 * Deletes pieces, and offers to undo that (T63.25). It asks first if an undo would not simply bring
 * all back. Pieces that this page has added or copied go without a question, and so does a note
 * with nothing on it: they are quickly made again.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 */
function remove(s, pieces, voice) {
  let ids = pieces.map((p) => p.id);
  const what = phrase(s, pieces);
  const canUndo = !isUndoOff(s);
  const run = () => {
    const there = ids.filter((id) => s.sync.pieces.has(id));
    for (const id of there) sendMake(s, 'delete', { piece: id });
    const n = there.length;
    if (n === 0) voice.notice(msg('controls.why.gone', { what }));
    else if (canUndo && n <= UNDOABLE)
      use(s, voice, 'undo', (undo) => undo.offer(s, voice, msg('controls.removed', { n, what })));
  };
  const isCheap = (/** @type {Piece} */ p) => (isMadeHere(s, p.id) ? !p.text : p.text === '');
  const n = pieces.length;
  const loss = pieces.every(isCheap) ? '' : lossOf(s, pieces, canUndo);
  if (!loss) {
    run();
    return;
  }
  const question = {
    title: msg('controls.remove.title', { n, what }),
    text: `${msg('controls.remove.text', { n })} ${loss}`,
    yes: msg('controls.actions.remove'),
  };
  use(s, voice, 'dialogs', (dialogs) => {
    const stop = onRename(s, (from, to) => {
      ids = ids.map((id) => (id === from ? to : id));
    });
    dialogs.confirm(s, question, run, stop);
  });
}

/**
 * Returns in words what stands against undoing that pieces are deleted; empty: nothing.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {boolean} canUndo
 */
function lossOf(s, pieces, canUndo) {
  if (!canUndo) return msg('controls.remove.off');
  if (pieces.length > UNDOABLE) return msg('controls.remove.many', { n: UNDOABLE });
  if (pieces.some((p) => p.owner !== 0)) return msg('controls.remove.agree');
  const isWritten = (/** @type {Piece} */ p) => (s.parts.marks?.saysOf(p.id).length ?? 0) > 0;
  return pieces.some(isWritten) ? msg('controls.remove.written') : '';
}

/** @param {State} s @param {Piece[]} pieces @param {Voice} voice */
function grabOrRelease(s, pieces, voice) {
  if (s.input.carry) {
    const put = piecesOf(s, carry.end(s));
    if (put.length > 0)
      voice.whisper(msg('controls.put', { what: phrase(s, put), where: placeOf(s, put[0]) }));
    return;
  }
  const lead = focused(s) || pieces[0].id;
  let ids = s.input.selection.has(lead) ? [...s.input.selection] : [lead];
  if (s.input.take > 0) ids = pileOf(s, lead, s.input.take);
  const no = carry.start(s, ids.includes(lead) ? lead : ids[0], ids, { by: 'keys' });
  if (no) explain(s, no, voice);
  const held = piecesOf(s, carry.carried(s));
  if (held.length === 0) return;
  focusOn(s, lead, true); // now the arrow keys move the piece, even if a button was pressed
  voice.whisper(msg('controls.picked', { what: phrase(s, held) }));
}

/**
 * Takes pieces from their holders, so that this person holds them.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 */
function takeFromHolder(s, pieces, voice) {
  voice.hush(); // the notice that somebody holds them
  for (const p of pieces) change(s, p.id, 'wrest');
  carry.adopt(
    s,
    pieces.map((p) => p.id),
  );
}

/** Selects the whole pile of each piece. @param {State} s @param {Piece[]} pieces */
function selectPiles(s, pieces) {
  select(
    s,
    pieces.flatMap((p) => pileOf(s, p.id)),
  );
}

/**
 * Returns the cards of one pack that may be shuffled together, 500 at most; none if there are fewer
 * than two. A single card stands for its pile.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function shuffled(s, pieces) {
  const all = pieces.length === 1 ? piecesOf(s, pileOf(s, pieces[0].id)) : pieces;
  const cards = allowed('shuffle')(s, all);
  const mask = cards.length > 0 ? maskOf(s, cards[0]) : -1;
  return several(cards.filter((p) => maskOf(s, p) === mask).slice(0, 500));
}

/** @param {Piece[]} pieces */
function several(pieces) {
  return pieces.length > 1 ? pieces : [];
}

/** @param {State} s @param {Iterable<number>} ids */
function piecesOf(s, ids) {
  const found = [];
  for (const id of ids) {
    const piece = s.sync.pieces.get(id);
    if (piece) found.push(piece);
  }
  return found;
}

/** Returns a place beside a piece, on the table. @param {State} s @param {Piece} p */
function beside(s, p) {
  const k = kindAt(s.catalog, p.kind);
  const step = Math.round(Math.min(k.width, k.height) * 0.4);
  const w = s.view.camera.width / 2;
  const h = s.view.camera.height / 2;
  return { x: p.x + (p.x + step > w ? -step : step), y: p.y + (p.y + step > h ? -step : step) };
}
