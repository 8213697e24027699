/**
 * The operations that a client knows: which arguments each of them takes (T24), and how it is sent. No DOM, no state.
 *
 * @module
 */

/** @typedef {import('../types.js').Args} Args */
/** @typedef {keyof Args} Arg */

/**
 * @typedef {object} Shape
 * @property {Arg[]} needs
 * @property {Arg[]} may
 * @property {'tagged' | 'made' | 'blind'} sent `tagged`: with the mark of the piece, and shown at once (T9). `made`: not to be
 *   shown before the server has done it. `blind`: without a mark (T28).
 */

/** @param {Arg[]} needs @param {Arg[]} [may] @returns {Shape} */
const tagged = (needs = [], may = []) => ({ needs, may, sent: 'tagged' });

/** @param {Arg[]} needs @param {Arg[]} [may] @returns {Shape} */
const made = (needs = [], may = []) => ({ needs, may, sent: 'made' });

/** @param {Arg[]} needs @param {Arg[]} [may] @returns {Shape} */
const blind = (needs = [], may = []) => ({ needs, may, sent: 'blind' });

/** @type {Record<string, Shape>} */
const SHAPES = {
  grab: tagged([], ['z']),
  wrest: tagged([], ['z']),
  release: tagged([], ['x', 'y', 'angle', 'z']),
  move: tagged(['x', 'y'], ['z']),
  rotate: tagged(['angle']),
  flip: tagged(['face']),
  raise: tagged([], ['z']),
  lower: tagged([], ['z']),
  setz: tagged(['z']),
  pin: tagged(),
  unpin: tagged(),
  lock: tagged(),
  unlock: tagged(),
  start: tagged([], ['side']),
  pause: tagged(),
  press: tagged(['side']),
  set: tagged(['ms'], ['increment']),
  reset: tagged(),
  stow: tagged(['into'], ['at']),
  write: tagged(['text']),
  assign: tagged(['seat']),

  copy: made(['x', 'y'], ['z']),
  delete: made(),
  add: made(['kind', 'x', 'y'], ['z', 'angle', 'face']),
  shuffle: made(['pieces']),
  place: made(['set', 'x', 'y']),

  claim: blind(),
  leave: blind(),
  give: blind(['seat']),
  share: blind(['seat']),
  unshare: blind(['seat']),
  draw: blind([], ['n', 'at', 'kind', 'x', 'y', 'z', 'face', 'hold']),
  deal: blind([], ['n']),
  recall: blind(),
  cut: blind([], ['n']),
  peek: blind([], ['n']),
  show: blind(['seat']),
  roll: blind(),
  count: blind(['n']),
  split: blind(['n', 'x', 'y'], ['z', 'hold']),
  pass: blind(),
};

/** The shuffle of a container (T31) is another one than that of a list. */
const SHUFFLE = blind();

/**
 * How an operation is sent; empty if this client does not know it.
 *
 * @param {string} op
 * @returns {Shape['sent'] | ''}
 */
export function sentAs(op) {
  return Object.hasOwn(SHAPES, op) ? SHAPES[op].sent : '';
}

/**
 * The arguments of an operation, and nothing else: what is undefined is left out.
 *
 * @param {string} op
 * @param {Args} args
 * @param {Shape['sent']} sent how it is sent. What is sent blind may be an operation of which nothing is known (T36): then the
 *   arguments are what they are.
 * @returns {Args}
 * @throws {RangeError} if there is no such operation, or it lacks an argument or does not take one
 */
export function argsOf(op, args, sent) {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => /** @type {Arg} */ (name));
  const { needs, may } = shapeOf(op, sent) ?? blind([], names);
  for (const name of needs) {
    if (!names.includes(name)) throw new RangeError(`${op} lacks ${name}`);
  }
  for (const name of names) {
    if (!needs.includes(name) && !may.includes(name)) throw new RangeError(`${op} takes no ${name}`);
  }
  if (names.includes('x') !== names.includes('y')) throw new RangeError(`${op} lacks x or y`);
  return Object.fromEntries(given);
}

/**
 * @param {string} op
 * @param {Shape['sent']} sent
 * @returns {Shape | null} null: nothing is known of it
 */
function shapeOf(op, sent) {
  if (op === 'shuffle' && sent === 'blind') return SHUFFLE;
  if (!Object.hasOwn(SHAPES, op)) {
    if (sent === 'blind') return null;
    throw new RangeError(`no operation ${op}`);
  }
  const shape = SHAPES[op];
  if (shape.sent !== sent) throw new RangeError(`${op} is not ${sent}`);
  return shape;
}
