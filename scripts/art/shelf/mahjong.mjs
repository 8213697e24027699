// Mahjong: 144 tiles with numbers in a corner, walls, melds and discards for four players.

import { atPlaces } from "../french.mjs";
import { front, rack, reverse } from "../ivory.mjs";
import { place, press, written } from "../parlour.mjs";
import { circle, d, el, ellipse, file, g, gradient, move, path, random, rect, use } from "../svg.mjs";
import { frame } from "../wood.mjs";

const [red, green, blue, dark] = ["#b3242c", "#1c7044", "#234f94", "#23272f"];
const high = 136;
const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

const corner = (text, ink) => written(String(text), 17, 21, 19, { stroke: ink, weight: 17 });
const below = (text, ink) => written(text, 50, 116, 11, { stroke: ink, weight: 15, gap: 34, wide: 76 });

// Chinese characters as strokes, 40 by 40.
const strokes = {
  1: "M4 20H36",
  2: "M9 10H31M4 31H36",
  3: "M8 7H32M10 20H30M4 34H36",
  4: "M5 7H35V34H5ZM15 7C15 18 13 22 8 25M24 7V20Q24 24 34 24",
  5: "M7 5H33M18 5L13 35M9 19H28V35M3 35H37",
  6: "M20 2V8M4 13H36M15 20L6 35M25 20L34 35",
  7: "M4 19L36 13M17 4V28Q17 34 33 33V27",
  8: "M15 8C14 20 10 28 4 35M23 6C26 20 30 28 37 35",
  9: "M4 13H26V29Q26 35 36 33V27M15 3C15 18 12 28 3 36",
  myriad: "M4 6H36M16 6C16 20 12 30 4 37M14 17H31C31 27 29 34 26 37L21 34",
  East: "M4 8H36M20 1V39M9 14H31V26H9ZM9 20H31M18 27L4 37M22 27L36 37",
  South: "M5 8H35M20 1V14M7 38V14H33V34Q33 38 28 37M15 18L17 23M25 18L23 23M12 25H28M12 31H28M20 25V37",
  West: "M4 5H36M6 14H34V36H6ZM15 5V14C15 22 13 25 9 27M25 5V25H32",
  North: "M15 4V36M4 15H15M4 34L15 29M25 4V31Q25 36 36 35V28M25 18L35 12",
  red: "M6 11H34V27H6ZM20 2V39",
  green: "M11 4L8 14H35M19 4C18 20 13 30 4 37M16 20H30C27 28 20 34 11 37M17 22C22 30 28 34 36 36M27 3L32 8",
};
const sign = (name, x, y, scale, ink, weight = 3.6) => path(strokes[name], { ...line, transform: move(x - 20 * scale, y - 20 * scale, `scale(${scale})`), stroke: ink, stroke_width: weight });

const spots = {
  1: [[50, 68]],
  2: [[50, 42], [50, 94]],
  3: [[30, 50], [52, 73], [74, 96]],
  4: [[32, 48], [68, 48], [32, 94], [68, 94]],
  5: [[30, 46], [70, 46], [50, 71], [30, 96], [70, 96]],
  6: [[34, 44], [66, 44], [34, 71], [66, 71], [34, 98], [66, 98]],
  7: [[43, 23], [60, 34], [77, 45], [38, 76], [66, 76], [38, 104], [66, 104]],
  8: [[44, 29], [72, 29], [44, 55], [72, 55], [44, 81], [72, 81], [44, 107], [72, 107]],
  9: [[26, 46], [50, 46], [74, 46], [26, 74], [50, 74], [74, 74], [26, 102], [50, 102], [74, 102]],
};
const radius = [0, 30, 20, 15, 16, 14.5, 13, 11.5, 11.5, 11.5];

/** A coin with a flower in its middle, of radius 1. */
const coin = (ink) => [
  circle(0, 0, 0.94, { fill: "#fffaf0", stroke: ink, stroke_width: ".13" }),
  path("M0-.62A.2.2 0 0 1 .3-.3.2.2 0 0 1 .62 0 .2.2 0 0 1 .3.3.2.2 0 0 1 0 .62.2.2 0 0 1-.3.3.2.2 0 0 1-.62 0 .2.2 0 0 1-.3-.3.2.2 0 0 1 0-.62Z", { fill: ink }),
  path("M-.12 0A.12.12 0 1 0 .12 0 .12.12 0 1 0-.12 0", { fill: "#fffaf0" }),
];

