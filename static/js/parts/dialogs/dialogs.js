// The part of the page for what is opened and closed: dialogs, the menu of a piece, the editor of
// notes, and the panel of people.

import { addIcons } from '../../view/icons.js';

export { askFor } from './asking.js';
export { addPiece, kindEntries, openBox } from './box.js';
export { confirm } from './confirm.js';
export { openDeal } from './deal.js';
export { openDialog } from './dialog.js';
export { openEditor } from './editor.js';
export { openHelp } from './help.js';
export { openInvite } from './invite.js';
export { openMenu, openMenuAt } from './menulist.js';
export { askQuestions } from './questions.js';
export { rulesButton } from './rules.js';
export { showProposal, sitDown } from './referee.js';
export { fillPeople } from './seats.js';
export { announceLink } from './seatlink.js';
export { openSetClock } from './setclock.js';
export { openSplit } from './split.js';
export { showVacancy } from './vacancy.js';

addIcons({
  cup: 'M7 4h10v5a5 5 0 0 1-10 0zM7 6H4a3 3 0 0 0 3 4M17 6h3a3 3 0 0 1-3 4M12 14v4M8.5 20h7',
  crown: 'M4 8l4 4 4-7 4 7 4-4-1.5 10h-13z',
  scales:
    'M12 4v16M8 20h8M5 7h14M5 7l-2.8 6.5a2.9 2.9 0 0 0 5.6 0z' +
    'M19 7l-2.8 6.5a2.9 2.9 0 0 0 5.6 0zM12 4v3',
  edit: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  device: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  call:
    'M5 4h4l1.5 5-2.5 1.5a11 11 0 0 0 5 5L14.5 13l5 1.5v4' +
    'a1.5 1.5 0 0 1-1.7 1.5A16 16 0 0 1 3.5 5.7 1.5 1.5 0 0 1 5 4z',
  helper:
    'M12 4a3.8 3.8 0 1 1 0 7.6A3.8 3.8 0 0 1 12 4z' +
    'M4.5 20.5c.6-4 3.4-6.2 7.5-6.2M15 18h6M18 15v6',
  whistle:
    'M3 8h12l5-3v4l-3.5 1.5M16.6 11.2A5.7 5.7 0 1 1 6 13.4L3 12z' +
    'M11 11.6a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2z',
  mute: 'M4 5h16v11h-8l-5 4v-4H4zM9 8.5l6 4M15 8.5l-6 4',
  speaks: 'M4 5h16v11h-8l-5 4v-4H4zM8 9h8M8 12h5',
  turnOf: 'M7 5l11 7-11 7z',
  rules: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14',
  higher: 'M6 14l6-6 6 6',
  renew: 'M19 12a7 7 0 1 1-2-5M19 4v4h-4',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M6 11v9h12v-9',
});

/** Does nothing: the part has no events to listen to. @returns {() => void} */
export function bind() {
  return () => {};
}
