// The part of the page for doors: pieces that lead to other tables (O49 to O51). It shows a sign at
// each of them, adds where they lead to their names, and takes people through. It is loaded when a
// piece is a door or is about to become one.

import { all, el, on } from '../../view/dom.js';
import { drawLabel } from '../../view/piece.js';
import { eachFrame } from '../../view/state.js';
import { refusal, sendBlind } from '../../input/ops.js';
import { use } from '../../parts.js';
import { plays } from '../../rights.js';
import { waitWhile } from '../../wait.js';
import { chooseDoor, showDoor } from './dialog.js';
import { allPieces, doorOn, piecesAmong } from './components.js';
import { newSign, place, showAccepting, write } from './draw.js';
import { accepted, AT_ONCE, doorBelow, isSendable, sendThrough } from './send.js';
import { request } from './request.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('./draw.js').Sign} Sign */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

/** The drawn signs, by piece. @type {Map<number, Sign>} */
const signs = new Map();

/** Whether the page is on its way through a door. */
let leaving = false;

/** The door onto which something is dragged that it accepts; 0: none. */
let accepting = 0;

/** Set by bind. @type {Voice|null} */
let announcer = null;

/**
 * Creates the layer and shows the doors.
 * @param {State} s
 * @param {Voice} voice
 * @param {Shared} shared
 * @returns {() => void} stops
 */
export function bind(s, voice, { replica }) {
  const layer = el('div', { class: 'doors' });
  s.page.arrows.prepend(layer); // above all pieces, below the cursors of others
  for (const id of allPieces(s)) renew(s, id);
  announcer = voice;
  eachFrame(s, () => {
    accept(s, voice);
    for (const [id, sign] of signs) place(s, sign, s.view.shown.get(id), layer);
    return false;
  });
  const open = (/** @type {MouseEvent} */ e) => {
    const sign = e.target instanceof Element ? e.target.closest('[data-door]') : null;
    if (sign) void openDoor(s, Number(sign.getAttribute('data-door')), voice);
  };
  return all(
    // it is not a press on the table
    on(layer, 'pointerdown', (/** @type {Event} */ e) => e.stopPropagation()),
    on(layer, 'click', open),
    replica.listen((changes) => {
      for (const id of piecesAmong(s, changes.keys())) {
        const before = signs.get(id)?.door;
        renew(s, id);
        announce(before, signs.get(id)?.door, voice);
      }
    }),
    () => layer.remove(),
  );
}

/** Shows which door accepts what is carried now. @param {State} s @param {Voice} voice */
function accept(s, voice) {
  const { carry } = s.input;
  const now = carry && signs.size > 0 ? doorBelow(s, carry, signs) : 0;
  if (now === accepting) return;
  showAccepting(signs.get(accepting), s.view.shown.get(accepting), false);
  showAccepting(signs.get(now), s.view.shown.get(now), true);
  accepting = now;
  if (now) voice.whisper(msg('doors.accepts', { title: titleBehind(now) }));
}

/**
 * Returns what sends pieces that are put down through the door below them; null if no door is there
 * that accepts them.
 * @param {State} s
 * @returns {((ids: number[]) => void)|null}
 */
export function doorUnder(s) {
  const { carry } = s.input;
  const door = carry && announcer && signs.size > 0 ? doorBelow(s, carry, signs) : 0;
  const voice = announcer;
  if (!door || !voice) return null;
  return (ids) => {
    const pieces = accepted(s, door, ids);
    void sendThrough(s, door, titleBehind(door), pieces, voice);
  };
}

/** Returns the doors through which pieces can go. @param {Piece[]} pieces */
function doorsFor(pieces) {
  return [...signs.keys()].filter((id) => !pieces.some((p) => p.id === id));
}

/**
 * Sends pieces through the only door of the table, or asks through which one.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 */
function sendBy(s, pieces, voice) {
  const doors = doorsFor(pieces);
  const send = (/** @type {number} */ door) =>
    void sendThrough(s, door, titleBehind(door), pieces, voice);
  if (doors.length === 1) send(doors[0]);
  else use(s, voice, 'dialogs', (dialogs) => chooseDoor(
    s, doors.map((id) => ({ id, title: titleBehind(id) })), send, dialogs,
  ));
}

/**
 * Reads the door of a piece again, and updates the name of the piece.
 * @param {State} s
 * @param {number} id
 */
function renew(s, id) {
  const door = doorOn(s, id);
  const old = signs.get(id);
  if (!door && !old) return;
  if (!door) {
    old?.el.remove();
    signs.delete(id);
  } else {
    const sign = old ?? newSign(id, door);
    sign.door = door;
    signs.set(id, sign);
    write(sign);
  }
  const p = s.view.shown.get(id);
  const piece = s.sync.pieces.get(id);
  if (p && piece) drawLabel(s, p, piece);
  s.redraw();
}

