/**
 * The names of enumerators, as server/proto/holt.proto numbers them.
 *
 * @module
 */

/** Two more roles are reserved. A client treats them as those that it knows (S20). */
export const ROLES = { 1: 'host', 2: 'player', 3: 'spectator', 4: 'player', 5: 'spectator' };

/** Why an update was rejected (T14). */
export const REASONS = {
  1: 'held',
  2: 'pinned',
  3: 'locked',
  4: 'off-table',
  5: 'gone',
  6: 'hidden',
  7: 'table-full',
  8: 'stale-loose',
  9: 'not-held',
  10: 'not-allowed',
  11: 'forgotten',
  12: 'clock',
  13: 'owned',
  14: 'not-empty',
  15: 'empty',
  16: 'range',
  17: 'cooling',
  18: 'scattered',
  19: 'away',
  20: 'log-full',
  21: 'too-much',
};

/** Why the owner of a set is unreachable (T39). */
export const ABSENCES = { 0: '', 1: 'creator', 2: 'owner', 3: 'frozen', 4: 'stranger', 5: 'lost' };

/** Whether somebody is at the table (S11). */
export const PRESENCES = { 0: 'gone', 1: 'here', 2: 'away', 3: 'lost' };

/** Operations (T24), and updates of the server's own. */
export const OPS = {
  1: 'grab',
  2: 'wrest',
  3: 'release',
  4: 'move',
  5: 'rotate',
  6: 'flip',
  7: 'raise',
  8: 'lower',
  9: 'setz',
  10: 'pin',
  11: 'unpin',
  12: 'lock',
  13: 'unlock',
  14: 'copy',
  15: 'delete',
  16: 'add',
  17: 'shuffle',
  18: 'start',
  19: 'pause',
  20: 'press',
  21: 'set',
  22: 'reset',
  32: 'reveal',
  33: 'respread',
  34: 'settle',
  35: 'claim',
  37: 'renew',
  38: 'merge',
  40: 'draw',
  41: 'deal',
  42: 'recall',
  43: 'cut',
  44: 'peek',
  45: 'stow',
  46: 'show',
  47: 'leave',
  48: 'give',
  49: 'share',
  50: 'unshare',
  51: 'roll',
  52: 'count',
  53: 'split',
  54: 'write',
  55: 'assign',
  56: 'pass',
  57: 'take',
  58: 'place',
};
