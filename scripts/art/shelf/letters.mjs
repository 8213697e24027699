// Letter tiles: words that cross on a board of 13 by 13, in English or in German.

import { front, rack, reverse } from "../ivory.mjs";
import { emblem } from "../otter.mjs";
import { press, tray, written } from "../parlour.mjs";
import { circle, d, el, file, g, gradient, move, path, rect, use } from "../svg.mjs";
import { frame, grain } from "../wood.mjs";
import { when } from "../steps.mjs";

const cells = 13;
const square = 440;
const border = 340;
const inner = cells * square;
const outer = inner + 2 * border;

/** What the squares do: a letter, in a lozenge, or a word, in a band, counts twice or three times. */
const looks = {
  letter2: { fill: "#b4cba0", ink: "#24452a", sign: "2", of: "LETTER" },
  letter3: { fill: "#3f7350", ink: "#f3f7ea", sign: "3", of: "LETTER" },
  word2: { fill: "#e6bd68", ink: "#5a3a08", sign: "2", of: "WORD" },
  word3: { fill: "#6a4371", ink: "#f8ecf6", sign: "3", of: "WORD" },
};

/** Where they are, by the distance from the middle: four arms that turn like a windmill. */
const arms = { "2,1": "letter2", "4,1": "letter2", "6,2": "letter3", "3,3": "word2", "5,4": "word2", "4,5": "letter2", "0,5": "letter2", "1,6": "word3", "2,4": "letter3", "6,-3": "letter2", "5,-5": "letter2" };

function* special() {
  for (const [place, look] of Object.entries(arms)) {
    let [x, y] = place.split(",").map(Number);
    for (let i = 0; i < 4; i++) {
      yield [x, y, look];
      [x, y] = [-y, x];
    }
  }
}

function board() {
  let lines = "";
  for (let i = 1; i < cells; i++) lines += d`M${border + square * i} ${border}v${inner}M${border} ${border + square * i}h${inner}`;
  const labels = Array.from({ length: cells }, (_, i) => {
    const at = border + square * (i + 0.5);
    return [written("ABCDEFGHIJKLM"[i], at, 168, 110), written(String(i + 1), 168, at, 110)];
  });
  const middle = outer / 2;
  const half = square / 2;
  const defs = Object.entries(looks).map(([id, { fill, ink, sign, of }]) =>
    g({ id },
      rect(-half, -half, square, square, { fill }),
      of === "WORD" ? path(`M${-half} ${-half + 34}H${half}M${-half} ${half - 34}H${half}`, { stroke: ink, stroke_opacity: ".55", stroke_width: 14 }) : path(`M0 ${-half + 22}L${half - 22} 0L0 ${half - 22}L${-half + 22} 0Z`, { fill: "none", stroke: ink, stroke_opacity: ".45", stroke_width: 12 }),
      written(`${sign}x`, 0, -34, 118, { stroke: ink, weight: 15 }),
      written(of, 0, 88, 46, { stroke: ink, weight: 18 })));
  return file(
    outer,
    outer,
    el("defs", {}, gradient("radial", "cloth", { cx: "0.4", cy: "0.3", r: "0.9" }, [[0, "#f0e5cc"], [1, "#d8c59e"]]), gradient("radial", "light", { cx: "0.35", cy: "0.25", r: "0.95" }, [[0, "#fff", 0.2], [0.55, "#fff", 0], [1, "#2a1200", 0.2]]), defs),
    rect(0, 0, outer, outer, { rx: 90, fill: frame.plank }),
    path(grain(outer, outer, 40, 8, 22), { fill: "none", stroke: frame.grain, stroke_width: 10, stroke_opacity: ".45" }),
    rect(12, 12, outer - 24, outer - 24, { rx: 80, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 16 }),
    rect(border - 40, border - 40, inner + 80, inner + 80, { fill: "none", stroke: "#d9b26a", stroke_width: 16 }),
    rect(border, border, inner, inner, { fill: "url(#cloth)" }),
    [...special()].map(([x, y, look]) => use(look, { x: middle + square * x, y: middle + square * y })),
    rect(middle - half, middle - half, square, square, { fill: "#e6bd68" }),
    circle(middle, middle, 192, { fill: "#fff4d6", stroke: "#8a5a0c", stroke_width: 12 }),
    g({ transform: move(middle, middle, "scale(1.55)") }, emblem("#5d3a22", "#fff4d6")),
    path(lines, { fill: "none", stroke: "#7a6238", stroke_width: 11 }),
    rect(border, border, inner, inner, { fill: "none", stroke: "#2c180b", stroke_width: 24 }),
    rect(0, 0, outer, outer, { rx: 90, fill: "url(#light)" }),
    g({ stroke: "#ecd2a4", stroke_opacity: ".85" }, labels),
  );
}

const high = 106;
const ink = "#2b2118";
const tile = (letter, value) =>
  front(high, written(letter, 45, 53, "ÄÖÜ".includes(letter) ? 46 : 50, { stroke: ink, weight: 17, wide: 58 }), written(String(value), 79, 83, 17, { stroke: "#7a2e1d", weight: 17, gap: 20, wide: 22 }));
