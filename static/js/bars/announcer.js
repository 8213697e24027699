// Tells the ears who comes, goes, or loses the line (S11).

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Seat} Seat */

/** Milliseconds for which somebody may be without a line before a word is said: most are back sooner. */
const BLINK = 2000;

/**
 * Tells of a change. Who only looks at something else is not told of, nor is a line that was lost for a blink.
 * @param {State} s @param {Seat} seat as it is now @param {Seat} before
 * @param {{news: (who: string, what: 'came'|'left'|'lost'|'back'|'putOut', piece: number, name: string) => void}} voice
 */
export function tellPresence(s, seat, before, voice) {
  if (seat.left) {
    if (!before.left) voice.news(seat.nick, seat.left === seat.id ? 'left' : 'putOut', 0, '');
    return;
  }
  const was = before.presence;
  const is = seat.presence;
  if (was === is) return;
  const untold = s.missing.get(seat.id);
  clearTimeout(untold);
  s.missing.delete(seat.id);
  if (is === 'lost') {
    const tell = () => {
      s.missing.delete(seat.id);
      voice.news(seat.nick, 'lost', 0, '');
    };
    s.missing.set(seat.id, setTimeout(tell, BLINK));
  } else if (is === 'gone') voice.news(seat.nick, 'left', 0, '');
  else if (s.joined.delete(seat.id)) return; // that they took a seat has been told
  else if (was === 'gone') voice.news(seat.nick, 'came', 0, '');
  else if (was === 'lost' && untold === undefined) voice.news(seat.nick, 'back', 0, '');
}
