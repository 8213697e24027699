// Bingo with 75 balls: twelve cards of five by five, a board for what was called, and a bag.

import { width as widthOf, word } from "../glyphs.mjs";
import { players, press, tray, written } from "../parlour.mjs";
import { when } from "../steps.mjs";
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
    letters.map((letter, i) => written(letter, 210 + cell * i, 215, 140, { stroke: "#f6e4bd", weight: 15 })),
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

/** A field that is not covered: nothing is drawn, and the number below it shows. */
const open = () => file(100, 100);

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
  yield ["bingo/open.svg", open()];
  yield ["bingo/stand.svg", stand()];
  yield ["bingo/next.svg", press("NEXT BALL", 1500, 480)];
  yield ["bingo/new-game.svg", press("NEW GAME", 1500, 480)];
}

const balls = Array.from({ length: 75 }, (_, i) => i + 1);
const cellsOf = (columns) => Array.from({ length: 25 }, (_, i) => (i === 12 ? "free" : nameOf(columns[i % 5][Math.floor(i / 5)])));

// Where the two cards of each player lie. All look from one side: they share the balls.
const seats = [[0, 2200], [0, -2200], [-3750, 2200], [3750, -2200], [3750, 2200], [-3750, -2200]];
const places = seats.flatMap(([x, y]) => [{ x: x - 890, y }, { x: x + 890, y }]);

// Each number has a field with two faces, open and covered. Those of second cards are of another
// kind, which the set-up with one card each lacks.
const fieldOf = (i) => (i % 2 === 0 ? "Field" : "Field of the second card");
const fields = (i) => Array.from({ length: 25 }, (_, at) => at).filter((at) => at !== 12).map((at) => ({
  kind: fieldOf(i), x: places[i].x - 850 + 210 + cell * (at % 5), y: places[i].y - 1000 + 510 + cell * Math.floor(at / 5),
}));

export const game = {
  name: "Bingo",
  summary: "Mark the numbers that are called, until five in a line are yours.",
  order: 410,
  about: { players: [2, 6], minutes: [10, 20], age: 5, rules: "rules/bingo.md" },
  table: { width: 11400, height: 6800, surface: "wood" },
  seats: Object.values(players).map((colour, i) => ({ name: `Player ${i + 1}`, side: "south", colour, pieces: [2 * i, 2 * i + 1] })),
  setup: "Two cards each",
  setups: [{ name: "One card each", without: [...cards.filter((i) => i % 2 === 0).map((i) => `Card ${i}`), fieldOf(1)] }],
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
    ...[0, 1].map((i) => ({ name: fieldOf(i), width: 300, height: 300, shape: "round", weight: "light", faces: [{ name: "Open", art: "bingo/open.svg" }, { name: "Covered", art: "bingo/chip.svg" }] })),
    { name: "Next ball", width: 1500, height: 480, shape: "rect", weight: "heavy", button: { cooldown: 1500, steps: [{ do: "move", kind: "Bag", n: 1, to: "Stand" }] }, faces: [{ name: "Next ball", art: "bingo/next.svg" }] },
    { name: "New game", width: 1500, height: 480, shape: "rect", weight: "heavy", button: { who: "host", steps: [{ do: "face", kind: fieldOf(0), face: 0 }, { do: "recall", kind: "Bag" }, when({ of: "pieces", kind: fieldOf(1), is: ">", n: 0 }, [{ do: "face", kind: fieldOf(1), face: 0 }]), { do: "move", kind: "Bag", n: 1, to: "Stand" }] }, faces: [{ name: "New game", art: "bingo/new-game.svg" }] },
  ],
  pieces: [
    ...places.map((at, i) => ({ kind: `Card ${i + 1}`, ...at, pinned: true, locked: true })),
    { kind: "Called numbers", x: 500, y: 0, pinned: true, locked: true },
    { kind: "Bag", x: -4800, y: 0, pinned: true, holds: balls.map((n) => `Ball ${nameOf(n)}`) },
    { kind: "Stand", x: -3200, y: -280, pinned: true },
    { kind: "Next ball", x: -3200, y: 560, pinned: true },
    { kind: "New game", x: 4600, y: 0, pinned: true },
    ...places.flatMap((_, i) => fields(i)),
  ],
};
