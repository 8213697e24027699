// Sea battle: for each of two players waters that only they see, with five ships, and a chart on
// which they mark where they have shot.

import { bowl, press, tray, written } from "../parlour.mjs";
import { circle, d, dots, el, file, g, gradient, path, rect } from "../svg.mjs";

const [size, cell, first] = [4400, 400, 300];
const letters = [..."ABCDEFGHIJ"];
const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

/** Lines between the fields, as a path. */
const lattice = () => Array.from({ length: 9 }, (_, i) => `M${first + cell * (i + 1)} ${first}v4000M${first} ${first + cell * (i + 1)}h4000`).join("");

const labels = (ink) =>
  Array.from({ length: 10 }, (_, i) => [
    written(letters[i], first + cell * (i + 0.5), 190, 105, { stroke: ink, weight: 13 }),
    written(String(i + 1), 200, first + cell * (i + 0.5), 105, { stroke: ink, weight: 13, gap: 18 }),
  ]);

/** The waters of a player: waves under a net of lines. */
function waters() {
  const wave = (x, y, w) => d`M${x} ${y}q${w / 4}-34 ${w / 2} 0t${w / 2} 0`;
  const waves = [];
  for (let row = 0; row < 10; row++) for (let i = 0; i < 4; i++) waves.push(wave(420 + 1000 * i + 480 * (row % 2), 500 + 400 * row, 300));
  return file(
    size,
    size,
    tray(size, size, "#1d4a6b", 100),
    el("defs", {}, gradient("radial", "sea", { cx: ".4", cy: ".35", r: ".8" }, [[0, "#4f9cbd", 0.75], [1, "#4f9cbd", 0]])),
    rect(first, first, 4000, 4000, { fill: "url(#sea)", stroke: "#a9d3e4", stroke_opacity: ".6", stroke_width: 12 }),
    path(waves.join(""), { ...line, stroke: "#bfe3ef", stroke_opacity: ".28", stroke_width: 14 }),
    path(lattice(), { stroke: "#d6edf5", stroke_opacity: ".38", stroke_width: 8 }),
    labels("#d6edf5"),
  );
}

/** The chart: parchment with the same lines and a rose of the winds. */
function chart() {
  const rose = [0, 90, 180, 270].map((turn) => g({ transform: `rotate(${turn})` }, path("M0-900L120-120L0 0Z", { fill: "#8a6a36" }), path("M0-900L-120-120L0 0Z", { fill: "#e6d3a3" }), path("M-85-85L-430-430L-30-150Z", { fill: "#b9965a" })));
  return file(
    size,
    size,
    tray(size, size, "#ecdcb4", 100),
    el("defs", {}, gradient("radial", "age", { r: ".75" }, [[0, "#fff6da", 0.8], [0.7, "#e2c88f", 0.2], [1, "#a47c3a", 0.5]])),
    rect(107, 107, size - 214, size - 214, { rx: 34, fill: "url(#age)" }),
    g({ transform: "translate(2300 2300)", opacity: ".3", stroke: "#6b4f22", stroke_width: 10, stroke_linejoin: "round" }, circle(0, 0, 560, { fill: "none" }), circle(0, 0, 610, { fill: "none", stroke_width: 5 }), rose),
    path("M300 3900C700 3600 760 4100 1240 3980S1500 4300 1520 4300M3000 300C3100 700 3500 560 3700 900S4300 1000 4300 1040", { ...line, stroke: "#6b4f22", stroke_opacity: ".3", stroke_width: 14 }),
    path(lattice(), { stroke: "#6b4f22", stroke_opacity: ".5", stroke_width: 8 }),
    rect(first, first, 4000, 4000, { fill: "none", stroke: "#6b4f22", stroke_width: 14 }),
    labels("#54391a"),
  );
}

const brass = { fill: "#d9b26a", stroke: "#5a4216", stroke_width: 8 };
const gun = (x, y, way = 1) => path(`M${x} ${y}h${110 * way}`, { stroke: "#3b3f47", stroke_width: 22, stroke_linecap: "round" }) + circle(x, y, 42, { fill: "#767d87", stroke: "#2b2e35", stroke_width: 8 });