function coins(n) {
  const ink = (i) => (n === 1 ? red : [[blue], [green, red], [blue, red, green], [blue, green, green, blue], [blue, green, red, green, blue], [green, green, red, red, red, red], [green, green, green, red, red, red, red], [blue], [blue, blue, blue, red, red, red, green, green, green]][n - 1]?.[i] ?? blue);
  const used = [...new Set(spots[n].map((_, i) => ink(i)))];
  return front(
    high,
    el("defs", {}, used.map((one, i) => g({ id: `c${i}` }, coin(one)))),
    spots[n].map(([x, y], i) => use(`c${used.indexOf(ink(i))}`, { transform: move(x, y, `scale(${radius[n]})`) })),
    n === 1 ? circle(50, 68, 36, { ...line, stroke: green, stroke_width: 2.6, stroke_dasharray: ".1 5.55" }) : "",
    corner(n, dark),
  );
}

// Where the sticks of bamboo stand: x, y of their middle and their colour.
const at = (xs, y, ink = green) => xs.map((x) => [x, y, ink]);
const sticks = {
  2: [...at([50], 44), ...at([50], 95)],
  3: [...at([50], 44), ...at([34, 66], 95)],
  4: [...at([34, 66], 46), ...at([34, 66], 95)],
  5: [...at([34, 72], 46), ...at([53], 71, red), ...at([34, 72], 96)],
  6: [...at([32, 52, 72], 46), ...at([32, 52, 72], 95)],
  7: [...at([50], 27, red), ...at([28, 50, 72], 66), ...at([28, 50, 72], 103)],
  8: [...at([30, 50, 70], 42), ...at([40, 60], 72, blue), ...at([30, 50, 70], 102)],
  9: [...at([34], 40), ...at([52], 40, red), ...at([70], 40), ...at([34], 72), ...at([52], 72, red), ...at([70], 72), ...at([34], 104), ...at([52], 104, red), ...at([70], 104)],
};
const long = [0, 0, 44, 44, 42, 40, 42, 32, 27, 28];

const stick = (id, ink, size) => {
  const h = size / 2;
  return g(
    { id },
    path(d`M-4-${h}H4L3-${h - 4}V-3.5L4.6 0 3 3.5V${h - 4}L4 ${h}H-4L-3 ${h - 4}V3.5L-4.6 0-3-3.5V-${h - 4}Z`, { fill: ink, stroke: ink, stroke_width: 2.6, stroke_linejoin: "round" }),
    path(d`M-1-${h - 3}V-4M-1 4V${h - 3}`, { ...line, stroke: "#fff", stroke_opacity: ".55", stroke_width: 1.5 }),
  );
};

const leaf = "M0 0C4-9 14-13 24-11C19-2 10 3 0 0Z";

function bamboo(n) {
  if (n === 1) {
    return front(
      high,
      el("defs", {}, path(leaf, { id: "l" })),
      g({ stroke: green, stroke_width: 9, stroke_linecap: "butt" }, path("M50 122V98M50 95V71M50 68V44M50 41V26")),
      path("M44 96.5H56M44 69.5H56M44 42.5H56", { ...line, stroke: "#0e4427", stroke_width: 3.4 }),
      path("M47.6 119V100M47.6 92V73M47.6 65V46", { ...line, stroke: "#fff", stroke_opacity: ".5", stroke_width: 2 }),
      g({ fill: "#2b8a55", stroke: "#0e4427", stroke_width: 1 }, use("l", { transform: "translate(52 69) scale(1.4)" }), use("l", { transform: "translate(48 69) scale(-1.2 1.2) rotate(10)" }), use("l", { transform: "translate(52 43) rotate(-20)" }), use("l", { transform: "translate(48 43) scale(-.95 .95) rotate(24)" }), use("l", { transform: "translate(52 95) scale(1.1) rotate(18)" })),
      g({ fill: red, stroke: "#6d1218", stroke_width: 1 }, use("l", { transform: "translate(48 95) scale(-1.3 1.3) rotate(8)" })),
      corner(1, dark),
    );
  }
  const inks = [...new Set(sticks[n].map(([, , ink]) => ink))];
  return front(
    high,
    el("defs", {}, inks.map((ink, i) => stick(`s${i}`, ink, long[n]))),
    sticks[n].map(([x, y, ink]) => use(`s${inks.indexOf(ink)}`, { transform: move(n > 5 ? x + 4 : x, y) })),
    corner(n, dark),
  );
}

