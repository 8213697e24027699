// Kinds of the table as they stand in a game file, and how they change (T104): another name, size,
// look, and what only some kinds have. No DOM.

import { faceOf, inkOn, wellFormed } from './kinds.js';

/** @typedef {import('./kinds.js').Look} Look */
/**
 * A kind as it stands in a game file: with the names of other kinds, and the hashes of pictures.
 * @typedef {any} FileKind
 */

/**
 * Returns a kind of a catalogue as it stands in a game file.
 * @param {any[]} kinds of the catalogue, in the language of its game
 * @param {number} n
 * @returns {FileKind}
 */
export function fileKind(kinds, n) {
  const { offers, unknown, secret, ...kind } = structuredClone(kinds[n]);
  if (secret) Object.assign(kind, { secret, mask: kinds[kind.mask].name });
  const takes = kind.container?.takes;
  if (takes !== undefined) kind.container.takes = kinds[takes].name;
  for (const face of kind.faces) if (face.layers) delete face.art;
  return kind;
}

/**
 * Returns the numbers of the kinds that change with one: the cards of a back.
 * @param {any[]} kinds
 * @param {number} n
 */
export function changesWith(kinds, n) {
  return [n, ...[...kinds.keys()].filter((i) => kinds[i].mask === n && !kinds[i].unknown)];
}

/**
 * Returns the numbers of the sides of a kind whose look can be changed: of a secret one those that
 * are not the sides of its back, which it shares with others.
 * @param {any[]} kinds
 * @param {number} n
 * @returns {number[]}
 */
export function ownSides(kinds, n) {
  const { faces, mask } = kinds[n];
  const backs = mask === undefined ? 0 : kinds[mask].faces.length;
  return [...faces.keys()].filter((i) => backs === 0 || i === 0 || i > backs);
}

/**
 * Returns a kind of another size: all that has a place on it keeps its place.
 * @param {FileKind} kind
 * @param {number} width in table units
 * @param {number} height
 */
export function resized(kind, width, height) {
  const [across, down] = [width / kind.width, height / kind.height];
  if (across === 1 && down === 1) return kind;
  const x = (/** @type {number} */ n) => Math.round(n * across);
  const y = (/** @type {number} */ n) => Math.round(n * down);
  const scaled = (/** @type {any} */ of) => ({
    ...of,
    ...(of.x !== undefined && { x: x(of.x), y: y(of.y) }),
    ...(of.width !== undefined && { width: Math.max(10, x(of.width)) }),
    ...(of.height !== undefined && { height: Math.max(10, y(of.height)) }),
    ...(of.size !== undefined && { size: Math.max(1, y(of.size)) }),
  });
  const { grid, snaps, display, clock, zone } = kind;
  return {
    ...kind, width, height,
    ...(grid && { grid: { ...scaled(grid), stepX: x(grid.stepX), stepY: y(grid.stepY) } }),
    ...(snaps && { snaps: { ...snaps, points: snaps.points.map(scaled) } }),
    ...(display && { display: scaled(display) }),
    ...(clock?.displays && { clock: { ...clock, displays: clock.displays.map(scaled) } }),
    ...(zone?.gap && { zone: {
      ...zone, gap: zone.lay === 'column' ? y(zone.gap) : x(zone.gap),
      ...(zone.down && { down: y(zone.down) }),
    } }),
    faces: kind.faces.map((/** @type {any} */ face) =>
      (face.layers ? { ...face, layers: face.layers.map(scaled) } : face)),
  };
}

/**
 * Returns the colour and the text of a side, as a form shows them.
 * @param {any} face
 * @returns {{colour: string, text: string, hasPicture: boolean}}
 */
export function lookOf({ art, layers = [] }) {
  const ground = layers.find((/** @type {any} */ l) => fills(l));
  const text = layers.find((/** @type {any} */ l) => l.text !== undefined);
  return {
    colour: /^#[0-9a-f]{6}$/.test(ground?.colour ?? '') ? ground.colour : '#8a8578',
    text: text?.text ?? '',
    hasPicture: art !== undefined || ground?.art !== undefined,
  };
}

/** Returns whether a layer is the ground of a side. @param {any} layer */
const fills = ({ width, text }) => width === undefined && text === undefined;

/**
 * Returns a side with another look. What lies on its ground, such as the plate under a number,
 * stays where it is.
 * @param {any} face
 * @param {{width: number, height: number, shape: string}} box
 * @param {Look} look
 */
export function withLook(face, box, look) {
  const { layers } = face;
  if (!layers || layers.every((/** @type {any} */ l) => fills(l) || l.text !== undefined)) {
    const text = layers?.find((/** @type {any} */ l) => l.text !== undefined);
    const made = faceOf(box, face.name, look);
    if (!text || !look.text || look.art) return made;
    const ink = { ...text, text: wellFormed(look.text), colour: inkOn(look.colour) };
    return { ...made, layers: [{ colour: look.colour }, ink] }; // where it stood
  }
  const ground = look.art ? { art: look.art, fit: 'cover' } : { colour: look.colour };
  const rest = layers.filter((/** @type {any} */ l) => !fills(l));
  return { name: face.name, layers: [ground, ...rest.flatMap((/** @type {any} */ l) => {
    if (l.text === undefined) return [l];
    if (look.art || !look.text) return [];
    return [{ ...l, text: wellFormed(look.text), colour: inkOn(look.colour) }];
  })] };
}

/**
 * Returns the kinds that a change sends, the first one in the place of the first number that
 * changesWith gives, and so on: a back with its cards, which show it.
 * @param {any[]} kinds
 * @param {number} n
 * @param {FileKind} to what the kind becomes
 * @returns {FileKind[]}
 */
export function changedKinds(kinds, n, to) {
  const [, ...cards] = changesWith(kinds, n);
  return [to, ...cards.map((i) => {
    const card = resized({ ...fileKind(kinds, i), mask: to.name }, to.width, to.height);
    const faces = card.faces.map((/** @type {any} */ face, /** @type {number} */ at) =>
      (at > 0 && at <= to.faces.length ? { ...to.faces[at - 1], name: face.name } : face));
    return { ...card, shape: to.shape, faces };
  })];
}

/** Returns the hashes of the pictures of kinds. @param {FileKind[]} kinds @returns {string[]} */
export function picturesIn(kinds) {
  const faces = kinds.flatMap((kind) => kind.faces);
  const all = faces.flatMap(({ art, layers = [] }) =>
    [art, ...layers.map((/** @type {any} */ l) => l.art)]);
  return [...new Set(all.filter(Boolean))];
}
