// Bingo with 75 balls: twelve cards of five by five, a board for what was called, and a bag.

import { width as widthOf, word } from "../glyphs.mjs";
import { bowl, players, press, tray, written } from "../parlour.mjs";
import { circle, el, file, g, gradient, path, random, rect, use } from "../svg.mjs";

const letters = [..."BINGO"];
const looks = [["#2f5fa8", "#7fa3d8"], ["#b2343a", "#e58a86"], ["#5d4a33", "#b59a76"], ["#2c7a4c", "#80bd97"], ["#b0650f", "#eab066"]];
const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };
const nameOf = (n) => `${letters[Math.ceil(n / 15) - 1]}${n}`;

/** The columns of a card: five numbers each of fifteen, and none in the middle. */
function numbers(seed) {
  const next = random(Math.imul(seed, 2654435761));
  for (let i = 0; i < 8; i++) next();
  return letters.map((_, column) => {
    const left = Array.from({ length: 15 }, (_, i) => 15 * column + i + 1);
    const all = Array.from({ length: 5 }, () => left.splice(Math.floor(next() * left.length), 1)[0]).sort((a, b) => a - b);
    if (column === 2) all[2] = 0;
    return all;
  });
}

/** The figures as definitions, 100 high around 0, 0. */
const figures = [..."0123456789"].map((c) => path(word(c), { id: `n${c}`, transform: "translate(0 -50)" }));

/** A number of up to two figures, its middle at x, y. */
function number(n, x, y) {
  const all = [...String(n)];
  let at = x - widthOf(String(n)) / 2;
  return all.map((c) => {
    const one = use(`n${c}`, { x: Math.round(at + widthOf(c) / 2), y });
    at += widthOf(c) + 24;
    return one;
  });
}

const cell = 320;
const star = "M0-110L26-36L105-34L43 14L65 90L0 46L-65 90L-43 14L-105-34L-26-36Z";

/** A card, 1700 by 2000. */
function card(seed) {
  const columns = numbers(seed);
  let lines = "";
  for (let i = 1; i < 5; i++) lines += `M${50 + cell * i} 350V1950M50 ${350 + cell * i}H1650`;
  return file(
    1700,
    2000,
    el("defs", {}, figures),
    rect(4, 4, 1692, 1992, { rx: 60, fill: "#5f3a22", stroke: "#2c180b", stroke_width: 8 }),
    rect(26, 26, 1648, 1948, { rx: 44, fill: "none", stroke: "#d9b26a", stroke_width: 8 }),
    letters.map((letter, i) => written(letter, 210 + cell * i, 195, 170, { stroke: "#f6e4bd", weight: 15 })),
    rect(50, 350, 1600, 1600, { rx: 22, fill: "#fbf5e4" }),
    looks.map(([, tint], i) => rect(50 + cell * i, 350, cell, 1600, { fill: tint, fill_opacity: ".2" })),
    path(lines, { stroke: "#8d7a52", stroke_width: 8 }),
    path(star, { transform: "translate(850 1150)", fill: "#d9b26a", stroke: "#8d6a24", stroke_width: 8, stroke_linejoin: "round" }),
    g({ ...line, transform: "scale(1.3)", stroke: "#2b2320", stroke_width: 13 },
      columns.flatMap((all, column) => all.map((n, row) => (n ? number(n, Math.round((210 + cell * column) / 1.3), Math.round((510 + cell * row) / 1.3)) : "")))),
  );
}

/** The board of what was called, 5400 by 1900: a row for each letter. */
function called() {
  let lines = "";
  for (let i = 1; i < 15; i++) lines += `M${450 + cell * i} 150v1600`;
  for (let i = 1; i < 5; i++) lines += `M450 ${150 + cell * i}h4800`;
  return file(
    5400,
    1900,
    el("defs", {}, figures),
    tray(5400, 1900, "#28453a", 120),
    looks.map(([ink], i) => rect(140, 150 + cell * i + 14, 290, cell - 28, { rx: 30, fill: ink })),
    letters.map((letter, i) => written(letter, 285, 150 + cell * (i + 0.5), 170, { stroke: "#fff8e8", weight: 15 })),
    path(lines, { stroke: "#fff", stroke_opacity: ".16", stroke_width: 7 }),
    g({ ...line, transform: "scale(1.1)", stroke: "#fff", stroke_opacity: ".55", stroke_width: 10 },
      Array.from({ length: 75 }, (_, i) => number(i + 1, Math.round((610 + cell * (i % 15)) / 1.1), Math.round((310 + cell * Math.floor(i / 15)) / 1.1)))),
  );
}