/** The ships from above, their bows to the right: how long they are, their hull and their deck. */
const ships = {
  Carrier: {
    length: 5,
    hull: "M60 40H1760Q1930 60 1930 170Q1930 280 1760 300H60Q20 300 20 250V90Q20 40 60 40Z",
    deck: [path("M120 170H1800", { stroke: "#f3e6c4", stroke_width: 14, stroke_dasharray: "90 60" }), path("M1150 74L1330 266", { stroke: "#f3e6c4", stroke_opacity: ".6", stroke_width: 10 }), rect(760, 216, 300, 74, { rx: 16, ...brass }), [300, 520, 1520].map((x) => path(`M${x} 110l26 26h54l-54 16-26 40-16-40-50-16h50Z`, { fill: "#f3e6c4", stroke: "#2b2e35", stroke_width: 5 }))],
  },
  Cruiser: {
    length: 4,
    hull: "M110 60H1060Q1420 90 1530 170Q1420 250 1060 280H110Q30 260 20 170Q30 80 110 60Z",
    deck: [rect(560, 110, 360, 120, { rx: 30, ...brass }), circle(660, 170, 38, { fill: "#3b3f47" }), circle(800, 170, 38, { fill: "#3b3f47" }), gun(1080, 170), gun(1260, 170), gun(340, 170, -1)],
  },
  Frigate: {
    length: 3,
    hull: "M90 70H700Q1010 90 1130 170Q1010 250 700 270H90Q20 250 20 170Q20 90 90 70Z",
    deck: [path("M300 170H940M480 60V280M720 70V270", { stroke: "#6d4522", stroke_width: 20, stroke_linecap: "round" }), path("M480 64Q580 170 480 276Q440 170 480 64ZM720 76Q810 170 720 264Q684 170 720 76Z", { fill: "#f6ecd2", stroke: "#8d7a52", stroke_width: 7 })],
  },
  Submarine: {
    length: 3,
    hull: "M150 80H900Q1110 90 1130 170Q1110 250 900 260H150Q70 240 40 190L20 250V90L40 150Q70 100 150 80Z",
    deck: [rect(470, 120, 260, 100, { rx: 50, ...brass }), circle(600, 170, 28, { fill: "#3b3f47" }), path("M200 170H380M820 170H1020", { stroke: "#fff", stroke_opacity: ".4", stroke_width: 14, stroke_linecap: "round" }), dots([[260, 128], [320, 128], [260, 212], [320, 212]], 12, { fill: "#22262d" })],
  },
  "Patrol boat": {
    length: 2,
    hull: "M80 80H430Q640 100 730 170Q640 240 430 260H80Q30 240 24 170Q30 100 80 80Z",
    deck: [rect(200, 110, 200, 120, { rx: 24, ...brass }), path("M360 126V214", { stroke: "#bfe3ef", stroke_width: 26 }), gun(530, 170)],
  },
};
const colours = { Carrier: "#5c6672", Cruiser: "#6f7783", Frigate: "#96643a", Submarine: "#3d4a52", "Patrol boat": "#7d5233" };

const ship = (name) => {
  const { length, hull, deck } = ships[name];
  return file(
    cell * length - 50,
    340,
    el("defs", {}, gradient("linear", "a", { x2: "0", y2: "1" }, [[0, "#fff", 0.3], [0.5, "#fff", 0], [1, "#000", 0.35]])),
    path(hull, { fill: colours[name], stroke: "#1c1f25", stroke_width: 14, stroke_linejoin: "round" }),
    path(hull, { fill: "url(#a)" }),
    deck,
  );
};

/** A peg for a hit is a red cross, one for a miss a white ring. */
const peg = (hit) =>
  file(
    100,
    100,
    circle(50, 50, 44, hit ? { fill: "#b4292c", stroke: "#4d0c0e", stroke_width: 6 } : { fill: "#fdfaf0", stroke: "#5d5747", stroke_width: 6 }),
    hit
      ? path("M33 33L67 67M67 33L33 67", { ...line, stroke: "#fff3e0", stroke_width: 12 })
      : circle(50, 50, 20, { fill: "none", stroke: "#5d5747", stroke_width: 9 }),
  );

const pegs = (hit) => bowl([[34, 62], [62, 66], [46, 42], [70, 46], [27, 42], [52, 56]].map(([x, y]) => [
  circle(x, y, 13, hit ? { fill: "#b4292c", stroke: "#4d0c0e", stroke_width: 2 } : { fill: "#fdfaf0", stroke: "#5d5747", stroke_width: 2 }),
  hit ? path(`M${x - 5} ${y - 5}l10 10M${x + 5} ${y - 5}l-10 10`, { ...line, stroke: "#fff3e0", stroke_width: 3.4 }) : circle(x, y, 6, { fill: "none", stroke: "#5d5747", stroke_width: 2.6 }),
]));

const slug = (name) => name.toLowerCase().replace(/ /g, "-");