const character = (n) => front(high, sign(n, 55, 44, 1.12, blue, 4), sign("myriad", 50, 95, 1.2, red, 4), corner(n, dark));
const wind = (name) => front(high, sign(name, 52, 66, 1.5, dark), corner(name[0], red), below(name.toUpperCase(), dark));

const dragons = {
  Red: () => front(high, sign("red", 50, 58, 1.7, red, 4.4), below("RED", red)),
  Green: () => front(high, sign("green", 50, 58, 1.6, green, 3.6), below("GREEN", green)),
  White: () => front(high, rect(21, 22, 58, 74, { rx: 6, fill: "none", stroke: blue, stroke_width: 5 }), rect(29, 30, 42, 58, { rx: 3, fill: "none", stroke: blue, stroke_width: 2 }), below("WHITE", blue)),
};

const around = (n, shape, look) => Array.from({ length: n }, (_, i) => path(shape, { ...look, transform: i ? `rotate(${(360 / n) * i})` : undefined }));
const pictures = {
  Plum: [path("M-30 36C-14 18-6 4 2-4M-16 20C-22 8-26 2-32-4", { ...line, stroke: "#5d3a22", stroke_width: 4 }), g({ transform: "translate(8 -8)" }, around(5, "M0-3C-13-8-11-26 0-27C11-26 13-8 0-3Z", { fill: "#d5576f", stroke: "#8d2339", stroke_width: 1.4 }), circle(0, 0, 5, { fill: "#f2c14e", stroke: "#8a5a0c" })), circle(-32, -6, 6, { fill: "#d5576f", stroke: "#8d2339" })],
  Orchid: [path("M-4 38C-22 22-26-4-34-16M0 38C8 16 20 0 36-8M-2 38C-2 22 0 14 2 2", { ...line, stroke: green, stroke_width: 4 }), g({ transform: "translate(2 -12)" }, around(3, "M0-2C-8-10-6-24 0-28C6-24 8-10 0-2Z", { fill: "#8f5bb0", stroke: "#4c2766", stroke_width: 1.4 }), path("M0 0C-10 0-12 12 0 18C12 12 10 0 0 0Z", { fill: "#f2e3f8", stroke: "#4c2766", stroke_width: 1.4 }))],
  Chrysanthemum: [path("M0 38V4M0 30C-10 30-18 24-22 16M0 24C10 24 16 18 20 12", { ...line, stroke: green, stroke_width: 4 }), g({ transform: "translate(0 -10)" }, around(12, "M0-4C-5-12-4-24 0-27C4-24 5-12 0-4Z", { fill: "#e9a62c", stroke: "#8a5a0c", stroke_width: 1.2 }), circle(0, 0, 7, { fill: "#a8601a" }))],
  Bamboo: [path("M-12 40V-30M8 40V-18", { stroke: green, stroke_width: 6 }), path("M-17 18H-7M-17-6H-7M3 22H13M3 2H13", { ...line, stroke: "#0e4427", stroke_width: 2.6 }), g({ fill: "#2b8a55" }, [[-10, -6, 1.1, -10], [10, 2, 1, -24], [10, 22, 0.9, 10]].map(([x, y, s, r]) => path(leaf, { transform: move(x, y, `rotate(${r}) scale(${s})`) })), path(leaf, { transform: "translate(-14 18) scale(-.9 .9)" }))],
  Spring: [path("M-30 36H30", { ...line, stroke: "#5d3a22", stroke_width: 5 }), path("M0 36V-2", { ...line, stroke: green, stroke_width: 4.4 }), g({ fill: "#46a863", stroke: green, stroke_width: 1.6 }, path("M0 4C4-20 20-28 36-26C34-8 20 6 0 4Z"), path("M0 14C-4-6-18-14-32-12C-30 4-18 16 0 14Z"))],
  Summer: [around(12, "M-3-21L0-36L3-21Z", { fill: "#e9a62c", stroke: "#e9a62c", stroke_linejoin: "round" }), circle(0, 0, 19, { fill: "#f6c945", stroke: "#b3761a", stroke_width: 2 })],
  Autumn: [path("M0 36V2", { ...line, stroke: "#5d3a22", stroke_width: 4 }), path("M0 20C-8 18-18 20-26 14L-22 6-36-6-26-8-24-18-12-10-12-30-4-24 0-36 4-24 12-30 12-10 24-18 26-8 36-6 22 6 26 14C18 20 8 18 0 20Z", { fill: "#c5562a", stroke: "#7a2e12", stroke_width: 1.8, stroke_linejoin: "round" }), path("M0 18V-18M0 6L-16-2M0 6L16-2", { ...line, stroke: "#7a2e12", stroke_width: 1.6 })],
  Winter: around(6, "M0 0V-36M0-22L-9-31M0-22L9-31M0-12L-6-18M0-12L6-18", { ...line, stroke: "#3f7fb5", stroke_width: 3.6 }),
};
const bonus = (name, n, ink) => front(high, g({ transform: "translate(52 63)" }, pictures[name]), corner(n, ink), below(name.toUpperCase(), ink));

