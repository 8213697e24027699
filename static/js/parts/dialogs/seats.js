// The panel of people: names, roles, and who is here, away or has just lost the connection. For
// hosts it has those who have left, too: what is kept of them can be erased (T80).

import { msg } from './msg.js';
import { el, setAttr, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { askHowToLeave } from './leaving.js';
import { mayErase, openPerson, roleText } from './person.js';
import { freePlaces, markOf } from './placing.js';
import { linkNote, openSeatLink } from './seatlink.js';
import { hosts, plays } from '../../rights.js';
import { isPlayer } from '../../roles.js';
import { isMuted } from '../../bars/muted.js';
import { otherSide, sideOf } from '../../view/sides.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../../types.js').Presence} Presence */
/**
 * How the bar draws people, which the panel does too (parts/controls/people.js).
 * @typedef {import('../controls/people.js').Drawing} Drawing
 */

/**
 * Fills the panel. draw() shows the seats.
 * @param {State} s
 * @param {{
 *   invite: () => void, profile: () => void, swap: () => void, sit: () => void, close: () => void,
 *   place: (side: number) => void, edit: () => void, endEdit: () => void
 * }} doors
 * @param {Drawing} drawing
 */
export function fillPeople(s, doors, drawing) {
  const { people } = s.page;
  const list = el('ul', { class: 'seats' });
  const leftList = el('ul', { class: 'seats' });
  const places = el('ul', { class: 'seats', 'aria-label': msg('dialogs.people.places') });
  const leftTitle = el('summary');
  const leftPart = el('details', { class: 'seats-left', hidden: true }, leftTitle, leftList);
  const close = el(
    'button',
    {
      class: 'plain', 'aria-label': msg('dialogs.people.close'),
      onclick: doors.close,
    },
    icon('close'),
  );
  const swap = el(
    'button', { class: 'secondary', onclick: doors.swap }, icon('swap'), msg('core.view.swap'),
  );
  const next = el(
    'button', { class: 'primary next-turn', onclick: () => s.parts.abilities?.passTurn(s) },
    icon('turnOf'), msg('dialogs.people.next'),
  );
  const call = el(
    'a',
    {
      class: 'secondary', target: '_blank', rel: 'noopener noreferrer', hidden: true,
      title: msg('dialogs.people.callTitle'),
    },
    icon('call'),
    msg('dialogs.people.call'),
  );
  const sit = el(
    'button', { class: 'primary', hidden: true, onclick: doors.sit }, icon('people'),
    msg('dialogs.sit.go'),
  );
  const edit = el('button', { class: 'secondary', 'data-part': 'edit', onclick: doors.edit },
    icon('edit'), msg('dialogs.people.editGame'));
  const endEdit = el('button', { class: 'secondary', 'data-part': 'edit', onclick: doors.endEdit },
    icon('edit'), msg('dialogs.people.endEdit'));
  people.append(
    el('div', { class: 'panel-head' }, el('h2', {}, msg('core.people.title')), close),
    el('div', { class: 'seat-lists' }, list, places, leftPart),
    sit,
    next,
    swap,
    edit,
    endEdit,
    call,
    el(
      'button', { class: 'primary', onclick: doors.invite }, icon('invite'),
      msg('dialogs.people.invite'),
    ),
    el(
      'a',
      {
        class: 'secondary', href: `/t/${s.table}/fairness`, target: '_blank', rel: 'noopener',
        title: msg('dialogs.people.fairTitle'),
      },
      icon('scales'),
      msg('dialogs.people.fair'),
    ),
    el('button', {
      class: 'secondary', 'aria-haspopup': 'dialog',
      onclick: () => askHowToLeave(s),
    }, icon('leave'), msg('dialogs.leaving.leave')),
  );
  const make = (/** @type {Seat} */ seat) => row(s, seat, doors, drawing);
  const { keyed } = drawing;
  const rows = keyed(list, make);
  const leftRows = keyed(leftList, make);
  /** Who else has left. @type {Seat[]} */
  let others = [];
  // A table may have hundreds of them: they are drawn when somebody wants to see them.
  const drawLeft = () => leftRows(leftPart.open ? others : [], new Set());
  leftPart.addEventListener('toggle', drawLeft);
  /** @type {(seats: Seat[], left: Seat[], toMove: Set<number>) => void} */
  const draw = (seats, left, toMove) => {
    swap.hidden = otherSide(s) === 0;
    drawPlaces(s, places, doors.place);
    next.hidden = (s.parts.abilities?.turnsToPass(s).length ?? 0) === 0;
    const own = s.sync.seats.get(s.sync.you);
    edit.hidden = !hosts(s) && !own?.editsBy;
    endEdit.hidden = !own?.editsBy;
    sit.hidden = own?.role !== 'spectator' || !own.played;
    const address = s.parts.settings?.voiceOf(s) ?? '';
    call.hidden = address === '';
    setAttr(call, 'href', address || null);
    // It is shown for ever who has seen the hands of all (T74).
    rows([...seats, ...left.filter(wasReferee)], toMove);
    others = hosts(s) ? left.filter((seat) => !wasReferee(seat) && !seat.erased) : [];
    setText(leftTitle, msg('dialogs.people.left', { n: others.length }));
    leftPart.hidden = others.length === 0;
    drawLeft();
  };
  return { draw, close };
}

