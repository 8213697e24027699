// What the roles of seats mean (docs/protocol/table.md, T66).

/** The roles of those who play. */
const PLAYING = new Set(['host', 'co-host', 'player']);

/** The roles of those who manage the table. */
const HOSTING = new Set(['host', 'co-host']);

/**
 * Returns whether a seat is of somebody who plays.
 * @param {{role: string, left?: number}|null|undefined} seat
 */
export const isPlayer = (seat) => !!seat && !seat.left && PLAYING.has(seat.role);

/**
 * Returns whether a seat is of a referee, who sees what others do not see (T74).
 * @param {{role: string, left?: number}|null|undefined} seat
 */
export const isReferee = (seat) => !!seat && !seat.left && seat.role === 'referee';

/**
 * Returns whether a seat is of somebody who may do what hosts may: of a host or a co-host.
 * @param {{role: string}|null|undefined} seat
 */
export const isHosting = (seat) => !!seat && HOSTING.has(seat.role);
