// The kinds of pieces on a table: names, sizes and art. A catalogue is immutable. The hash of its
// contents names it.

import { whenIdle } from './dom.js';

/**
 * One side of a piece: a picture, or layers.
 * @typedef {object} Face
 * @property {string} name
 * @property {string} art the SHA-256 of the picture in hex; of a face with layers a text that no
 *   face has that looks otherwise
 * @property {Layer[]} [layers] from the lowest one up
 */

/**
 * A part of a face: a picture, a text, or an area of one colour. Without a width it fills the face;
 * its place is measured from the upper left corner, in table units.
 * @typedef {object} Layer
 * @property {string} [art] SHA-256 in hex, '' if there is none
 * @property {string} [text]
 * @property {string} [colour] '' if an area is not drawn; missing: letters have the colour of ink
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [width]
 * @property {number} [height]
 * @property {number} [angle] about the middle of its place, in hundredths of a degree, clockwise
 * @property {'cover'|'fill'} [fit] missing: all of the picture is shown as it is
 * @property {number} [size] the most that letters are high; missing: as the place allows
 * @property {'left'|'right'} [align] missing: in the middle
 * @property {'top'|'bottom'} [place] missing: in the middle
 * @property {'serif'} [font] missing: without serifs
 * @property {boolean} [bold]
 * @property {boolean} [italic]
 */

/**
 * A kind: what all have, and the configuration of its ability (kinds/abilities.js).
 * @typedef {AnyKind & import('../kinds/abilities.js').Configs} Kind
 */

/**
 * @typedef {object} AnyKind
 * @property {string} name
 * @property {number} width in table units
 * @property {number} height
 * @property {'rect'|'round'|'card'} shape
 * @property {'light'|'heavy'} weight
 * @property {boolean} secret
 * @property {boolean} [unknown] whether it stands for secret kinds when the server does not know
 *   which one it is (T38)
 * @property {number} [mask] the kind that viewers see in its place while the piece is concealed
 *   from them
 * @property {boolean} [private] whether it is hidden in a hand although it is not secret (T23)
 * @property {'players'|'host'} [peek] who may look at a secret piece that lies front down, or into
 *   a container (T31); missing: nobody
 * @property {boolean} [rack] of a hand: whether everybody sees the backs of what lies on it (T96)
 * @property {boolean} [counted] of a hand or a container: false if the number of pieces in it is
 *   not published (T29)
 * @property {boolean} [upright] whether it is drawn upright for whoever looks
 * @property {boolean} [readable] whether it is drawn the other way round, not upside down (G20)
 * @property {boolean} [pointed] whether a piece belongs to the side from which it lies upright
 * @property {number} [turn] how far a piece is turned at once, in degrees; missing: 15 (G22)
 * @property {Grid} [grid] the cells on it
 * @property {Snaps} [snaps] the points on it at which things snap
 * @property {Rect} [display] where the value, the text or the name is written
 * @property {Offer[]} [offers] the operations that make sense beside those of all pieces, the most
 *   used first (T36)
 * @property {Face[]} faces
 */

/**
 * The cells on a board: `x`, `y` is the middle of the first one, from the upper left corner of the
 * board when it is not turned. All lengths are in table units. Either columns and rows have names,
 * or cells have (row by row; where the name is empty is no cell), or nothing has.
 * @typedef {object} Grid
 * @property {number} x
 * @property {number} y
 * @property {number} stepX
 * @property {number} stepY
 * @property {number} columns
 * @property {number} rows
 * @property {string[]} [columnNames]
 * @property {string[]} [rowNames]
 * @property {string[]} [cellNames]
 * @property {boolean} [captures] whether what is put on an occupied cell captures what lies there
 * @property {boolean} [tray] whether captured pieces go to its cells
 */

/**
 * Points on a board at which things snap that are put down at most `reach` away. They are measured
 * as a grid.
 * @typedef {object} Snaps
 * @property {number} reach
 * @property {{x: number, y: number, name?: string}[]} points
 */

/**
 * A side of the game (T61): `angle` is that of a card which lies upright for its player, in
 * hundredths of a degree.
 * @typedef {object} Side
 * @property {string} name
 * @property {number} angle
 * @property {string} colour "#rrggbb"
 * @property {number} [hand] the number of the piece that is its hand, in the set-up of the game
 * @property {number[]} [pieces] what else belongs to it (T92), by their names
 */

/**
 * Says that a piece moves with another one (T97), by their names.
 * @typedef {{piece: number, to: number}} Attachment
 */

