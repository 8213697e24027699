// The words of the dialogs in which somebody leaves, or is asked to leave.

export const leavingwords = {
  close: 'Close',
  failed: 'That did not work. Try again in a moment.',

  // Asking somebody to leave.
  door: (/** @type {string} */ nick) => `Ask ${nick} to leave`,
  title: (/** @type {string} */ nick) => `Ask ${nick} to leave?`,
  about: 'They leave the table at once. The invite links change, so the old ones do not lead back.',
  theirs: 'What happens to their cards?',
  whom: 'Who gets the cards',
  keep: (/** @type {string} */ nick) => `Keep ${nick}`,
  go: (/** @type {string} */ nick) => `Ask ${nick} to leave`,
  renewed: (/** @type {string} */ nick) =>
    `${nick} has left the table. The old links do not work any more. These are the new ones:`,

  /** What may happen to cards. @type {Record<string, string>} */
  ways: {
    back: 'They go back to their deck',
    stay: 'They stay on the table, hidden, until a host gives them to somebody',
    give: 'They go to',
  },

  // Leaving one's own seat.
  leave: 'Leave this table',
  leaveTitle: 'Leave this table?',
  forGood: 'Leave for good',
  forGoodAbout: 'Your seat ends. To come back you need an invite link, and you sit down anew. Take your own pieces off the table first.',
  forGoodGo: 'Leave for good',
  yours: 'What happens to your cards?',
  onlyHost: 'You are the only host, so you cannot leave for good. You can throw the table away in its settings.',
  logOut: 'Log out here',
  logOutAbout: 'This browser forgets the table. Your seat and your cards stay, but nobody can play them. To come back you need an invite link, and you sit down anew.',
  logOutAlone: 'This browser forgets the table, and nobody can look after it any more: the table is left without a host.',
  logOutGo: 'Log out of this browser',
};
