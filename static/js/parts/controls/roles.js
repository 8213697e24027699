// Says that somebody has another role (T66) or another side (T61), or edits the game (T99).

import { firstMessage } from '../../messages.js';
import { msg } from './msg.js';
import { nickOf } from '../../view/names.js';
import { sideOf, turnFor } from '../../view/sides.js';
import { turnViewTo } from '../../view/zoom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Somebody has another role now (T66).
 * @param {State} s
 * @param {import('../../types.js').Seat} seat
 * @param {Voice} voice
 */
export function tellRole(s, seat, voice) {
  const text = seat.id === s.sync.you
    ? firstMessage([`controls.roles.you.${seat.role}`])
    : firstMessage([`controls.roles.is.${seat.role}`], { who: seat.nick });
  // a host who hands over becomes a player with it: who is the host now counts
  if (text && seat.role === 'player' && seat.id !== s.sync.you) voice.whisper(text);
  else if (text) voice.notice(text);
}

/**
 * Somebody has another side now (T61). This person's table turns with theirs.
 * @param {State} s
 * @param {import('../../types.js').Seat} seat
 * @param {Voice} voice
 */
export function tellSide(s, seat, voice) {
  const side = sideOf(s, seat);
  if (!side) return;
  if (seat.id !== s.sync.you) {
    voice.whisper(msg('controls.sides.has', { who: seat.nick, side: side.name }));
    return;
  }
  turnViewTo(s, turnFor(side.angle));
  voice.notice(seat.placedBy
    ? msg('controls.sides.given', { by: nickOf(s, seat.placedBy), side: side.name })
    : msg('controls.sides.yours', { side: side.name }));
}

/**
 * Somebody edits the game now, or does not any more (T99).
 * @param {State} s
 * @param {import('../../types.js').Seat} seat
 * @param {Voice} voice
 */
export function tellEditor(s, { id, nick, editsBy }, voice) {
  if (id !== s.sync.you)
    voice.notice(msg(editsBy ? 'controls.edits.is' : 'controls.edits.isNot', { who: nick }));
  else if (!editsBy) voice.notice(msg('controls.edits.ended'));
  else if (editsBy !== id) voice.notice(msg('controls.edits.given', { by: nickOf(s, editsBy) }));
}

/**
 * Says once that somebody else had the place for which this person has asked (T98).
 * @param {State} s
 * @param {Voice} voice
 */
export function tellMissed(s, voice) {
  const { dataset } = s.page.main;
  const wanted = s.catalog.sides[Number(dataset.missed) - 1];
  delete dataset.missed;
  if (!wanted) return;
  const side = sideOf(s, s.sync.seats.get(s.sync.you));
  voice.notice(side
    ? msg('controls.sides.missed', { wanted: wanted.name, side: side.name })
    : msg('controls.sides.missedAll', { wanted: wanted.name }));
}