/**
 * Says that there is a new door, or that one is closed.
 * @param {import('./components.js').Door|undefined} before
 * @param {import('./components.js').Door|undefined} now
 * @param {Voice} voice
 */
function announce(before, now, voice) {
  if (!now) return;
  if (now.why && now.why !== before?.why) {
    const why = msg(`doors.closed.${now.why}`);
    voice.whisper(msg('doors.newsClosed', { title: now.title, why }));
  } else if (now.title !== before?.title) voice.whisper(msg('doors.news', { title: now.title }));
}

/** Describes where a door leads. @param {number} id id of the piece @returns {string[]} */
export function saysOfDoor(id) {
  const door = signs.get(id)?.door;
  if (!door) return [];
  const { title, server, why } = door;
  const to = server ? msg('doors.toServer', { title, server }) : msg('doors.to', { title });
  return why ? [to, msg(`doors.closed.${why}`)] : [to];
}

/** Returns whether a piece is a door. @param {number} id */
export function isDoor(id) {
  return signs.has(id);
}

/** Returns the title behind a door. @param {number} id */
export function titleBehind(id) {
  return signs.get(id)?.door.title ?? '';
}

/**
 * Goes through a door.
 * @param {State} s
 * @param {number} id id of the piece
 * @param {Voice} voice
 */
export async function openDoor(s, id, voice) {
  await leave(s, id, voice, async () => (await request(s, 'POST', `/${id}`)).url);
}

/**
 * Goes through a door as soon as it is known where to.
 * @param {State} s
 * @param {number} id id of the piece
 * @param {Voice} voice
 * @param {() => Promise<string>} open
 */
async function leave(s, id, voice, open) {
  if (leaving || !signs.has(id)) return;
  leaving = true;
  voice.notice(msg('doors.opening', { title: titleBehind(id) }));
  try {
    s.page.window.ownerDocument.location.assign(await open());
  } catch (error) {
    voice.alarm(/** @type {Error} */ (error).message || msg('doors.failed'));
  }
  leaving = false;
}

/** Milliseconds in which the server answers whether a set leaves the table. */
const LETS_GO = 10_000;

/**
 * Takes a set off the table and goes through a door with it (O51). The page at the other table puts
 * it down.
 * @param {State} s
 * @param {number} id id of the door
 * @param {Piece} piece a piece of the set
 * @param {Voice} voice
 */
async function carryThrough(s, id, piece, voice) {
  await leave(s, id, voice, async () => {
    const { url } = await request(s, 'POST', `/${id}`, { carry: piece.id });
    sendBlind(s, piece.id, 'take');
    if (!await waitWhile(() => s.sync.pieces.has(piece.id), LETS_GO))
      throw new Error(msg('doors.notTaken'));
    return url;
  });
}

/**
 * Returns the door that is nearest to a piece; 0 if there is none.
 * @param {State} s
 * @param {Piece} piece
 */
function nearest(s, piece) {
  let found = 0;
  let least = Infinity;
  for (const id of signs.keys()) {
    const at = s.sync.pieces.get(id);
    const far = at ? Math.hypot(at.x - piece.x, at.y - piece.y) : Infinity;
    if (far < least) [found, least] = [id, far];
  }
  return found;
}

/** Actions for what people have brought. @type {import('../../input/action.js').Action[]} */
export const carrying = [
  {
    id: 'carry-through',
    icon: 'door',
    key: '',
    op: 'take',
    label: (s, pieces) => msg('doors.carry', {
      title: pieces.length > 0 ? titleBehind(nearest(s, pieces[0])) : '',
    }),
    fits: (s, pieces) => pieces.filter((p) =>
      s.sync.sets.get(p.set ?? 0)?.by === s.sync.you && plays(s) && !signs.has(p.id) &&
      nearest(s, p) !== 0 && !refusal(s, p, 'take')).slice(0, 1),
    run: (s, [piece], voice) => void carryThrough(s, nearest(s, piece), piece, voice),
  },
  {
    id: 'send-through',
    icon: 'door',
    key: '',
    op: 'take',
    label: (_, pieces) => {
      const doors = doorsFor(pieces);
      return doors.length === 1
        ? msg('doors.send', { title: titleBehind(doors[0]) })
        : msg('doors.sendBy');
    },
    fits: (s, pieces) => (doorsFor(pieces).length === 0
      ? []
      : pieces.filter((p) => isSendable(s, p)).slice(0, AT_ONCE)),
    run: (s, pieces, voice) => sendBy(s, pieces, voice),
  },
];

/** Asks where a piece leads. @param {State} s @param {Piece[]} pieces @param {Voice} voice */
export function askDoor(s, pieces, voice) {
  use(s, voice, 'dialogs', (dialogs) => showDoor(s, pieces[0], voice, dialogs));
}
