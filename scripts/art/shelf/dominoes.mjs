// Dominoes: tiles of ivory with pips from 0 to 9, racks before the players, and a boneyard.

import { emblem } from "../otter.mjs";
import { bowl, players, press, tray } from "../parlour.mjs";
import { circle, dots, el, file, g, gradient, path, rect, use } from "../svg.mjs";
import { when } from "../steps.mjs";

// Where the pips of a half lie, from the upper left to the lower right:
//   a b c
//   d e f
//   g h i
const spots = { a: [26, 26], b: [50, 26], c: [74, 26], d: [26, 50], e: [50, 50], f: [74, 50], g: [26, 74], h: [50, 74], i: [74, 74] };
const layouts = ["", "e", "ai", "aei", "acgi", "acegi", "acdfgi", "acdefgi", "abcdfghi", "abcdefghi"];
const inks = ["", "#1d4f86", "#2b6b3f", "#a3262b", "#5d3a22", "#1b2130", "#8a5a0c", "#6b2f74", "#14666b", "#4a4f59"];

const half = (value, y) => {
  const at = [...layouts[value]].map((spot) => [spots[spot][0], spots[spot][1] + y]);
  if (!at.length) return "";
  const r = value > 6 ? 9.6 : 11;
  return [
    dots(at, r, { fill: inks[value], stroke: "#fffaf0", stroke_width: 1.2 }),
    dots(at.map(([x, top]) => [x - 2.4, top - 2.6]), 2, { fill: "#fff", fill_opacity: ".4" }),
  ];
};

/** A tile from above. */
const tile = (a, b) =>
  file(
    100,
    200,
    el("defs", {}, gradient("linear", "a", { x1: "0.1", x2: "0.7", y2: "1" }, [[0, "#fffdf5"], [0.6, "#f6ecd6"], [1, "#d3bf95"]])),
    rect(2, 2, 96, 196, { rx: 13, fill: "url(#a)", stroke: "#4d3a1c", stroke_width: 3 }),
    rect(7, 7, 86, 186, { rx: 9, fill: "none", stroke: "#fff", stroke_opacity: ".7", stroke_width: 2 }),
    path("M14 100H86", { stroke: "#7d6535", stroke_width: 3.4, stroke_linecap: "round" }),
    half(a, 0),
    half(b, 100),
    circle(50, 100, 6, { fill: "#d9b26a", stroke: "#6d4a14", stroke_width: 1.6 }),
  );

/** The back of all tiles: two otters. */
const back = () =>
  file(
    100,
    200,
    el("defs", {}, gradient("linear", "a", { x1: "0.1", x2: "0.7", y2: "1" }, [[0, "#3c6f7d"], [0.5, "#1f5161"], [1, "#123540"]]), g({ id: "o", transform: "translate(50 54) scale(.36)" }, emblem("#efe2c6", "#1f5161"))),
    rect(2, 2, 96, 196, { rx: 13, fill: "url(#a)", stroke: "#0b2229", stroke_width: 3 }),
    rect(10, 10, 80, 180, { rx: 8, fill: "none", stroke: "#d9b26a", stroke_width: 2 }),
    path("M22 100H40M60 100H78", { stroke: "#d9b26a", stroke_width: 2, stroke_linecap: "round" }),
    path("M50 92L58 100L50 108L42 100Z", { fill: "#d9b26a" }),
    use("o"),
    use("o", { transform: "rotate(180 50 100)" }),
  );

const lying = (id) => g({ id }, rect(-9, -18, 18, 36, { rx: 2.6, fill: "#1f5161", stroke: "#0b2229", stroke_width: 1 }), rect(-7, -16, 14, 32, { rx: 1.6, fill: "none", stroke: "#d9b26a", stroke_width: 0.7 }));

/** The boneyard: a bowl in which tiles lie face down. */
const boneyard = () =>
  bowl(
    el("defs", {}, lying("t")),
    [[32, 40, 20], [66, 62, 105], [40, 66, -35], [62, 36, -60], [50, 50, 8], [30, 58, 80], [70, 46, 30], [52, 72, 75], [48, 30, 100]].map(([x, y, turn]) => use("t", { transform: `translate(${x} ${y}) rotate(${turn})` })),
  );

/** A box for the tiles of a larger set. */
const box = () =>
  file(
    1300,
    900,
    tray(1300, 900, "#1f3d33", 90),
    el("defs", {}, g({ id: "t" }, rect(-90, -180, 180, 360, { rx: 24, fill: "#1f5161", stroke: "#0b2229", stroke_width: 10 }), rect(-70, -160, 140, 320, { rx: 14, fill: "none", stroke: "#d9b26a", stroke_width: 7 }))),
    [0, 1, 2, 3, 4].map((i) => use("t", { transform: `translate(${250 + 200 * i} 450)` })),
  );

// A rack has places for 15 tiles.
const places = { count: 15, step: 310, wide: 4800, high: 760 };