export function* art() {
  yield ["sea-battle/waters.svg", waters()];
  yield ["sea-battle/chart.svg", chart()];
  for (const name of Object.keys(ships)) yield [`sea-battle/${slug(name)}.svg`, ship(name)];
  yield ["sea-battle/hit.svg", peg(true)];
  yield ["sea-battle/miss.svg", peg(false)];
  yield ["sea-battle/hits.svg", pegs(true)];
  yield ["sea-battle/misses.svg", pegs(false)];
  yield ["sea-battle/five.svg", press("FIVE SHIPS", 1100, 380)];
  yield ["sea-battle/three.svg", press("THREE SHIPS", 1100, 380)];
}

const round = { width: 300, height: 300, shape: "round", weight: "light" };
const bowls = { width: 900, height: 900, shape: "round", weight: "heavy" };

// The ships of a player before the battle: their first column and their row, counted from 0, and
// from these their places, measured from the middle of the waters.
const fleet = [["Carrier", 1, 1], ["Cruiser", 5, 3], ["Frigate", 1, 5], ["Submarine", 6, 7], ["Patrol boat", 2, 8]]
  .map(([name, column, row]) => [name, cell * (column + ships[name].length / 2) - 1900, cell * row - 1700]);

export const game = {
  name: "Sea battle",
  summary: "Hide five ships, and find those of the other player.",
  order: 240,
  about: { players: [2, 2], minutes: [20, 30], age: 6, rules: "rules/sea-battle.md" },
  table: { width: 11600, height: 9800, surface: "slate" },
  seats: [
    { name: "South", side: "south", colour: "#c8553d", hand: 0, pieces: [1, 2, 3] },
    { name: "North", side: "north", colour: "#3d6b99", hand: 4, pieces: [5, 6, 7] },
  ],
  setup: "Five ships",
  setups: [{ name: "Three ships", without: ["Carrier", "Submarine"] }],
  kinds: [
    { name: "Waters", width: size, height: size, shape: "rect", weight: "heavy", hand: true, faces: [{ name: "Waters", art: "sea-battle/waters.svg" }] },
    {
      name: "Chart", width: size, height: size, shape: "rect", weight: "heavy",
      grid: { x: first + cell / 2, y: first + cell / 2, stepX: cell, stepY: cell, columns: 10, rows: 10, columnNames: letters, rowNames: letters.map((_, i) => String(i + 1)) },
      faces: [{ name: "Chart of your shots", art: "sea-battle/chart.svg" }],
    },
    { name: "Hits", ...bowls, supply: { of: "Hit" }, faces: [{ name: "Pegs for hits", art: "sea-battle/hits.svg" }] },
    { name: "Misses", ...bowls, supply: { of: "Miss" }, faces: [{ name: "Pegs for misses", art: "sea-battle/misses.svg" }] },
    { name: "Hit", ...round, faces: [{ name: "Hit", art: "sea-battle/hit.svg" }] },
    { name: "Miss", ...round, faces: [{ name: "Miss", art: "sea-battle/miss.svg" }] },
    ...Object.entries(ships).map(([name, { length }]) => ({ name, width: cell * length - 50, height: 340, shape: "rect", weight: "light", private: true, turn: 90, faces: [{ name: `${name}, ${length} fields`, art: `sea-battle/${slug(name)}.svg` }] })),
    { name: "Five ships", width: 1100, height: 380, shape: "rect", weight: "heavy", button: { who: "host", steps: [{ do: "set up" }] }, faces: [{ name: "New game with five ships", art: "sea-battle/five.svg" }] },
    { name: "Three ships", width: 1100, height: 380, shape: "rect", weight: "heavy", button: { who: "host", steps: [{ do: "set up", name: "Three ships" }] }, faces: [{ name: "New game with three ships", art: "sea-battle/three.svg" }] },
    { name: "Turn marker", width: 800, height: 800, shape: "round", weight: "light", seat: "turn", display: { x: 110, y: 330, width: 580, height: 140 }, faces: [{ name: "Turn marker", art: "common/turn.svg" }] },
  ],
  // The boards of a player lie one above the other: both fit on a phone.
  pieces: [
    ...[1, -1].flatMap((way) => [["Waters", -2300, 2450], ["Chart", -2300, -2450], ["Hits", -5150, -1900], ["Misses", -5150, -3000]].map(([kind, x, y]) => ({
      kind, x: way * x, y: way * y, angle: way < 0 ? 18000 : undefined, pinned: true, locked: kind === "Chart" ? true : undefined,
    }))),
    ...[1, -1].flatMap((way) => fleet.map(([kind, x, y]) => ({ kind, x: way * (x - 2300), y: way * (y + 2450), angle: way < 0 ? 18000 : undefined }))),
    { kind: "Five ships", x: 5150, y: -230, pinned: true },
    { kind: "Three ships", x: 5150, y: 230, pinned: true },
    { kind: "Turn marker", x: -5150, y: 0 },
  ],
};
