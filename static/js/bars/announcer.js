// Announces to screen readers who comes, who leaves and who loses the connection (S11).

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Seat} Seat */

/** Milliseconds without a connection before it is announced. Most people are back sooner. */
const BLINK = 2000;

/** The same after a rewind, for which all streams end. */
const REWIND = 10_000;

/** A seat was just taken, and nobody has used it yet. @param {State} s @param {Seat} seat */
export function noteJoined(s, seat) {
  s.bars.joined.add(seat.id);
}

/**
 * The table went back, so everybody comes back to it. Only of somebody who does not is it said.
 * @param {State} s
 * @param {ReadonlyMap<number, Seat>} were the seats before
 * @param {{news: (who: string, what: 'left', piece: number, name: string) => void}} voice
 */
export function noteRewound(s, were, voice) {
  const { joined } = s.bars;
  for (const { id, nick, left, presence } of s.sync.seats.values()) {
    const wasHere = (were.get(id)?.presence ?? 'gone') !== 'gone';
    if (left || presence !== 'gone' || !wasHere || id === s.sync.you) continue;
    joined.add(id);
    setTimeout(() => joined.delete(id) && voice.news(nick, 'left', 0, ''), REWIND);
  }
}

/**
 * Announces a change of presence. It does not announce that somebody looks at another page, or that
 * a connection was lost for less than BLINK.
 * @param {State} s
 * @param {Seat} seat the current seat
 * @param {Seat} before
 * @param {{news: (who: string, what: 'came'|'left'|'lost'|'back'|'putOut', piece: number, name:
 *   string) => void}} voice
 */
export function announcePresence(s, seat, before, voice) {
  if (seat.left) {
    if (!before.left) voice.news(seat.nick, seat.left === seat.id ? 'left' : 'putOut', 0, '');
    return;
  }
  const was = before.presence;
  const is = seat.presence;
  if (was === is) return;
  const timer = s.bars.lostTimers.get(seat.id);
  clearTimeout(timer);
  s.bars.lostTimers.delete(seat.id);
  if (is === 'lost') {
    const announce = () => {
      s.bars.lostTimers.delete(seat.id);
      voice.news(seat.nick, 'lost', 0, '');
    };
    s.bars.lostTimers.set(seat.id, setTimeout(announce, BLINK));
  } else if (is === 'gone') voice.news(seat.nick, 'left', 0, '');
  // the page has announced already that they took a seat
  else if (s.bars.joined.delete(seat.id)) return;
  else if (was === 'gone') voice.news(seat.nick, 'came', 0, '');
  else if (was === 'lost' && timer === undefined) voice.news(seat.nick, 'back', 0, '');
}