/** A rack: a bar of wood with a groove. */
const rack = () => file(places.wide, places.high, tray(places.wide, places.high, "#2a4a3c", 70), path(`M130 640H${places.wide - 130}`, { stroke: "#fff", stroke_opacity: ".12", stroke_width: 20, stroke_linecap: "round" }));

const pairs = [];
for (let a = 0; a <= 9; a++) for (let b = 0; b <= a; b++) pairs.push([a, b]);
const picture = ([a, b]) => `dominoes/${a}-${b}.svg`;
const row = ([a, b]) => ({ name: a === b ? `Double ${a}` : `${a} and ${b}`, picture: picture([a, b]) });

export function* art() {
  for (const [a, b] of pairs) yield [picture([a, b]), tile(b, a)];
  yield ["dominoes/back.svg", back()];
  yield ["dominoes/boneyard.svg", boneyard()];
  yield ["dominoes/box.svg", box()];
  yield ["dominoes/rack.svg", rack()];
  yield ["dominoes/new-round.svg", press("NEW ROUND", 1300)];
}

const size = { width: 280, height: 560 };
const again = [
  when({ of: "holds", kind: "More tiles", is: "<", n: 27 }, [
    { do: "recall", kind: "More tiles" },
    { do: "move", kind: "More tiles", n: 27, to: "Boneyard" },
  ]),
  { do: "recall", kind: "Boneyard" },
  { do: "deal", kind: "Boneyard", n: { answer: "Tiles" } },
];

export const game = {
  name: "Dominoes",
  summary: "Join tiles end to end, and be the first to have none.",
  order: 230,
  about: { players: [2, 4], minutes: [15, 40], age: 6, rules: "rules/dominoes.md" },
  table: { width: 8800, height: 7800, surface: "felt" },
  seats: ["South", "West", "North", "East"].map((name, hand) => ({ name, side: name.toLowerCase(), colour: players[name], hand })),
  sheet: { title: "Points", columns: ["South", "West", "North", "East"], rows: Array.from({ length: 12 }, (_, i) => `Round ${i + 1}`) },
  setup: "Double six",
  setups: [{ name: "Double nine", steps: [{ do: "move", kind: "More tiles", n: 27, to: "Boneyard" }] }],
  templates: [{
    name: "Front", ...size, shape: "rect", weight: "light", secret: true, mask: "Tile",
    faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: "dominoes/back.svg" }],
  }],
  decks: [
    { name: "Double six", template: "Front", rows: pairs.filter(([a]) => a <= 6).map(row) },
    { name: "Sevens to nines", template: "Front", rows: pairs.filter(([a]) => a > 6).map(row) },
  ],
  kinds: [
    {
      name: "Rack", width: places.wide, height: places.high, shape: "rect", weight: "heavy", hand: true, rack: true,
      grid: { x: (places.wide - (places.count - 1) * places.step) / 2, y: places.high / 2, stepX: places.step, stepY: 600, columns: places.count, rows: 1, cellNames: Array.from({ length: places.count }, (_, i) => String(i + 1)) },
      faces: [{ name: "Rack", art: "dominoes/rack.svg" }],
    },
    { name: "Tile", ...size, shape: "rect", weight: "light", faces: [{ name: "Face down", art: "dominoes/back.svg" }] },
    { name: "Boneyard", width: 1300, height: 1300, shape: "round", weight: "heavy", container: { draws: "random", takes: "Tile" }, faces: [{ name: "Boneyard", art: "dominoes/boneyard.svg" }] },
    { name: "More tiles", width: 1300, height: 900, shape: "rect", weight: "heavy", container: { draws: "random", takes: "Tile" }, faces: [{ name: "More tiles, for double nine", art: "dominoes/box.svg" }] },
    {
      name: "New round", width: 1300, height: 380, shape: "rect", weight: "heavy",
      button: { who: "host", cooldown: 1500, steps: [
        { do: "ask", name: "Tiles", question: "How many tiles does everybody get?", for: "number", min: 1, max: 12, initial: 7 },
        ...again,
      ] },
      faces: [{ name: "New round", art: "dominoes/new-round.svg" }],
    },
    {
      name: "Turn marker", width: 800, height: 800, shape: "round", weight: "light", seat: "turn", display: { x: 110, y: 330, width: 580, height: 140 },
      faces: [{ name: "Turn marker", art: "common/turn.svg" }],
    },
  ],
  pieces: [
    { kind: "Rack", x: 0, y: 3400, pinned: true },
    { kind: "Rack", x: -3900, y: 0, angle: 9000, pinned: true },
    { kind: "Rack", x: 0, y: -3400, angle: 18000, pinned: true },
    { kind: "Rack", x: 3900, y: 0, angle: 27000, pinned: true },
    { kind: "Boneyard", x: -3500, y: 3150, pinned: true, holds: [{ deck: "Double six" }] },
    { kind: "More tiles", x: 3500, y: -3200, pinned: true, holds: [{ deck: "Sevens to nines" }] },
    { kind: "New round", x: 3500, y: 3300, pinned: true },
    { kind: "Turn marker", x: -3500, y: -3200 },
  ],
};