/**
 * A rectangle of the piece when it is not turned, from its upper left corner, in table units.
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
 * @property {Record<string, number>} [with] arguments that always have these values
 * @property {Ask[]} [asks] arguments that the player is asked for
 */

/**
 * An argument that the player is asked for. `text` is a text of up to `max` bytes, `seat` is a seat
 * of a player, `into` is a container. Every other argument is a number.
 * @typedef {object} Ask
 * @property {string} name
 * @property {string} label
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [initial]
 */

/** @typedef {import('../parts/sheet/model.js').GameSheet} GameSheet */

/**
 * What a page reads of the document of a catalogue.
 * @typedef {object} Doc
 * @property {Kind[]} kinds
 * @property {Side[]} [seats]
 * @property {Attachment[]} [attached]
 * @property {GameSheet} [sheet]
 * @property {GameSheet} [sheetIn]
 */

/**
 * @typedef {object} Catalog
 * @property {string} hash
 * @property {string} base address of the folder of art, with a slash at its end
 * @property {Kind[]} kinds
 * @property {Side[]} sides the seats of the game, in the order of their numbers from 1
 * @property {Attachment[]} attached the pieces that move with others (T97)
 * @property {GameSheet|undefined} [sheet] the score sheet with which the game begins (G15)
 * @property {GameSheet|undefined} [sheetIn] the same in the language of the page (G13)
 * @property {Set<number>} masks the masks: kinds that stand for concealed pieces
 * @property {boolean} racks whether a kind is a rack (T96)
 * @property {Map<string, string>} album addresses of the pictures that came with the catalogue, by
 *   their hashes, and of faces that were drawn from layers
 * @property {Map<string, string>} sources pictures of layers as data: URLs, by their hashes
 * @property {Map<string, HTMLImageElement>} art pictures kept in memory, so that a flip finds its
 *   picture decoded
 * @property {Set<string>} solid addresses of pictures that fill their shape, so that the edge of
 *   the shape casts the shadow
 */

/** The kind that is drawn when the catalogue does not have the kind of a piece. @type {Kind} */
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
 * Returns a catalogue without kinds, for use until the real one has arrived.
 * @param {string} base
 * @returns {Catalog}
 */
export function emptyCatalog(base) {
  return {
    hash: '',
    base,
    kinds: [],
    sides: [],
    attached: [],
    masks: new Set(),
    racks: false,
    album: new Map(),
    sources: new Map(),
    art: new Map(),
    solid: new Set(),
  };
}

/**
 * Fetches a catalogue, and the album of its pictures if the server has one. An album is one
 * response instead of one for each picture, and a fraction of the size. A catalogue that has grown
 * (T37) has no album; the page has the pictures of the catalogue before it already. Throws if the
 * server cannot be reached or sends something that is not a catalogue.
 * @param {Catalog} before
 * @param {string} hash
 * @returns {Promise<Catalog>}
 */
export async function loadCatalog(before, hash) {
  const { base, album } = before;
  const [doc, pictures] = await Promise.all([
    fetchCatalog(base + hash),
    album.size > 0 || !hasAlbum(hash) ? [] : fetchAlbum(`${base}${hash}/album`),
  ]);
  return readCatalog(before, hash, doc, open(doc.kinds, pictures, before.sources));
}

/**
 * Returns whether the server has an album of a catalogue: it says so of the one of the table. The
 * browser would log a request for another one as a failure.
 * @param {string} hash
 */
function hasAlbum(hash) {
  const { album, catalog } = document.getElementById('table')?.dataset ?? {};
  return album !== undefined && catalog === hash;
}

/**
 * Returns a catalogue.
 * @param {Pick<Catalog, 'base'|'album'|'sources'|'art'|'solid'>} before
 * @param {string} hash
 * @param {Doc} doc its contents
 * @param {Map<string, string>} pictures addresses of pictures that came with it
 * @returns {Catalog}
 */
export function readCatalog(before, hash, doc, pictures) {
  const { kinds, seats = [], attached = [], sheet, sheetIn } = doc;
  const { base, album, sources, art, solid } = before;
  const masks = new Set(kinds.filter((k) => k.secret).map((k) => k.mask ?? -1));
  return {
    hash,
    base,
    kinds,
    sides: seats,
    attached,
    sheet,
    sheetIn,
    masks,
    racks: kinds.some((k) => k.rack),
    album: new Map([...album, ...pictures]),
    sources,
    art,
    solid,
  };
}

/**
 * Fetches a catalogue in the language of the page (G13). Each kind stands in full.
 * @param {string} address
 * @returns {Promise<Doc & {format: string}>}
 */