/** A ball: its letter and its number on a white field. */
function ball(n) {
  const column = Math.ceil(n / 15) - 1;
  const [ink, tint] = looks[column];
  const scale = 0.32;
  return file(
    100,
    100,
    circle(50, 50, 48, { fill: ink, stroke: "#1d1a18", stroke_width: 2 }),
    path("M13 40A40 40 0 0 1 44 11", { ...line, stroke: tint, stroke_width: 7 }),
    circle(50, 51, 36, { fill: "#fffdf7" }),
    g({ ...line, stroke: "#1d1a18" },
      path(word(letters[column]), { transform: "translate(50 22) scale(.17)", stroke: ink, stroke_width: 26 }),
      path(word(String(n), 20), { transform: `translate(50 ${Math.round((63 - 50 * scale) * 10) / 10}) scale(${scale})`, stroke_width: 16 })),
  );
}

/** A chip that lets the number below it be read. */
const chip = () =>
  file(
    100,
    100,
    circle(50, 50, 46, { fill: "#c8322b", fill_opacity: ".38", stroke: "#7c1512", stroke_width: 6 }),
    circle(50, 50, 37, { fill: "none", stroke: "#fff", stroke_opacity: ".8", stroke_width: 3, stroke_dasharray: "9 6" }),
  );

const chips = () => bowl([[34, 62], [62, 66], [46, 42], [70, 46], [27, 42], [52, 56]].map(([x, y]) => circle(x, y, 14, { fill: "#c8322b", stroke: "#7c1512", stroke_width: 2.4 }) + circle(x, y, 9, { fill: "none", stroke: "#fff", stroke_width: 1.4, stroke_dasharray: "3 2" })));

/** The stand for the last ball. */
const stand = () =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "a", {}, [[0, "#000", 0.55], [0.7, "#000", 0.25], [1, "#000", 0]])),
    circle(50, 50, 49, { fill: "#5f3a22", stroke: "#2c180b", stroke_width: 2 }),
    circle(50, 50, 43, { fill: "none", stroke: "#d9b26a", stroke_width: 1.6 }),
    circle(50, 50, 32, { fill: "#2c180b" }),
    circle(50, 50, 32, { fill: "url(#a)", stroke: "#d9b26a", stroke_width: 1 }),
  );

const cards = Array.from({ length: 12 }, (_, i) => i + 1);

export function* art() {
  for (const i of cards) yield [`bingo/card-${i}.svg`, card(1000 + 37 * i)];
  for (let n = 1; n <= 75; n++) yield [`bingo/ball-${n}.svg`, ball(n)];
  yield ["bingo/called.svg", called()];
  yield ["bingo/chip.svg", chip()];
  yield ["bingo/chips.svg", chips()];
  yield ["bingo/stand.svg", stand()];
  yield ["bingo/next.svg", press("NEXT BALL", 1500, 480)];
  yield ["bingo/new-game.svg", press("NEW GAME", 1500, 480)];
}

const balls = Array.from({ length: 75 }, (_, i) => i + 1);
const cellsOf = (columns) => Array.from({ length: 25 }, (_, i) => (i === 12 ? "free" : nameOf(columns[i % 5][Math.floor(i / 5)])));

// Where the first card, the second card and the bowl of a player are, and how they are turned.
const seats = [
  { x: [-3420, -1680, -400], y: [3900, 3900, 4000], angle: 0 },
  { x: [3420, 1680, 400], y: [-3900, -3900, -4000], angle: 18000 },
  { x: [-5600, -5600, -5600], y: [-870, 870, 2250], angle: 9000 },
  { x: [5600, 5600, 5600], y: [870, -870, -2250], angle: 27000 },
  { x: [1680, 3420, 400], y: [3900, 3900, 4000], angle: 0 },
  { x: [-1680, -3420, -400], y: [-3900, -3900, -4000], angle: 18000 },
];