/** A disc with the four winds, which shows each player their wind. */
function compass() {
  const names = ["EAST", "NORTH", "WEST", "SOUTH"]; // from the south on, clockwise
  return file(
    2000,
    2000,
    el("defs", {}, gradient("radial", "a", { cx: "0.4", cy: "0.3", r: "0.9" }, [[0, "#7d5233"], [0.6, "#5f3a22"], [1, "#3d2312"]])),
    circle(1000, 1000, 990, { fill: "url(#a)", stroke: "#24130a", stroke_width: 16 }),
    circle(1000, 1000, 950, { fill: "none", stroke: "#d9b26a", stroke_width: 12 }),
    circle(1000, 1000, 968, { fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 8 }),
    names.map((name, i) =>
      g({ transform: i ? `rotate(${90 * i} 1000 1000)` : undefined },
        i === 0 ? path("M640 1612H1360L1290 1880Q1000 1960 710 1880Z", { fill: "#a3262b", stroke: "#d9b26a", stroke_width: 10, stroke_linejoin: "round" }) : "",
        written(name, 1000, 1735, 130, { stroke: "#f6e4bd", weight: 15 }),
        path("M1000 1560l34 34-34 34-34-34Z", { fill: "#d9b26a" }),
        path("M1560 1560l-60-8 0 60Z", { fill: "#d9b26a", fill_opacity: ".7" }))),
  );
}

/** The wall, 1100 square: tiles on their faces around a field of felt. */
function wall() {
  const next = random(4);
  const brick = (x, y) => use("t", { transform: move(x + Math.round(4 * next()), y + Math.round(4 * next())) });
  const side = Array.from({ length: 9 }, (_, i) => brick(168 + 85 * i, 60));
  return file(
    1100,
    1100,
    el("defs", {}, g({ id: "t" },
      rect(0, 0, 82, 112, { rx: 12, fill: "#e9dcb9", stroke: "#4d3a1c", stroke_width: 5 }),
      rect(3, 3, 76, 98, { rx: 10, fill: "#24684f" }),
      rect(13, 13, 56, 78, { rx: 6, fill: "none", stroke: "#d9b26a", stroke_width: 5 })), g({ id: "s" }, side)),
    rect(6, 6, 1088, 1088, { rx: 80, fill: frame.plank, stroke: "#24130a", stroke_width: 12 }),
    rect(40, 40, 1020, 1020, { rx: 56, fill: "#1f3d33", stroke: "#d9b26a", stroke_width: 8 }),
    [0, 90, 180, 270].map((turn) => use("s", { transform: turn ? `rotate(${turn} 550 550)` : undefined })),
    written("WALL", 550, 550, 110, { stroke: "#d9b26a", stroke_opacity: ".8", weight: 12 }),
    ellipse(550, 640, 150, 6, { fill: "#d9b26a", fill_opacity: ".5" }),
  );
}

const winds = ["East", "South", "West", "North"];