/**
 * Draws the places of the game that nobody has (T90), each with a button to sit there.
 * @param {State} s
 * @param {HTMLElement} places
 * @param {(side: number) => void} take
 */
function drawPlaces(s, places, take) {
  const wanted = plays(s) ? freePlaces(s) : [];
  places.hidden = wanted.length === 0;
  const key = wanted.map(({ n }) => n).join(' ');
  if (places.dataset.free === key) return;
  places.dataset.free = key;
  places.replaceChildren(...wanted.map(({ side, n }) => el(
    'li', { class: 'seat' },
    el(
      'span', { class: 'seat-text' },
      el('span', { class: 'seat-nick' }, markOf(side), side.name),
      el('span', { class: 'seat-role' }, msg('dialogs.people.free')),
    ),
    el('button', {
      class: 'secondary', onclick: () => take(n),
      'aria-label': msg('dialogs.people.sitAt', { place: side.name }),
    }, msg('dialogs.people.sit')),
  )));
}

/** Returns whether a seat that has left was a referee's. @param {Seat} seat */
const wasReferee = (seat) => seat.role === 'referee';

/**
 * @param {State} s
 * @param {Seat & {pronoun?: string, unsent?: boolean, wins?: number}} seat
 * @param {{profile: () => void}} doors
 * @param {Drawing} drawing
 */
function row(s, seat, doors, { disc, pictures }) {
  const you = seat.id === s.sync.you;
  const role = roleText(seat);
  const round = disc(seat);
  const state = el('span', { class: 'seat-state' });
  const turn = el(
    'span', { class: 'seat-turn', hidden: true }, icon('turnOf'), msg('dialogs.people.turn'),
  );
  const root = el(
    'li',
    { class: 'seat', 'data-seat': seat.id },
    round.root,
    el(
      'span',
      { class: 'seat-text' },
      el(
        'span', { class: 'seat-nick' }, seat.nick,
        seat.pronoun ? el('span', { class: 'seat-pronoun' }, seat.pronoun) : null,
        you && el('span', { class: 'seat-you' }, msg('dialogs.people.you')), turn,
      ),
      el(
        'span', { class: 'seat-role' }, seat.role === 'host' && icon('crown'),
        seat.role === 'co-host' && icon('helper'),
        seat.role === 'spectator' && icon('eye'), seat.role === 'referee' && icon('whistle'),
        role, ...sideText(s, seat),
      ),
      seat.editsBy && !seat.left ? el(
        'span', { class: 'seat-role' }, icon('edit'), msg('dialogs.people.edits'),
      ) : null,
      seat.wins ? el(
        'span', { class: 'seat-role' }, icon('cup'), msg('dialogs.people.wins', { n: seat.wins }),
      ) : null,
      seat.unsent === true && el('span', { class: 'seat-unsent' }, msg('dialogs.people.unsent')),
    ),
    !you && isMuted(s, seat.id) && el(
      'span', { class: 'seat-muted', title: msg('dialogs.people.muted') }, icon('mute'),
      el('span', { class: 'unseen' }, msg('dialogs.people.muted')),
    ),
    state,
    you && isPlayer(seat) && editProfile(doors.profile),
    you ? linkTo(s, seat) : (!seat.left || mayErase(s, seat)) && moreAbout(s, seat),
    seat.linkAt ? el('span', { class: 'seat-note' }, linkNote(s, seat)) : null,
  );
  const show = (/** @type {Presence} */ presence, /** @type {boolean} */ toMove) => {
    turn.hidden = !toMove;
    round.show(presence, false);
    if (root.dataset.presence === presence) return;
    root.dataset.presence = presence;
    state.replaceChildren(icon(pictures[presence]), msg(`dialogs.people.presence.${presence}`));
  };
  return { root, show };
}

/** Names the side of a seat (T61), with its colour. @param {State} s @param {Seat} seat */
function sideText(s, seat) {
  const side = sideOf(s, seat);
  if (!side) return [];
  return [' · ', markOf(side), side.name];
}

/** Makes the button that opens the person's own profile. @param {() => void} open */
function editProfile(open) {
  const label = msg('dialogs.people.edit');
  return el('button', {
    class: 'plain seat-edit', 'data-part': 'profiles', 'aria-label': label,
    title: label, onclick: open,
  }, icon('edit'));
}

/** Makes the button for a link to the person's own seat. @param {State} s @param {Seat} seat */
function linkTo(s, seat) {
  const label = msg('dialogs.seatlink.ownDoor');
  return el('button', {
    class: 'plain seat-edit', 'aria-haspopup': 'dialog', 'aria-label': label,
    title: label, onclick: () => openSeatLink(s, seat),
  }, icon('device'));
}

/**
 * Makes the button that opens what can be done about somebody else.
 * @param {State} s
 * @param {Seat} seat
 */
function moreAbout(s, seat) {
  const label = msg('dialogs.roles.door', { nick: seat.nick });
  return el('button', {
    class: 'plain seat-edit', 'aria-haspopup': 'dialog', 'aria-label': label,
    title: label, onclick: () => openPerson(s, seat),
  }, icon('more'));
}