export const game = {
  name: "Bingo",
  summary: "Mark the numbers that are called, until five in a line are yours.",
  order: 410,
  about: { players: [2, 6], minutes: [10, 20], age: 5, rules: "rules/bingo.md" },
  table: { width: 13600, height: 10200, surface: "wood" },
  seats: Object.entries(players).map(([name, colour], i) => ({ name, side: seats[i].angle, colour, pieces: [3 * i, 3 * i + 1, 3 * i + 2] })),
  setup: "Two cards each",
  setups: [{ name: "One card each", without: cards.filter((i) => i % 2 === 0).map((i) => `Card ${i}`) }],
  kinds: [
    ...cards.map((i) => ({
      name: `Card ${i}`, width: 1700, height: 2000, shape: "rect", weight: "heavy",
      grid: { x: 210, y: 510, stepX: cell, stepY: cell, columns: 5, rows: 5, cellNames: cellsOf(numbers(1000 + 37 * i)) },
      faces: [{ name: `Bingo card ${i}`, art: `bingo/card-${i}.svg` }],
    })),
    ...balls.map((n) => ({ name: `Ball ${nameOf(n)}`, width: 310, height: 310, shape: "round", weight: "light", faces: [{ name: `Ball ${nameOf(n)}`, art: `bingo/ball-${n}.svg` }] })),
    {
      name: "Called numbers", width: 5400, height: 1900, shape: "rect", weight: "heavy",
      grid: { x: 610, y: 310, stepX: cell, stepY: cell, columns: 15, rows: 5, cellNames: balls.map(nameOf) },
      faces: [{ name: "Called numbers", art: "bingo/called.svg" }],
    },
    { name: "Bag", width: 1300, height: 1300, shape: "round", weight: "heavy", container: { draws: "random" }, faces: [{ name: "Bag of balls", art: "tokens/bag.svg" }] },
    { name: "Stand", width: 900, height: 900, shape: "round", weight: "heavy", zone: { lay: "pile", turns: "keep" }, faces: [{ name: "Stand for the last ball", art: "bingo/stand.svg" }] },
    { name: "Chip", width: 300, height: 300, shape: "round", weight: "light", faces: [{ name: "Chip", art: "bingo/chip.svg" }] },
    { name: "Chips", width: 700, height: 700, shape: "round", weight: "heavy", supply: { of: "Chip" }, faces: [{ name: "Chips", art: "bingo/chips.svg" }] },
    { name: "Next ball", width: 1500, height: 480, shape: "rect", weight: "heavy", button: { cooldown: 1500, steps: [{ do: "move", kind: "Bag", n: 1, to: "Stand" }] }, faces: [{ name: "Next ball", art: "bingo/next.svg" }] },
    { name: "New game", width: 1500, height: 480, shape: "rect", weight: "heavy", button: { who: "host", steps: [{ do: "recall", kind: "Bag" }, { do: "move", kind: "Bag", n: 1, to: "Stand" }] }, faces: [{ name: "New game", art: "bingo/new-game.svg" }] },
  ],
  pieces: [
    ...seats.flatMap(({ x, y, angle }, i) => ["Card", "Card", "Chips"].map((kind, n) => ({
      kind: n === 2 ? kind : `Card ${2 * i + n + 1}`, x: x[n], y: y[n], angle: angle || undefined, pinned: true, locked: n === 2 ? undefined : true,
    }))),
    { kind: "Called numbers", x: 900, y: -700, pinned: true, locked: true },
    { kind: "Bag", x: -3100, y: -1000, pinned: true, holds: balls.map((n) => `Ball ${nameOf(n)}`) },
    { kind: "Stand", x: -3100, y: 700, pinned: true },
    { kind: "Next ball", x: -1300, y: 1000, pinned: true },
    { kind: "New game", x: 2850, y: 1000, pinned: true },
  ],
};