/** A disc with the wind of the round. */
const round = (name) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.15", x2: "0.8", y2: "1" }, [[0, "#fff0b8"], [0.35, "#e3ba5d"], [1, "#a2742a"]])),
    circle(50, 50, 48, { fill: "url(#a)", stroke: "#5e3f10", stroke_width: 2.4 }),
    circle(50, 50, 40, { fill: "#fff8e6", stroke: "#7d5718", stroke_width: 1.6 }),
    sign(name, 50, 44, 0.95, red),
    written(name.toUpperCase(), 50, 74, 8, { stroke: dark, weight: 15 }),
  );

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const flowers = ["Plum", "Orchid", "Chrysanthemum", "Bamboo"];
const seasons = ["Spring", "Summer", "Autumn", "Winter"];
const picture = (name) => `mahjong/${name}.svg`;

export function* art() {
  for (const n of numbers) {
    yield [picture(`coins-${n}`), coins(n)];
    yield [picture(`bamboo-${n}`), bamboo(n)];
    yield [picture(`character-${n}`), character(n)];
  }
  for (const name of winds) {
    yield [picture(name.toLowerCase()), wind(name)];
    yield [picture(`round-${name.toLowerCase()}`), round(name)];
  }
  for (const [name, draw] of Object.entries(dragons)) yield [picture(`${name.toLowerCase()}-dragon`), draw()];
  for (const [i, name] of flowers.entries()) yield [picture(`flower-${i + 1}`), bonus(name, i + 1, red)];
  for (const [i, name] of seasons.entries()) yield [picture(`season-${i + 1}`), bonus(name, i + 1, blue)];
  yield [picture("back"), reverse(high, { lit: "#3b8a6c", body: "#24684f", deep: "#123f2e" })];
  yield [picture("rack"), rack(4800, 640, "#2a4a3c")];
  yield [picture("wall"), wall()];
  yield [picture("compass"), compass()];
  yield [picture("discards"), place(1900, 1680, "DISCARDS")];
  yield [picture("melds"), place(4300, 800, "MELDS AND FLOWERS")];
  yield [picture("deal"), press("DEAL", 1500)];
  yield [picture("next-dealer"), press("NEXT DEALER", 1500)];
}

const size = { width: 280, height: 380 };
const four = (name, path) => ({ name, count: 4, picture: picture(path) });
const heavy = { shape: "rect", weight: "heavy" };
const places = [
  { name: "Jade", side: "south", colour: "#3f9c78", angle: 0, turn: ([x, y]) => [x, y] },
  { name: "Coral", side: "east", colour: "#d2604e", angle: 27000, turn: ([x, y]) => [y, -x] },
  { name: "Amber", side: "north", colour: "#d8a23a", angle: 18000, turn: ([x, y]) => [-x, -y] },
  { name: "Indigo", side: "west", colour: "#5a68b5", angle: 9000, turn: ([x, y]) => [-y, x] },
];
const things = [["Rack", 4180], ["Melds", 3200], ["Discards", 1910]];
const sitting = {
  from: 0,
  seats: places.map(({ name, side, colour }, i) => ({ name, side, colour, hand: 3 * i, pieces: [3 * i + 1, 3 * i + 2] })),
  pieces: places.flatMap(({ angle, turn }) => things.map(([kind, away]) => {
    const [x, y] = turn([0, away]);
    return { kind, x: x || 0, y: y || 0, angle: angle || undefined, pinned: true };
  })),
};
const own = atPlaces(sitting, [
  {
    name: "Rack", width: 4800, height: 640, ...heavy, hand: true, rack: true,
    grid: { x: 2400 - 7.5 * 290, y: 300, stepX: 290, stepY: 400, columns: 16, rows: 1, cellNames: Array.from({ length: 16 }, (_, i) => String(i + 1)) },
    faces: [{ name: "Rack", art: picture("rack") }],
  },
  { name: "Melds", width: 4300, height: 800, ...heavy, zone: { lay: "grid", gap: 290, down: 390, takes: ["Tile"], turns: "keep" }, faces: [{ name: "Melds", art: picture("melds") }] },
  { name: "Discards", width: 1900, height: 1680, ...heavy, zone: { lay: "grid", gap: 300, down: 400, takes: ["Tile"], turns: "up" }, faces: [{ name: "Discards", art: picture("discards") }] },
], 3);
const deal = [{ do: "recall", kind: "Wall" }, { do: "shuffle", kind: "Wall" }, { do: "deal", kind: "Wall", n: 13 }];

