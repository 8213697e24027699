// How visitors from other servers are called (O37): by their nick, a sign that no nick has, and the name of the server that vouches
// for them. So nobody can be taken for somebody else, wherever a name is shown. No DOM, no socket, no clock.

/** Between nick and server. */
const SIGN = '\u2302';

/**
 * A seat as it is called at the table.
 * @template {{nick: string, home?: string}} S
 * @param {S} seat @returns {S}
 */
export function called(seat) {
  return seat.home ? { ...seat, nick: `${seat.nick} ${SIGN} ${seat.home}` } : seat;
}

/** What somebody calls themselves, without the server. @param {string} name */
export function nickIn(name) {
  return name.split(SIGN, 1)[0].trim();
}
