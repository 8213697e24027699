// The part of the page for how people appear (docs/protocol/component.md, C14): the pronoun that they have chosen, and whether they have
// said that they are away, with name and colour in the list of people. It comes with the first profile, or when somebody makes theirs.

import { askProfile } from './profile.js';
import { profilewords as t } from './profilewords.js';
import { use } from './parts.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./say.js').Voice} Voice */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./components.js').Profile} Profile */

/** Begins to follow the replica, when that is here. */
let follow = () => {};

/**
 * @param {State} s @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  let unfollow = () => {};
  /** Who has said that they are away. @type {Set<number>} */
  let gone = new Set();
  follow = () => {
    const { shared } = s.parts;
    if (!shared) return;
    follow = () => {};
    gone = saidAway(s);
    unfollow = shared.replica.listen((changes) => {
      if (![...changes.keys()].some((entity) => shared.entities.classOf(entity) === 'seat')) return;
      const now = saidAway(s);
      for (const { id, nick } of s.sync.seats.values()) {
        if (id !== s.sync.you && now.has(id) !== gone.has(id)) voice.whisper(now.has(id) ? t.wentAway(nick) : t.cameBack(nick));
      }
      gone = now;
      s.dirtyBars = true;
      s.redraw();
    });
  };
  follow();
  s.dirtyBars = true;
  s.redraw();
  return () => unfollow();
}

/** Who has said that they are away. @param {State} s */
function saidAway(s) {
  return new Set([...s.sync.seats.keys()].filter((id) => profileOf(s, id)?.away));
}

/**
 * The profile of a seat; null if it has none.
 * @param {State} s @param {number} seat
 * @returns {Profile|null}
 */
function profileOf(s, seat) {
  const { shared } = s.parts;
  return shared ? shared.replica.get(shared.entities.entityOfSeat(seat), shared.COMPONENTS.profile) : null;
}

/**
 * A seat as it appears in the list of people: with its pronoun, and away if it says so. What one has changed oneself is seen at once.
 * @param {State} s @param {Seat} seat
 * @returns {Seat & {pronoun?: string, unsent?: boolean}}
 */
export function appearing(s, seat) {
  const profile = profileOf(s, seat.id);
  if (!profile) return seat;
  const { nick, colour, pronoun, away } = profile;
  const unsent = seat.id === s.sync.you && s.link.state !== 'online' && isPending(s);
  return { ...seat, nick, colour, pronoun, unsent, presence: away && seat.presence === 'here' ? 'away' : seat.presence };
}

/** @param {State} s */
function isPending({ sync, parts: { shared } }) {
  return shared?.replica.pending(shared.entities.entityOfSeat(sync.you), shared.COMPONENTS.profile) === true;
}

/** Lets this person change how they appear. @param {State} s @param {Voice} voice */
export function openProfile(s, voice) {
  use(s, voice, 'shared', (shared) => {
    follow();
    const seat = s.sync.seats.get(s.sync.you);
    if (!seat) return;
    const { nick, colour } = seat;
    const now = profileOf(s, seat.id) ?? { nick, colour, pronoun: '', away: false };
    const save = (/** @type {Profile} */ profile) => {
      shared.replica.put(shared.entities.entityOfSeat(seat.id), shared.COMPONENTS.profile, profile);
      if (profile.away !== now.away) voice.notice(profile.away ? t.youAway : t.youBack);
    };
    use(s, voice, 'dialogs', (dialogs) => askProfile(s, now, dialogs, save));
  });
}
