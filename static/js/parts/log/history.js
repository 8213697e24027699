// Asks the server for what happened before this page came (docs/protocol/http.md, T65).

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('./lines.js').Happening} Happening */

/** How many entries are asked for at a time. */
const PAGE = 100;

/**
 * A page of the log.
 * @typedef {object} Page
 * @property {Happening[]} happenings in order
 * @property {string} before asks for the page before this one; '': there is none
 * @property {boolean} isDropped whether the log begins here because a host has dropped what was
 *   before
 */

/**
 * Asks for a page.
 * @param {State} s
 * @param {{to?: number, before?: string}} from `to`: up to this version; `before`: as in Page
 * @returns {Promise<Page>}
 */
export async function pageOf(s, { to, before }) {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (to) query.set('to', String(to));
  if (before) query.set('before', before);
  const answer = await fetch(`${s.api}/log?${query}`);
  if (!answer.ok) throw new Error(`the log answers ${answer.status}`);
  const { entries, before: next = '', dropped = false } = await answer.json();
  return { happenings: entries.map(happeningOf), before: next, isDropped: dropped };
}

/**
 * Returns what becomes of the lines when by an event somebody has erased what identified them
 * (T80). `read`: the server has other ones. `remove`: it was this person, whose seat has ended, so
 * the server has no log for them any more. null: nothing, the event is another one.
 * @param {import('../../types.js').SyncEvent} event
 * @param {{seats: Map<number, import('../../types.js').Seat>, you: number}} sync
 * @returns {'read'|'remove'|null}
 */
export function afterErasure(event, { seats, you }) {
  if (event.type !== 'seat' || !seats.get(event.id)?.erased || event.before?.erased) return null;
  return event.id === you ? 'remove' : 'read';
}

/** @param {any} entry @returns {Happening} */
export function happeningOf({ at, by = 0, op, piece, notice, seat, chat, rewound }) {
  const base = { at, by, op };
  if (piece) {
    const { id, before, after } = piece;
    return { ...base, piece: { id, before: pieceOf(id, before), after: pieceOf(id, after) } };
  }
  if (notice) {
    const { piece: id, count = 0, to = 0, ...seen } = notice;
    const of = seen.kind === undefined ? null : pieceOf(id, seen);
    return { ...base, notice: { piece: of, count, to } };
  }
  if (seat) return { ...base, seat: { before: null, after: { left: 0, side: 0, ...seat } } };
  if (rewound) return { ...base, rewound };
  if (!chat) return base;
  const { line, text = '', to = 0, deleted = false, lost = false } = chat;
  return { ...base, chat: { line, text, to, isDeleted: deleted, isLost: lost } };
}

/**
 * Returns a piece as the page knows pieces. What the answer leaves out is zero.
 * @param {number} id
 * @param {any} piece
 * @returns {Piece|null}
 */
function pieceOf(id, piece) {
  return piece
    ? {
        mark: 0, kind: 0, x: 0, y: 0, angle: 0, face: 0, z: '', zMark: 0, pinned: false,
        locked: false, holder: 0, owner: 0, ...piece, id,
      }
    : null;
}
