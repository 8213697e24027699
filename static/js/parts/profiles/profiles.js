// The part of the page for profiles (docs/protocol/component.md, C14): beside names and colours,
// the list of people shows pronouns, and who is away. It is loaded with the first profile, or when
// somebody edits theirs.

import { askProfile } from './dialog.js';
import { msg } from './msg.js';
import { sharedOf, use } from '../../parts.js';
import { called, nickIn } from '../../bars/names.js';
import { redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../components/registry.js').Profile} Profile */

/**
 * Follows the profiles.
 * @param {State} s
 * @param {Voice} voice
 * @param {import('../../parts.js').Part<'components'>} shared
 * @returns {() => void} stops
 */
export function bind(s, voice, { replica, entities }) {
  /** The seats whose people have said that they are away. */
  let gone = saidAway(s);
  return replica.listen((changes) => {
    if (![...changes.keys()].some((entity) => entities.classOf(entity) === 'seat')) return;
    const now = saidAway(s);
    for (const { id, nick } of s.sync.seats.values()) {
      if (id !== s.sync.you && now.has(id) !== gone.has(id))
        voice.whisper(
          now.has(id) ? msg('profiles.wentAway', { nick }) : msg('profiles.cameBack', { nick }),
        );
    }
    gone = now;
    redrawBars(s);
  });
}

/** Returns the seats whose people have said that they are away. @param {State} s */
function saidAway(s) {
  return new Set([...s.sync.seats.keys()].filter((id) => profileOf(s, id)?.away));
}

/**
 * Returns the profile of a seat; null if it has none.
 * @param {State} s
 * @param {number} seat
 * @returns {Profile|null}
 */
function profileOf(s, seat) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  return replica.get(entities.entityOfSeat(seat), COMPONENTS.profile);
}

/** Returns how many games somebody has won (T77). @param {State} s @param {number} seat */
export function winsOf(s, seat) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  return replica.get(entities.entityOfSeat(seat), COMPONENTS.wins)?.games ?? 0;
}

/**
 * Sets how many games somebody has won.
 * @param {State} s
 * @param {number} seat
 * @param {number} games
 */
export function setWins(s, seat, games) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  replica.put(entities.entityOfSeat(seat), COMPONENTS.wins, { games });
}

/** Reports whether a count that this page has set has not reached the server yet.
 * @param {State} s @param {number} seat */
export function areWinsPending(s, seat) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  return replica.pending(entities.entityOfSeat(seat), COMPONENTS.wins);
}

/**
 * Returns a seat as the list of people shows it: with its pronoun, the games that its person has
 * won, and away if they have said so. A person's own change shows at once.
 * @param {State} s
 * @param {Seat} seat
 * @returns {Seat & {pronoun?: string, unsent?: boolean, wins?: number}}
 */
export function appearing(s, seat) {
  const profile = profileOf(s, seat.id);
  const wins = winsOf(s, seat.id);
  if (!profile) return { ...seat, wins };
  const { colour, pronoun, away } = profile;
  const { nick } = called({ ...seat, nick: nickIn(profile.nick) });
  const unsent = seat.id === s.sync.you && s.net.status.state !== 'online' && isPending(s);
  return {
    ...seat,
    nick,
    colour,
    pronoun,
    unsent,
    wins,
    presence: away && seat.presence === 'here' ? 'away' : seat.presence,
  };
}

/** @param {State} s */
function isPending(s) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  return replica.pending(entities.entityOfSeat(s.sync.you), COMPONENTS.profile);
}

/**
 * Opens the dialog in which this person changes their profile.
 * @param {State} s
 * @param {Voice} voice
 */
export function openProfile(s, voice) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  const seat = s.sync.seats.get(s.sync.you);
  if (!seat) return;
  const { nick, colour } = seat;
  const now = profileOf(s, seat.id) ?? {
    nick: nickIn(nick, seat.number),
    colour,
    pronoun: '',
    away: false,
  };
  const save = (/** @type {Profile} */ profile) => {
    replica.put(entities.entityOfSeat(seat.id), COMPONENTS.profile, profile);
    if (profile.away !== now.away)
      voice.notice(profile.away ? msg('profiles.youAway') : msg('profiles.youBack'));
  };
  use(s, voice, 'dialogs', (dialogs) => askProfile(s, now, dialogs, save));
}