export async function fetchCatalog(address) {
  const words = document.getElementById('table')?.dataset.words ?? '';
  const answer = await fetch(address + words);
  if (!answer.ok) throw new Error(`catalogue: status ${answer.status}`);
  const doc = await answer.json();
  if (doc.format === 'holt.catalog/1') return doc;
  if (doc.format !== 'holt.catalog/2') throw new Error(`catalogue: format ${doc.format}`);
  return { ...doc, kinds: unfold(doc) };
}

/**
 * Returns the kinds of a catalogue in full: of those that are made of a template, it has the values
 * alone.
 * @param {object} doc
 * @param {any[]} [doc.templates]
 * @param {any[]} doc.kinds
 * @returns {Kind[]}
 */
export function unfold({ templates = [], kinds }) {
  return kinds.map((row) => {
    const { values = [] } = row;
    const of = (/** @type {any} */ leaf) => (typeof leaf === 'number' ? values[leaf] : leaf);
    const kind = values === row.values ? templates[row.template] : row;
    const faces = kind.faces.map((/** @type {any} */ face) => {
      if (!face.layers) return { ...face, name: of(face.name), art: of(face.art) };
      const layers = face.layers.map((/** @type {any} */ layer) => {
        const one = { ...layer };
        for (const leaf of ['art', 'text', 'colour']) if (leaf in one) one[leaf] = of(one[leaf]);
        return one;
      });
      const art = JSON.stringify([kind.width, kind.height, kind.shape, layers]);
      return { name: of(face.name), art, layers };
    });
    return { ...kind, name: of(kind.name), faces };
  });
}

/**
 * Returns the hashes of the pictures of kinds, in the order in which their catalogue names them
 * first.
 * @param {Kind[]} kinds
 */
export function picturesOf(kinds) {
  return new Set(kinds.flatMap((k) => k.faces).flatMap((f) => inLayers(f) ?? f.art));
}

/**
 * Returns the hashes of the pictures in the layers of a face; undefined if it has no layers.
 * @param {Face} face
 */
const inLayers = ({ layers }) => layers?.flatMap(({ art }) => art || []);

/**
 * Fetches the pictures of an album as texts. Returns an empty list if it cannot fetch them.
 * @param {string} address
 * @returns {Promise<(string|null)[]>}
 */
async function fetchAlbum(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : [];
  } catch {
    return []; // each picture also has an address of its own
  }
}

/**
 * Gives the pictures of an album addresses, which are valid until the page is closed. An album has
 * each picture of its catalogue once, in the order in which the catalogue names them. It has null
 * for a picture that is not SVG.
 * @param {Kind[]} kinds
 * @param {(string|null)[]} pictures
 * @param {Map<string, string>} sources gets those of layers
 */
