// Which games of the shelf fit what somebody looks for (G19). Nothing here touches the page.

/**
 * A game, as the page has it.
 *
 * @typedef {object} Game
 * @property {string} text its name, its summary and its further words, folded
 * @property {[number, number][]} spans for how many players the game or a set-up of it is
 * @property {number} minutes the most that it takes; 0: nothing is said
 * @property {string[]} genres
 */

/**
 * What somebody looks for. What is empty is not asked.
 *
 * @typedef {object} Wish
 * @property {string} words
 * @property {string} players a number, or a number and "+" for as many or more
 * @property {string} genre
 * @property {string} time minutes, or minutes and "+" for longer
 */

/** A text without case and accents, so that texts can be compared. @param {string} text */
export const fold = (text) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    .replaceAll('ß', 'ss').replaceAll('’', "'");

/** Reads numbers of players as the page writes them: "2-4 6-6". @param {string} text */
export const spansIn = (text) =>
  text.split(' ').filter(Boolean).map((span) => {
    const [least, most] = span.split('-').map(Number);
    return /** @type {[number, number]} */ ([least, most]);
  });

/**
 * Whether something is for so many players.
 * @param {[number, number]} span @param {string} players as of a wish
 */
function isFor([least, most], players) {
  const n = Number.parseInt(players, 10);
  return n <= most && (players.endsWith('+') || n >= least);
}

/** Whether a game fits all that is asked. @param {Game} game @param {Wish} wish */
export function fits(game, { words, players, genre, time }) {
  const minutes = Number.parseInt(time, 10);
  return (
    fold(words).split(/\s+/).every((word) => game.text.includes(word)) &&
    (!players || game.spans.some((span) => isFor(span, players))) &&
    (!genre || game.genres.includes(genre)) &&
    (!time || (game.minutes > 0 && game.minutes <= minutes !== time.endsWith('+')))
  );
}

/**
 * Returns the number of the set-up to choose: of those for so many players the first one, unless
 * the chosen one is.
 *
 * @param {[number, number][][]} setups for how many players each is; none: it does not say
 * @param {number} chosen
 * @param {string} players as of a wish
 */
export function setupFor(setups, chosen, players) {
  const isOne = (/** @type {[number, number][]} */ spans) =>
    spans.some((span) => isFor(span, players));
  if (!players || isOne(setups[chosen] ?? [])) return chosen;
  const first = setups.findIndex(isOne);
  return first < 0 ? chosen : first;
}

/**
 * Chooses one of several at random, another one than before if there is another.
 *
 * @template T
 * @param {T[]} all
 * @param {T|null} before
 * @param {() => number} [random] from 0 up to but not 1
 * @returns {T|null} null if there is none
 */
export function another(all, before, random = Math.random) {
  const others = all.length > 1 ? all.filter((one) => one !== before) : all;
  return others[Math.floor(random() * others.length)] ?? null;
}
