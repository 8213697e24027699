// The names of people at a table. A nick that several seats have is followed by a number (T53). A
// visitor from another server (O37) has a sign that no nick contains, and the name of the server
// that vouches for the visitor. So nobody can be mistaken for somebody else wherever a name is
// shown. No DOM, no socket, no clock.

/** The sign between nick and server. */
const SIGN = '\u2302';

/**
 * Returns a seat with the name that the table shows as its nick.
 * @template {{nick: string, number?: number, home?: string}} S
 * @param {S} seat
 * @returns {S}
 */
export function called(seat) {
  const { nick, number, home } = seat;
  return {
    ...seat,
    nick: nick + (number ? ` (${number})` : '') + (home ? ` ${SIGN} ${home}` : ''),
  };
}

/**
 * Returns the nick in a shown name, without the server and the number.
 * @param {string} name
 * @param {number} [number]
 */
export function nickIn(name, number) {
  const nick = name.split(SIGN, 1)[0].trim();
  return number ? nick.slice(0, -` (${number})`.length) : nick;
}
