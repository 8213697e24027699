// Bagh-chal, the game of Nepal: four tigers against twenty goats.

import { tray } from "../boards.mjs";
import { kaya } from "../crossings.mjs";
import { animals, web } from "../hunts.mjs";
import { circle, g, path } from "../svg.mjs";

const step = 680;

// The pen lies between the board and whoever plays the goats: so it is in sight in a narrow window,
// too, which shows the board as wide as it is.
const [columns, rows] = [7, 3];
const pen = { x: 0, y: -1990, width: 3720, height: 1450, stepX: 490, stepY: 410 };
const middle = 810; // of the board

/** Flowers around the middle and the points where diagonals meet. */
function flowers({ at }) {
  const petals = [0, 45, 90, 135, 180, 225, 270, 315].map((turn) => path("M0 -26C26 -58 20 -92 0 -112C-20 -92 -26 -58 0 -26Z", { transform: `rotate(${turn})` }));
  return g({ transform: `translate(${at + 2 * step} ${at + 2 * step})`, fill: "#9c3b22", fill_opacity: ".8" },
    [-1, 1].flatMap((x) => [-1, 1].map((y) => g({ transform: `translate(${x * step} ${y * step}) scale(3)`, fill_opacity: ".32" }, petals))),
    g({ transform: "scale(3)", fill_opacity: ".45" }, petals, circle(0, 0, 132, { fill: "none", stroke: "#9c3b22", stroke_width: 6, stroke_opacity: ".5" })));
}

const board = web({
  across: 5, step, margin: 330, wood: kaya,
  line: { edge: "#f6dda6", body: "#5a2412", eye: "#c9713c" },
  adorned: flowers,
});

export function* art() {
  yield ["bagh-chal/board.svg", board.draw()];
  yield ["bagh-chal/pen.svg", tray(pen.width, pen.height)];
  yield ["bagh-chal/tiger.svg", animals.hunter("tiger")];
  yield ["bagh-chal/goat.svg", animals.prey("goat")];
}

const animal = { height: 400, width: 400, shape: "round", weight: "light", upright: true };

export const game = {
  name: "Bagh-chal",
  summary: "Four tigers hunt, and twenty goats try to leave them no way to move. A game of Nepal.",
  order: 172,
  about: { players: [2, 2], minutes: [15, 40], age: 7, rules: "rules/bagh-chal.md" },
  table: { width: 7400, height: 5700, surface: "felt" },
  seats: [
    { name: "Tigers", side: "south", colour: "#e2902e", pieces: [2] },
    { name: "Goats", side: "north", colour: "#fffaf0", pieces: [1] },
  ],
  kinds: [
    {
      name: "Board", width: board.width, height: board.height, shape: "rect", weight: "heavy", snaps: board.snaps,
      faces: [{ name: "Bagh-chal board", art: "bagh-chal/board.svg" }],
    },
    {
      name: "Pen", width: pen.width, height: pen.height, shape: "rect", weight: "heavy",
      grid: {
        x: (pen.width - (columns - 1) * pen.stepX) / 2, y: (pen.height - (rows - 1) * pen.stepY) / 2,
        stepX: pen.stepX, stepY: pen.stepY, columns, rows,
      },
      faces: [{ name: "Pen for goats", art: "bagh-chal/pen.svg" }],
    },
    {
      name: "Tray", width: 1200, height: 1450, shape: "rect", weight: "heavy",
      grid: { x: 355, y: 315, stepX: 490, stepY: 410, columns: 2, rows: 3 },
      faces: [{ name: "Tray for captured goats", art: "common/short-tray.svg" }],
    },
    { name: "Tiger", ...animal, width: 460, height: 460, faces: [{ name: "Tiger", art: "bagh-chal/tiger.svg" }] },
    { name: "Goat", ...animal, faces: [{ name: "Goat", art: "bagh-chal/goat.svg" }] },
  ],
  pieces: [
    { kind: "Board", x: 0, y: middle, pinned: true, locked: true },
    { kind: "Pen", x: pen.x, y: pen.y, pinned: true, locked: true },
    { kind: "Tray", x: 2800, y: 1920, pinned: true, locked: true },
    ...[-2, 2].flatMap((x) => [-2, 2].map((y) => ({ kind: "Tiger", x: x * step, y: middle + y * step }))),
    ...Array.from({ length: 20 }, (_, i) => ({
      kind: "Goat", x: pen.x + ((i % columns) - (columns - 1) / 2) * pen.stepX, y: pen.y + (Math.floor(i / columns) - (rows - 1) / 2) * pen.stepY,
    })),
  ],
};
