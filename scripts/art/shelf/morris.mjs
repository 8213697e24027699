// Morris: boards of nine, six and three men, inlaid in walnut, and the men of draughts.

import { coordinates, framed } from "../crossings.mjs";
import { d, dots, g, path } from "../svg.mjs";
import { walnut } from "../wood.mjs";

const border = 260;
const margin = 320;
const letters = "abcdefg";

/**
 * A board of squares within each other. `across` is how many columns it has, `squares` how far each
 * square reaches from the middle, in steps. `isCrossed`: its diagonals are lines, and its middle is
 * a point.
 */
function morris({ across, step, squares, isCrossed }) {
  const half = (across - 1) / 2;
  const at = border + margin;
  const size = (across - 1) * step + 2 * at;
  const middle = size / 2;
  const ways = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
  const points = squares.flatMap((r) => ways.map(([x, y]) => [x * r, y * r]));
  if (isCrossed) points.push([0, 0]);
  points.sort(([x, y], [x2, y2]) => y - y2 || x - x2);
  const [far, near] = [squares[0] * step, isCrossed ? 0 : squares.at(-1) * step];
  const rings = squares.map((r) => d`M${-r * step} ${-r * step}h${2 * r * step}v${2 * r * step}h${-2 * r * step}z`).join("");
  const spokes = d`M0 ${-far}V${-near}M0 ${far}V${near}M${-far} 0H${-near}M${far} 0H${near}` + (isCrossed ? d`M${-far} ${-far}L${far} ${far}M${far} ${-far}L${-far} ${far}` : "");
  const centres = points.map(([x, y]) => [x * step, y * step]);
  return {
    width: size, height: size,
    snaps: {
      reach: 400,
      points: points.map(([x, y]) => ({ x: middle + x * step, y: middle + y * step, name: letters[x + half] + (half - y + 1) })),
    },
    draw: () => framed(size, size, border, walnut, {
      drawn: g(
        { transform: d`translate(${middle} ${middle})`, stroke_linejoin: "round" },
        path(rings + spokes, { fill: "none", stroke: "#3a1f0e", stroke_width: 50 }),
        dots(centres, 92, { fill: "#3a1f0e" }),
        path(rings + spokes, { fill: "none", stroke: "#efd5a0", stroke_width: 26 }),
        dots(centres, 78, { fill: "#efd5a0" }),
        dots(centres, 50, { fill: "#b98a54" }),
      ),
      written: coordinates({ letters: letters.slice(0, across), at, stepX: step, stepY: step, width: size, height: size, border }),
    }),
  };
}

const boards = {
  "Board for three men": ["three", morris({ across: 3, step: 900, squares: [1], isCrossed: true })],
  "Board for six men": ["six", morris({ across: 5, step: 700, squares: [2, 1] })],
  "Board for nine men": ["nine", morris({ across: 7, step: 560, squares: [3, 2, 1] })],
};

export function* art() {
  for (const [name, board] of Object.values(boards)) yield [`morris/${name}.svg`, board.draw()];
}

const names = Object.keys(boards);
const man = { width: 400, height: 400, shape: "round", weight: "light" };
const sides = { Light: -1, Dark: 1 };
/** The kinds of men: the first three, three more for six, and three more for nine. */
const kinds = (side) => [`${side} man`, `${side} man of six`, `${side} man of nine`];
const without = (n) => Object.keys(sides).flatMap((side) => kinds(side).slice(n));

/** The men of a side in their tray, from the end that is nearest to the player. */
const inTray = (side) =>
  Array.from({ length: 9 }, (_, i) => ({
    kind: kinds(side)[Math.floor(i / 3)],
    x: sides[side] * (3100 + (i % 2 === 0 ? 250 : -250)),
    y: sides[side] * (side === "Dark" ? 1920 - 430 * (i >> 1) : 1950 - 430 * (i >> 1)),
  }));

export const game = {
  name: "Nine men's morris",
  summary: "Close mills of three men, and take the men of the other player. Also with six or three.",
  order: 150,
  about: { players: [2, 2], minutes: [5, 25], age: 6, rules: "rules/morris.md" },
  table: { width: 8000, height: 5200, surface: "felt" },
  seats: [
    { name: "Dark", side: "south", colour: "#3a3330", pieces: [4] },
    { name: "Light", side: "north", colour: "#f2ead8", pieces: [3] },
  ],
  setup: "Nine men's morris",
  without: ["Board for three men", "Board for six men"],
  setups: [
    { name: "Six men's morris", without: [names[2], names[0], ...without(2)] },
    { name: "Three men's morris", without: [names[2], names[1], ...without(1)] },
  ],
  kinds: [
    ...names.map((name) => ({
      name, width: boards[name][1].width, height: boards[name][1].height, shape: "rect", weight: "heavy",
      snaps: boards[name][1].snaps,
      faces: [{ name, art: `morris/${boards[name][0]}.svg` }],
    })),
    {
      name: "Tray", width: 1200, height: 4600, shape: "rect", weight: "heavy",
      grid: { x: 350, y: 350, stepX: 500, stepY: 430, columns: 2, rows: 10 },
      faces: [{ name: "Tray for men", art: "common/tray.svg" }],
    },
    ...Object.keys(sides).flatMap((side) => kinds(side).map((name) => ({
      name, ...man, faces: [{ name: `${side} man`, art: `draughts/${side.toLowerCase()}-man.svg` }],
    }))),
  ],
  pieces: [
    ...names.map((kind) => ({ kind, x: 0, y: 0, pinned: true, locked: true })),
    { kind: "Tray", x: -3100, y: 0, pinned: true, locked: true },
    { kind: "Tray", x: 3100, y: 0, pinned: true, locked: true },
    ...inTray("Light"),
    ...inTray("Dark"),
  ],
};
