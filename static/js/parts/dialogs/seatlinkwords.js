// The words for links that move a seat to another device.

export const seatlinkwords = {
  close: 'Close',
  ownDoor: 'Play on another device',
  door: (/** @type {string} */ nick) => `Link back to the seat of ${nick}`,
  ownTitle: 'Play on another device',
  title: (/** @type {string} */ nick) => `A link back for ${nick}`,
  ownAbout: 'Make a link and open it on the other device. Your seat moves there, with your name and your cards, and this device is logged out.',
  ownCare: 'It works once, within 15 minutes. Keep it to yourself: whoever opens it has your seat.',
  about: (/** @type {string} */ nick) => `Did ${nick} lose a device, or log out? Make a link and send it to ${nick}. It opens the same seat, with its name and its cards, and the old device is logged out.`,
  care: (/** @type {string} */ nick) => `It works once, within 15 minutes. Whoever opens it sees the cards of ${nick}. So everybody at the table is told that you made it, and when it is used.`,
  make: 'Make the link',
  label: 'The link',
  until: (/** @type {string} */ time) => `It works until ${time}. It is not shown again.`,
  share: (/** @type {string} */ title) => `Your seat at ${title}`,
  often: 'You made many links. Wait a minute, then try again.',
  failed: 'That did not work. Try again in a moment.',

  // Announced to everybody.
  you: 'you',
  youHost: 'You',
  operator: 'The operator of this server',
  theOperator: 'the operator of this server',
  made: (/** @type {string} */ host, /** @type {string} */ nick) =>
    `${host} made a link for the seat of ${nick}. Whoever opens it sees the cards there.`,
  madeForYou: (/** @type {string} */ host) =>
    `${host} made a link for your seat. Whoever opens it has your seat and sees your cards.`,
  used: (/** @type {string} */ host, /** @type {string} */ nick) =>
    `The seat of ${nick} is on another device now, by the link that ${host} made.`,
  note: (/** @type {string} */ host, /** @type {string} */ time, /** @type {string} */ used) =>
    `${host} made a link for this seat at ${time}${used ? `, used at ${used}` : ''}.`,
};