const blank = () => front(high, path("M50 24L58 46L80 53L58 60L50 82L42 60L20 53L42 46Z", { fill: "none", stroke: "#b99f68", stroke_width: 3, stroke_linejoin: "round" }));

/** A bag of cloth, 100 across, with tiles in its mouth. */
const bag = () =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "v", { cx: "0.4", cy: "0.32", r: "0.75" }, [[0, "#b5573f"], [0.62, "#8c3626"], [1, "#4e1810"]]), g({ id: "t" }, rect(-9, -9.5, 18, 19, { rx: 2, fill: "#f8f0dd", stroke: "#4d3a1c", stroke_width: 0.8 }))),
    circle(50, 50, 49, { fill: "url(#v)", stroke: "#340f09", stroke_width: 1.4 }),
    path(Array.from({ length: 20 }, (_, i) => {
      const a = (i * Math.PI) / 10;
      return d`M${50 + 31 * Math.sin(a)} ${50 - 31 * Math.cos(a)}Q${50 + 38 * Math.sin(a + 0.13)} ${50 - 38 * Math.cos(a + 0.13)} ${50 + (43 + (i % 3) * 1.5) * Math.sin(a + 0.06)} ${50 - (43 + (i % 3) * 1.5) * Math.cos(a + 0.06)}`;
    }).join(""), { fill: "none", stroke: "#3d120a", stroke_opacity: ".6", stroke_width: 1.4, stroke_linecap: "round" }),
    circle(50, 50, 30, { fill: "#220a06" }),
    [[38, 42, 20], [60, 40, -25], [40, 60, -40], [61, 60, 15], [50, 51, 5]].map(([x, y, turn]) => use("t", { transform: `translate(${x} ${y}) rotate(${turn})` })),
    written("A", 50, 51, 10, { stroke: ink, weight: 16 }),
    circle(50, 50, 30, { fill: "none", stroke: "#7a5c15", stroke_width: 3 }),
    circle(50, 50, 30, { fill: "none", stroke: "#e0b65a", stroke_width: 2, stroke_dasharray: "3.4 .9" }),
  );

/** A box for the tiles that are not in use. */
const box = () =>
  file(
    1300,
    1000,
    tray(1300, 1000, "#1f3d33", 90),
    el("defs", {}, g({ id: "t" }, rect(-135, -145, 270, 290, { rx: 30, fill: "#8c3626", stroke: "#340f09", stroke_width: 8 }), rect(-108, -118, 216, 236, { rx: 18, fill: "none", stroke: "#d9b26a", stroke_width: 7 }))),
    [0, 1, 2].map((i) => use("t", { transform: move(330 + 320 * i, 420) })),
    written("GERMAN TILES", 650, 740, 84, { stroke: "#f6e4bd" }),
  );

// How many there are of each letter, and what it counts.
const english = { E: [11, 1], A: [8, 1], I: [7, 1], O: [7, 1], N: [6, 1], R: [6, 1], T: [6, 1], S: [5, 1], L: [4, 1], U: [4, 1], D: [4, 2], G: [3, 2], H: [3, 3], B: [2, 3], C: [2, 3], M: [2, 3], P: [2, 3], F: [2, 4], W: [2, 4], Y: [2, 4], V: [2, 5], K: [1, 5], J: [1, 8], X: [1, 8], Q: [1, 9], Z: [1, 9] };
const german = { E: [12, 1], N: [8, 1], I: [8, 1], R: [7, 1], S: [7, 1], A: [6, 1], T: [6, 1], D: [4, 1], H: [4, 2], L: [4, 2], U: [4, 1], G: [3, 2], M: [3, 3], O: [3, 2], B: [2, 3], C: [2, 4], F: [2, 4], K: [2, 4], W: [1, 3], Z: [1, 3], P: [1, 4], Ä: [1, 5], Ü: [1, 5], V: [1, 6], J: [1, 7], Ö: [1, 8], X: [1, 9], Q: [1, 9], Y: [1, 9] };
const names = { Ä: "AE", Ö: "OE", Ü: "UE" };
const picture = (letter, value) => `letters/${(names[letter] ?? letter).toLowerCase()}-${value}.svg`;

export function* art() {
  yield ["letters/board.svg", board()];
  const tiles = new Map([...Object.entries(english), ...Object.entries(german)].map(([letter, [, value]]) => [picture(letter, value), [letter, value]]));
  for (const [path, [letter, value]] of tiles) yield [path, tile(letter, value)];
  yield ["letters/blank.svg", blank()];
  yield ["letters/back.svg", reverse(high, { lit: "#b5573f", body: "#8c3626", deep: "#571b11" })];
  yield ["letters/rack.svg", rack(3160, 640, "#3a2a22")];
  yield ["letters/bag.svg", bag()];
  yield ["letters/box.svg", box()];
  yield ["letters/new-game.svg", press("NEW GAME", 1500)];
}