function open(kinds, pictures, sources) {
  const hashes = picturesOf(kinds);
  const layered = new Set(kinds.flatMap((k) => k.faces).flatMap((f) => inLayers(f) ?? []));
  /** @type {Map<string, string>} */
  const album = new Map();
  for (const [i, hash] of [...hashes].entries()) {
    const picture = pictures[i];
    if (!picture) continue;
    album.set(hash, URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' })));
    if (layered.has(hash)) sources.set(hash, `data:image/svg+xml,${encodeURIComponent(picture)}`);
  }
  return album;
}

/**
 * Returns the kind with that number, or UNKNOWN if the catalogue has none.
 * @param {Catalog} c
 * @param {number} kind
 * @returns {Kind}
 */
export function kindAt(c, kind) {
  return c.kinds[kind] ?? UNKNOWN;
}

/** Returns the first kind of a name. @param {Catalog} c @param {string} name */
export const kindNamed = (c, name) => c.kinds.find((k) => k.name === name);

/**
 * Returns the kind of a piece.
 * @param {{ catalog: Catalog }} s
 * @param {{ kind: number }} piece
 */
export const kindOf = ({ catalog }, { kind }) => kindAt(catalog, kind);

/** What people use or read, even if no face of the kind shows anything. */
const USED = /** @type {const} */ ([
  'display', 'hand', 'container', 'clock', 'die', 'counter', 'currency', 'text', 'seat',
  'hourglass', 'button', 'supply',
]);

/**
 * Returns whether pieces of a kind show nothing (G23): nobody can see that they are there. Only
 * buttons make use of them.
 * @param {Kind} kind
 */
export function isUnseen(kind) {
  if (kind.zone?.count || USED.some((field) => kind[field])) return false;
  return kind.faces.every(({ layers }) =>
    layers?.every(({ art, text, colour }) => !art && !text && (!colour || text === '')));
}

/**
 * Returns the face of a kind that is up.
 * @param {Kind} kind
 * @param {number} face
 * @returns {Face}
 */
export function faceAt(kind, face) {
  return kind.faces[face] ?? kind.faces[0];
}

/**
 * Returns the address of the picture of a face; empty if it has none, or has layers that are not
 * drawn yet.
 * @param {Catalog} c
 * @param {Face} face
 */
export function artOf(c, face) {
  const known = c.album.get(face.art);
  if (known !== undefined) return known;
  return face.art && !face.layers ? c.base + face.art : '';
}

/**
 * Returns whether a secret piece of a known kind shows a back. The backs come behind the first
 * front (T94).
 * @param {Catalog} c
 * @param {{kind: number, face: number}} piece
 */
export function isBack(c, { kind, face }) {
  const { mask } = kindAt(c, kind);
  return mask !== undefined && face > 0 && face <= kindAt(c, mask).faces.length;
}

/**
 * Returns whether a change has turned a piece up, or brought it face up out of a container.
 * @param {Catalog} c
 * @param {import('../types.js').Piece|null} before null: it was not seen
 * @param {import('../types.js').Piece|null} after
 */
export function turnsUp(c, before, after) {
  const isUp = (/** @type {import('../types.js').Piece} */ piece) =>
    !c.masks.has(piece.kind) && !isBack(c, piece);
  if (!after || after.owner || !isUp(after)) return false;
  return !before || !isUp(before) || before.face !== after.face;
}

/**
 * Returns the face that a flip of a piece turns up: the next face, or the front (0) or the back of
 * a secret piece. -1 if the piece has only one face.
 * @param {Catalog} c
 * @param {{kind: number, face: number}} piece
 */
export function nextFace(c, piece) {
  if (c.masks.has(piece.kind) || isBack(c, piece)) return 0;
  const { secret, faces: { length: n } } = kindAt(c, piece.kind);
  return n > 1 ? (secret ? 1 : (piece.face + 1) % n) : -1;
}

/**
 * Fetches all pictures of a catalogue, four at a time, when the browser is idle. All clients fetch
 * all pictures, so the requests do not reveal which cards lie where.
 * @param {Catalog} c
 * @param {() => void} onDone called when all pictures have arrived and `solid` is complete
 * @returns {() => void} stops fetching
 */
export function prefetch(c, onDone) {
  const queue = c.kinds.flatMap((k) => k.faces.map((f) => () => keepArt(c, artOf(c, f), k)));
  let stopped = false;
  const next = () => {
    if (stopped) return;
    if (queue.length === 0) onDone();
    else Promise.all(queue.splice(0, 4).map((f) => f())).then(() => whenIdle()).then(next);
  };
  void whenIdle().then(next);
  return () => {
    stopped = true;
  };
}

/**
 * Fetches a picture, unless it is there already, and notes whether it is solid.
 * @param {Catalog} c @param {string} art @param {Kind} kind
 */
export async function keepArt(c, art, kind) {
  if (!art || c.art.has(art)) return;
  const img = new Image();
  img.decoding = 'async';
  img.src = art;
  c.art.set(art, img);
  try {
    await img.decode();
    if (isCoveredBelow(c, art, kind) || fills(img, kind)) c.solid.add(art);
  } catch {
    // the element of a piece on the table fetches its picture again
  }
}

/**
 * Returns whether the lowest layer of a face is an area of one colour as large as the face. Then it
 * fills its shape, and nobody need look at its picture: that makes the browser draw it at once.
 * @param {Catalog} c @param {string} art @param {Kind} kind
 */
function isCoveredBelow(c, art, kind) {
  const [lowest] = kind.faces.find((f) => f.layers && artOf(c, f) === art)?.layers ?? [];
  return Boolean(lowest?.colour) && !lowest.art && !lowest.text && lowest.width === undefined &&
    lowest.angle === undefined;
}

/** Side of the square canvas on which `fills` samples a picture, in pixels. */
const PROBE = 24;

/**
 * Returns whether a picture covers its shape up to the edge. A disc and a card do; a figure that
 * stands in its box does not.
 * @param {HTMLImageElement} img
 * @param {Kind} kind
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
    if (kind.shape !== 'round' && i % 8 === 4) continue; // corners may be cut off
    const reach = kind.shape === 'round' ? 0.84 : 0.88 / Math.max(Math.abs(c), Math.abs(s));
    const x = Math.floor((1 + c * reach) * (PROBE / 2));
    const y = Math.floor((1 + s * reach) * (PROBE / 2));
    if (data[(y * PROBE + x) * 4 + 3] < 200) return false;
  }
  return true;
}
