// The words for the bag (see strings.js).

export const bagwords = {
  title: 'My bag',
  close: 'Close',
  loading: 'Looking into your bag…',
  empty: 'Your bag is empty. A host of a table puts a deck or a piece into theirs: select it and choose “Put into my bag”.',
  failed: 'Your bag could not be opened. Try again in a moment.',
  watching: 'You watch this table: nothing can be put on it.',
  something: 'Something',

  place: 'Put on the table',
  home: 'Take home',
  leave: 'Leave here',
  again: 'Look again',
  goHome: (/** @type {string} */ server) => `Go home to ${server}`,
  stow: 'Put into my bag',

  placed: (/** @type {string} */ what) => `${what} comes onto the table.`,
  did: {
    home: (/** @type {string} */ what) => `${what} is taken home.`,
    leave: (/** @type {string} */ what) => `${what} stays here.`,
  },
  /** @type {Record<string, (server: string, table: string) => string>} */
  where: {
    home: (server) => (server ? `at home, on ${server}` : 'in your bag'),
    here: () => 'left here, in your bag',
    table: () => 'on this table: select it and choose “Put back into the bag”',
    other: (server, table) => (table ? `on the table “${table}”` : `on a table on ${server}`),
    elsewhere: (server) => `on ${server}`,
    away: () => 'away',
  },
  away: (/** @type {string} */ why, /** @type {number} */ minutes) => (minutes > 0
    ? `away: ${why}; it is asked again in ${minutes} min`
    : `away: ${why}`),
};
