// A button of the table as a game file has it, so that it can be sent again with other sentences.

/** @typedef {import('../../../view/catalog.js').Kind} Kind */

/**
 * Returns a kind as a game file has it. Such a kind refers to no others but by what it does.
 * @param {Kind} kind as its game has it
 * @param {object} button what it does now
 */
export function kindOfButton(kind, button) {
  const { offers: _, faces, ...rest } = kind;
  return {
    ...rest,
    button,
    faces: faces.map(({ name, art, layers }) => (layers ? { name, layers } : { name, art })),
  };
}

/** Returns the hashes of the pictures of a kind. @param {Kind} kind */
export const picturesOf = ({ faces }) => new Set(faces.flatMap(({ art, layers }) =>
  (layers ? layers.flatMap((layer) => layer.art || []) : art)));

/**
 * Fetches pictures, by their hashes.
 * @param {string} base the address of the folder of art
 * @param {Iterable<string>} hashes
 * @returns {Promise<Map<string, Uint8Array>>}
 */
export async function fetchPictures(base, hashes) {
  const all = await Promise.all([...hashes].map(async (hash) => {
    const answer = await fetch(base + hash);
    if (!answer.ok) throw new Error(`picture: status ${answer.status}`);
    return /** @type {const} */ ([hash, new Uint8Array(await answer.arrayBuffer())]);
  }));
  return new Map(all);
}
