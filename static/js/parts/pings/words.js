// The words for places that people show each other (see strings.js).

export const pingwords = {
  by: (/** @type {string} */ nick, /** @type {string} */ what) => `${nick} shows ${what}.`,
  byYou: (/** @type {string} */ what) => `You show ${what} to everybody.`,
  piece: (/** @type {string} */ name, /** @type {string} */ place) => `${name}, ${place}`,
  place: (/** @type {string} */ place) => `a place ${place}`,
  aiming: 'Press the place that everybody is to look at. Escape gives it up.',
  offline: 'There is no connection: nobody would see it.',
  go: (/** @type {string} */ nick) => `Go where ${nick} shows something`,
};