const size = { width: 400, height: 424 };
const says = (letter, value) => `${letter}, ${value} ${value === 1 ? "point" : "points"}`;
const rows = (tiles, set) => [
  ...Object.entries(tiles).map(([letter, [count, value]]) => ({ name: `${set} ${says(letter, value)}`, count, picture: picture(letter, value) })),
  { name: `${set} blank`, count: 2, picture: "letters/blank.svg" },
];
const inGerman = rows(german, "German letter");
const inEnglish = rows(english, "Letter");
const fill = { do: "move", kind: "Box of German tiles", n: 100, to: "Bag" };
const heavy = { shape: "rect", weight: "heavy" };
// All look from one side, so that nobody reads the words from the side or upside down.
const seats = [
  { name: "First", colour: "#c8553d", x: -1620, y: 3880 },
  { name: "Second", colour: "#3d6b99", x: 1620, y: 3880 },
  { name: "Third", colour: "#4a8f5c", x: 1620, y: -3880 },
  { name: "Fourth", colour: "#d8a23a", x: -1620, y: -3880 },
];

export const game = {
  name: "Letter tiles",
  summary: "Lay words that cross each other, and count your letters.",
  order: 270,
  about: { players: [2, 4], minutes: [45, 90], age: 8, rules: "rules/letters.md" },
  table: { width: 11200, height: 8600, surface: "wood" },
  seats: seats.map(({ name, colour }, hand) => ({ name, side: "south", colour, hand })),
  setup: "English tiles",
  setups: [{ name: "German tiles", without: inEnglish.map(({ name }) => name), steps: [fill] }],
  sheet: { title: "Points", columns: seats.map(({ name }) => name), rows: Array.from({ length: 14 }, (_, i) => `Turn ${i + 1}`) },
  templates: [{
    name: "Front", ...size, shape: "rect", weight: "light", turn: 90, secret: true, mask: "Tile",
    faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: "letters/back.svg" }],
  }],
  decks: [{ name: "English", template: "Front", rows: inEnglish }, { name: "German", template: "Front", rows: inGerman }],
  kinds: [
    {
      name: "Rack", width: 3160, height: 640, ...heavy, hand: true, rack: true,
      grid: { x: 1580 - 3 * 420, y: 300, stepX: 420, stepY: 450, columns: 7, rows: 1, cellNames: Array.from({ length: 7 }, (_, i) => String(i + 1)) },
      faces: [{ name: "Rack", art: "letters/rack.svg" }],
    },
    {
      name: "Board", width: outer, height: outer, ...heavy,
      grid: { x: border + square / 2, y: border + square / 2, stepX: square, stepY: square, columns: cells, rows: cells, columnNames: [..."ABCDEFGHIJKLM"], rowNames: Array.from({ length: cells }, (_, i) => String(i + 1)) },
      faces: [{ name: "Board", art: "letters/board.svg" }],
    },
    { name: "Tile", ...size, shape: "rect", weight: "light", turn: 90, faces: [{ name: "Face down", art: "letters/back.svg" }] },
    { name: "Bag", width: 1200, height: 1200, shape: "round", weight: "heavy", container: { draws: "random", takes: "Tile" }, faces: [{ name: "Bag", art: "letters/bag.svg" }] },
    { name: "Box of German tiles", width: 1300, height: 1000, ...heavy, container: { draws: "random", takes: "Tile" }, faces: [{ name: "Box of German tiles", art: "letters/box.svg" }] },
    {
      name: "New game", width: 1500, height: 380, ...heavy,
      button: { who: "host", cooldown: 1500, steps: [
        { do: "recall", kind: "Bag" },
        { do: "recall", kind: "Box of German tiles" },
        when({ of: "holds", kind: "Bag", is: "<", n: 7 }, [fill], [
          when({ of: "holds", kind: "Box of German tiles", is: "<", n: 100 }, [fill]),
        ]),
        { do: "deal", kind: "Bag", n: 7 },
      ] },
      faces: [{ name: "New game", art: "letters/new-game.svg" }],
    },
    { name: "Turn marker", width: 800, height: 800, shape: "round", weight: "light", seat: "turn", display: { x: 110, y: 330, width: 580, height: 140 }, faces: [{ name: "Turn marker", art: "common/turn.svg" }] },
    { name: "Hourglass", width: 500, height: 800, shape: "rect", weight: "light", hourglass: { duration: 120000 }, faces: [{ name: "Hourglass", art: "common/hourglass.svg" }] },
  ],
  pieces: [
    ...seats.map(({ x, y }) => ({ kind: "Rack", x, y, pinned: true })),
    { kind: "Board", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Bag", x: 4650, y: 3250, pinned: true, holds: [{ deck: "English" }] },
    { kind: "Box of German tiles", x: -4700, y: -3300, pinned: true, holds: [{ deck: "German" }] },
    { kind: "New game", x: 4650, y: 2330, pinned: true },
    { kind: "Turn marker", x: -4700, y: 3300 },
    { kind: "Hourglass", x: 4700, y: -3300 },
  ],
};