export const game = {
  name: "Mahjong",
  summary: "Draw and discard tiles until you have four sets and a pair.",
  order: 250,
  about: { players: [3, 4], minutes: [60, 120], age: 10, rules: "rules/mahjong.md" },
  table: { width: 9200, height: 9200, surface: "felt" },
  seats: sitting.seats,
  setup: "144 tiles",
  players: [4, 4],
  setups: [
    { name: "Without flowers and seasons", players: [4, 4], without: [...flowers.map((name, i) => `Flower ${i + 1}, ${name.toLowerCase()}`), ...seasons.map((name, i) => `Season ${i + 1}, ${name.toLowerCase()}`)] },
    { name: "3 players", players: [3, 3], without: [2, 3, 4, 5, 6, 7, 8].map((n) => `${n} of characters`).concat(own.without(3)) },
  ],
  sheet: { title: "Points", columns: places.map(({ name }) => name), rows: Array.from({ length: 16 }, (_, i) => `Hand ${i + 1}`) },
  templates: [{
    name: "Front", ...size, shape: "rect", weight: "light", turn: 90, secret: true, mask: "Tile",
    faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: picture("back") }],
  }],
  decks: [{
    name: "Tiles", template: "Front", rows: [
      ...numbers.map((n) => four(`${n} of characters`, `character-${n}`)),
      ...numbers.map((n) => four(`${n} of coins`, `coins-${n}`)),
      ...numbers.map((n) => four(`${n} of bamboo`, `bamboo-${n}`)),
      ...winds.map((name) => four(`${name} wind`, name.toLowerCase())),
      ...Object.keys(dragons).map((name) => four(`${name} dragon`, `${name.toLowerCase()}-dragon`)),
      ...flowers.map((name, i) => ({ name: `Flower ${i + 1}, ${name.toLowerCase()}`, picture: picture(`flower-${i + 1}`) })),
      ...seasons.map((name, i) => ({ name: `Season ${i + 1}, ${name.toLowerCase()}`, picture: picture(`season-${i + 1}`) })),
    ],
  }],
  kinds: [
    ...own.kinds,
    { name: "Compass of winds", width: 2000, height: 2000, shape: "round", weight: "heavy", faces: [{ name: "Compass of winds", art: picture("compass") }] },
    { name: "Wall", width: 1100, height: 1100, ...heavy, container: { draws: "top", takes: "Tile" }, faces: [{ name: "Wall", art: picture("wall") }] },
    { name: "Tile", ...size, shape: "rect", weight: "light", turn: 90, faces: [{ name: "Face down", art: picture("back") }] },
    { name: "Wind of the round", width: 700, height: 700, shape: "round", weight: "light", faces: winds.map((name) => ({ name: `${name} round`, art: picture(`round-${name.toLowerCase()}`) })) },
    { name: "Die", width: 360, height: 360, shape: "rect", weight: "light", die: { cooldown: 1000 }, faces: numbers.slice(0, 6).map((n) => ({ name: String(n), art: `dice/six-${n}.svg` })) },
    { name: "Deal", width: 1500, height: 380, ...heavy, button: { who: "host", cooldown: 1500, steps: deal }, faces: [{ name: "Deal", art: picture("deal") }] },
    { name: "Next dealer", width: 1500, height: 380, ...heavy, button: { cooldown: 1500, steps: [{ do: "rotate", kind: "Compass of winds", by: 27000 }] }, faces: [{ name: "Next dealer", art: picture("next-dealer") }] },
  ],
  pieces: [
    ...sitting.pieces,
    { kind: "Compass of winds", x: 0, y: 0 },
    { kind: "Wall", x: 0, y: 0, pinned: true, holds: [{ deck: "Tiles" }], shuffled: true },
    { kind: "Wind of the round", x: -3400, y: 3100 },
    { kind: "Die", x: -3650, y: 3800, face: 2 },
    { kind: "Die", x: -3150, y: 3800, face: 4 },
    { kind: "Deal", x: 3500, y: 3300, pinned: true },
    { kind: "Next dealer", x: 3500, y: 3850, pinned: true },
  ],
};
