// The kinds of pieces on a table: names, sizes, art. A catalogue is immutable and named by its hash.

/**
 * @typedef {object} Face
 * @property {string} name
 * @property {string} art  SHA-256 in hex
 */

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} width   in table units
 * @property {number} height
 * @property {'rect'|'round'|'card'} shape
 * @property {'light'|'heavy'} weight
 * @property {boolean} secret
 * @property {boolean} [unknown] it stands for secret kinds of which it is not known which one it is (T38)
 * @property {number} [mask]  the kind shown in its place to those who may not see it
 * @property {boolean} [hand]
 * @property {import('../sync/clock.js').ClockKind} [clock] what clocks of the kind are like (T27)
 * @property {boolean} [private] not secret, yet hidden in a hand (T23)
 * @property {'players'|'host'} [peek] who may look at a secret piece that lies front down, or into a container (T31); missing: nobody
 * @property {boolean} [counted] of a hand or a container: false if it is not told how many lie in it (T29)
 * @property {{draws: 'top'|'random', takes?: number}} [container] T29; `takes` is the mask of the secret pieces that it takes, missing: it
 *   takes every light piece
 * @property {{cooldown: number}} [die] T32; in milliseconds
 * @property {{min: number, max: number, initial: number}} [counter] T33
 * @property {{initial: number}} [currency] T34
 * @property {{initial: string}} [text] of a note or a label (T35)
 * @property {'label'|'turn'} [seat] of a player label, or a turn marker (T35)
 * @property {Rect} [display] where the value, the text or the name is to be written
 * @property {Offer[]} [offers] the operations that make sense beside those that all pieces have, most used first (T36)
 * @property {Face[]} faces
 */

/**
 * A rectangle of the unturned piece, from its upper left corner, in table units.
 * @typedef {object} Rect
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/**
 * An operation that the pieces of a kind offer (T36).
 * @typedef {object} Offer
 * @property {string} op
 * @property {string} label
 * @property {string} [key] a letter
 * @property {Record<string, number>} [with] arguments that are always the same
 * @property {Ask[]} [asks] arguments that are to be asked for
 */

/**
 * An argument that is to be asked for. `text` is a text of up to `max` bytes, `seat` a seat that plays, `into` a container;
 * every other one is a number.
 * @typedef {object} Ask
 * @property {string} name
 * @property {string} label
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [initial]
 */

/**
 * @typedef {object} Catalog
 * @property {string} hash
 * @property {string} base     where art lies, with a slash at its end
 * @property {Kind[]} kinds
 * @property {Set<number>} masks kinds that stand for others
 * @property {Map<string, string>} album addresses of the pictures that have come with it, by their hashes
 * @property {Map<string, HTMLImageElement>} art kept alive, so that a flip finds its picture decoded
 * @property {Set<string>} solid addresses of pictures that fill their shape, so that its edge throws the shadow
 */

/** What is drawn for a kind that the catalogue does not have. @type {Kind} */
const UNKNOWN = {
  name: '',
  width: 400,
  height: 400,
  shape: 'rect',
  weight: 'light',
  secret: false,
  faces: [{ name: '', art: '' }],
};

/**
 * A catalogue without kinds, until the real one has come.
 * @param {string} base
 * @returns {Catalog}
 */
export function emptyCatalog(base) {
  return {
    hash: '',
    base,
    kinds: [],
    masks: new Set(),
    album: new Map(),
    art: new Map(),
    solid: new Set(),
  };
}

/**
 * Fetches a catalogue, and with it the album of its pictures, if the server has one: one answer instead of one for each
 * picture, and a fraction of the size. One that has grown (T37) has none, but the pictures of the one before are here. Throws when the
 * server cannot be reached or answers with something else.
 * @param {Catalog} before @param {string} hash
 * @returns {Promise<Catalog>}
 */
export async function loadCatalog({ base, album, art, solid }, hash) {
  const [doc, pictures] = await Promise.all([
    fetchCatalog(base + hash),
    album.size > 0 ? [] : fetchAlbum(`${base}${hash}/album`),
  ]);
  /** @type {Kind[]} */
  const kinds = doc.kinds;
  const masks = new Set(kinds.filter((k) => k.secret).map((k) => k.mask ?? -1));
  return {
    hash,
    base,
    kinds,
    masks,
    album: new Map([...album, ...open(kinds, pictures)]),
    art,
    solid,
  };
}

/** @param {string} address */
async function fetchCatalog(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`catalogue: status ${answer.status}`);
  const doc = await answer.json();
  if (doc.format !== 'holt.catalog/1') throw new Error(`catalogue: format ${doc.format}`);
  return doc;
}

