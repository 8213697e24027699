// What buttons and keys open: help, the box, the settings of the table, the invitation, the log.

import { use } from '../../parts.js';

/**
 * Returns the functions that open it.
 * @param {import('../../state.js').State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export function openers(s, voice) {
  return {
    help: () => use(s, voice, 'dialogs', (dialogs) => dialogs.openHelp(s)),
    box: () => use(s, voice, 'dialogs', (dialogs) =>
      dialogs.openBox(s, () => use(s, voice, 'edit', (part) => void part.start(s, voice)))),
    table: () => use(s, voice, 'settings', (settings) => settings.openTable(s, voice)),
    log: () => use(s, voice, 'log', (log) => log.toggle(s, voice)),
    invite: () => use(s, voice, 'dialogs', (dialogs) => void dialogs.openInvite(s)),
  };
}
