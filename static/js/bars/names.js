// How people are called: those whose name is there twice with a number (T53); visitors from other servers (O37) with a sign that no nick
// has, and the name of the server that vouches for them. So nobody can be taken for somebody else, wherever a name is shown. No DOM, no
// socket, no clock.

/** Between nick and server. */
const SIGN = '\u2302';

/**
 * A seat as it is called at the table.
 * @template {{nick: string, number?: number, home?: string}} S
 * @param {S} seat @returns {S}
 */
export function called(seat) {
  const { nick, number, home } = seat;
  return {
    ...seat,
    nick: nick + (number ? ` (${number})` : '') + (home ? ` ${SIGN} ${home}` : ''),
  };
}

/** What somebody calls themselves, without the server and the number. @param {string} name @param {number} [number] */
export function nickIn(name, number) {
  const nick = name.split(SIGN, 1)[0].trim();
  return number ? nick.slice(0, -` (${number})`.length) : nick;
}