/** The pictures of an album as texts; none if it cannot be had. @param {string} address @returns {Promise<(string|null)[]>} */
async function fetchAlbum(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : [];
  } catch {
    return []; // each picture has an address of its own
  }
}

/**
 * Gives the pictures of an album addresses, which hold as long as the page. An album has each picture of its catalogue once, in
 * the order in which they are named; null for what is no SVG.
 * @param {Kind[]} kinds @param {(string|null)[]} pictures
 */
function open(kinds, pictures) {
  const hashes = new Set(kinds.flatMap((k) => k.faces.map((f) => f.art)));
  /** @type {Map<string, string>} */
  const album = new Map();
  for (const [i, hash] of [...hashes].entries()) {
    const picture = pictures[i];
    if (picture)
      album.set(hash, URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' })));
  }
  return album;
}

/**
 * The kind with that number; a plain one if there is none.
 * @param {Catalog} c @param {number} kind
 * @returns {Kind}
 */
export function kindAt(c, kind) {
  return c.kinds[kind] ?? UNKNOWN;
}

/**
 * The face of a kind that is up.
 * @param {Kind} kind @param {number} face
 * @returns {Face}
 */
export function faceAt(kind, face) {
  return kind.faces[face] ?? kind.faces[0];
}

/**
 * Where the picture of a face lies; empty if it has none.
 * @param {Catalog} c @param {Face} face
 */
export function artOf(c, face) {
  return face.art ? (c.album.get(face.art) ?? c.base + face.art) : '';
}

/**
 * What a flip of a piece turns up: the next face, or the hidden front (0) of a masked one; -1 if it has one face only.
 * @param {Catalog} c @param {{kind: number, face: number}} piece
 */
export function nextFace(c, piece) {
  if (c.masks.has(piece.kind)) return 0;
  const n = kindAt(c, piece.kind).faces.length;
  return n > 1 ? (piece.face + 1) % n : -1;
}

/**
 * Fetches all pictures of a catalogue a few at a time, when the browser has nothing else to do. Everybody fetches all,
 * so it tells nobody which cards lie where.
 * @param {Catalog} c
 * @param {() => void} onDone all have come, `solid` is complete
 * @returns {() => void} stops it
 */
export function prefetch(c, onDone) {
  /** @type {Map<string, Kind>} */
  const wanted = new Map();
  for (const k of c.kinds)
    for (const f of k.faces) if (f.art && !c.art.has(artOf(c, f))) wanted.set(artOf(c, f), k);
  const queue = [...wanted];
  let stopped = false;
  /** @type {(f: () => void) => void} */
  const idle =
    'requestIdleCallback' in window ? (f) => requestIdleCallback(f) : (f) => setTimeout(f, 50);
  /** @param {[string, Kind]} entry */
  const fetchOne = async ([art, kind]) => {
    const img = new Image();
    img.decoding = 'async';
    img.src = art;
    c.art.set(art, img);
    try {
      await img.decode();
    } catch {
      return; // what is on the table is fetched again by its own element
    }
    if (fills(img, kind)) c.solid.add(art);
  };
  const next = () => {
    if (stopped) return;
    if (queue.length === 0) onDone();
    else Promise.all(queue.splice(0, 4).map(fetchOne)).then(() => idle(next));
  };
  idle(next);
  return () => {
    stopped = true;
  };
}

/** Side of the square on which a picture is tried. */
const PROBE = 24;

/**
 * Whether a picture covers its shape up to the edge. A disc and a card do; a figure that stands in its box does not.
 * @param {HTMLImageElement} img @param {Kind} kind
 */
function fills(img, kind) {
  const canvas = document.createElement('canvas');
  canvas.width = PROBE;
  canvas.height = PROBE;
  const g = canvas.getContext('2d', { willReadFrequently: true });
  if (!g) return false;
  g.drawImage(img, 0, 0, PROBE, PROBE);
  const { data } = g.getImageData(0, 0, PROBE, PROBE);
  for (let i = 0; i < 32; i++) {
    const c = Math.cos((i * Math.PI) / 16);
    const s = Math.sin((i * Math.PI) / 16);
    if (kind.shape !== 'round' && i % 8 === 4) continue; // corners may be cut
    const reach = kind.shape === 'round' ? 0.84 : 0.88 / Math.max(Math.abs(c), Math.abs(s));
    const x = Math.floor((1 + c * reach) * (PROBE / 2));
    const y = Math.floor((1 + s * reach) * (PROBE / 2));
    if (data[(y * PROBE + x) * 4 + 3] < 200) return false;
  }
  return true;
}
