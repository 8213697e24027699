// Fox and geese: one fox against a flock, on a board in the shape of a cross.

import { animals, web } from "../hunts.mjs";
import { g, path } from "../svg.mjs";
import { walnut } from "../wood.mjs";

const step = 540;

/** Prints of a paw and of a webbed foot in the corners where no points are: geese go south, the fox north. */
function prints({ at, size }) {
  const paw = path("M0 -12C26 -12 52 22 44 44C38 60 16 50 0 50S-38 60 -44 44C-52 22 -26 -12 0 -12ZM-58 -34a16 24 0 1 0 1 0M58 -34a16 24 0 1 1 -1 0M-22 -74a17 26 0 1 0 1 0M22 -74a17 26 0 1 1 -1 0");
  const foot = path("M0 64L-62 -44Q-40 -34 -24 -34Q-8 -40 0 -70Q8 -40 24 -34Q40 -34 62 -44Z");
  const near = at + step / 2 - 60;
  const corner = (x, y, turn, sign) => g({ transform: `translate(${x} ${y}) rotate(${turn})` }, sign);
  const walk = (x, y, turn, sign) => [[-70, 130, -8], [90, -30, 8], [-60, -220, -8]].map(([i, k, lean]) => corner(x + i, y + k + 60, turn + lean, sign));
  return g({ fill: "#3a1f0e", fill_opacity: ".45" }, walk(near, near, 180, foot), walk(size - near, near, 180, foot), walk(near, size - near, 0, paw), walk(size - near, size - near, 0, paw));
}

const board = web({
  across: 7, step, margin: 320, wood: walnut,
  line: { edge: "#3a1f0e", body: "#efd5a0", eye: "#b98a54" },
  has: (x, y) => (x > 1 && x < 5) || (y > 1 && y < 5),
  adorned: prints,
});

export function* art() {
  yield ["fox-and-geese/board.svg", board.draw()];
  yield ["fox-and-geese/fox.svg", animals.hunter("fox")];
  yield ["fox-and-geese/goose.svg", animals.prey("goose")];
}

const animal = { width: 380, height: 380, shape: "round", weight: "light", upright: true };
const [first, of15, of17] = ["Goose", "Outer goose", "Front goose"];
const middle = -650; // of the board, beside which the tray lies
const standing = (kind, places) => places.map(([x, y]) => ({ kind, x: middle + (x - 3) * step, y: (y - 3) * step }));
const flock = Array.from({ length: 21 }, (_, i) => [i % 7, Math.floor(i / 7)]).filter(([x, y]) => y === 2 || (x > 1 && x < 5));

export const game = {
  name: "Fox and geese",
  summary: "A flock of geese wants to pen in the fox, and the fox wants to eat them.",
  order: 171,
  about: { players: [2, 2], minutes: [15, 25], age: 6, rules: "rules/fox-and-geese.md" },
  table: { width: 6600, height: 5200, surface: "felt" },
  seats: [
    { name: "Fox", side: "south", colour: "#cf5f1e", pieces: [1] },
    { name: "Geese", side: "north", colour: "#fffdf6" },
  ],
  setup: "17 geese",
  setups: [
    { name: "15 geese", without: [of17] },
    { name: "13 geese", without: [of17, of15] },
  ],
  kinds: [
    {
      name: "Board", width: board.width, height: board.height, shape: "rect", weight: "heavy", snaps: board.snaps,
      faces: [{ name: "Fox and geese board", art: "fox-and-geese/board.svg" }],
    },
    {
      name: "Tray", width: 1200, height: 4600, shape: "rect", weight: "heavy",
      grid: { x: 355, y: 365, stepX: 490, stepY: 430, columns: 2, rows: 10 },
      faces: [{ name: "Tray for captured geese", art: "common/tray.svg" }],
    },
    { name: "Fox", ...animal, width: 440, height: 440, faces: [{ name: "Fox", art: "fox-and-geese/fox.svg" }] },
    ...[first, of15, of17].map((name) => ({ name, ...animal, faces: [{ name: "Goose", art: "fox-and-geese/goose.svg" }] })),
  ],
  pieces: [
    { kind: "Board", x: middle, y: 0, pinned: true, locked: true },
    { kind: "Tray", x: 2450, y: 0, pinned: true, locked: true },
    ...standing(first, flock),
    ...standing(of15, [[0, 3], [6, 3]]),
    ...standing(of17, [[0, 4], [6, 4]]),
    ...standing("Fox", [[3, 3]]),
  ],
};
