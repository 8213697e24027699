// Go: boards of 19, 13 and 9 lines, stones in bowls, and the lids of the bowls for prisoners.

import { bowl, forBoth, framed, gilt, kaya, label, lines, stone } from "../crossings.mjs";
import { dots, path, rect } from "../svg.mjs";

const [stepX, stepY] = [224, 236];
const border = 260;
const margin = 200;
const letters = "ABCDEFGHJKLMNOPQRST";

/** The sizes of a board of so many lines, and its grid. */
function sizes(n) {
  const at = border + margin;
  return {
    n, at,
    width: (n - 1) * stepX + 2 * at,
    height: (n - 1) * stepY + 2 * at,
    grid: {
      x: at, y: at, stepX, stepY, columns: n, rows: n,
      columnNames: [...letters.slice(0, n)],
      rowNames: Array.from({ length: n }, (_, i) => String(n - i)),
    },
  };
}

const stars = { 19: [3, 9, 15], 13: [3, 6, 9], 9: [2, 4, 6] };

function board({ n, at, width, height }) {
  const corners = stars[n].flatMap((x) => stars[n].map((y) => [x, y]));
  const all = n === 19 ? corners : corners.filter(([x, y]) => (x === (n - 1) / 2) === (y === (n - 1) / 2));
  const names = (turned) => Array.from({ length: n }, (_, i) => [
    label(turned ? letters[n - 1 - i] : letters[i], at + i * stepX, height - 128, 96),
    label(String(turned ? i + 1 : n - i), 122, at + i * stepY, 96),
  ]).join("");
  return framed(width, height, border, kaya, {
    drawn: [
      path(lines(at, at, stepX, stepY, n, n), { fill: "none", stroke: kaya.line, stroke_width: 9 }),
      rect(at, at, (n - 1) * stepX, (n - 1) * stepY, { fill: "none", stroke: kaya.line, stroke_width: 18 }),
      dots(all.map(([x, y]) => [at + x * stepX, at + y * stepY]), 30, { fill: kaya.line }),
    ],
    written: forBoth(width, height, { ...gilt, stroke_width: 14 }, names),
  });
}

const boards = [9, 13, 19].map(sizes);

export function* art() {
  for (const one of boards) yield [`go/board-${one.n}.svg`, board(one)];
  for (const colour of ["black", "white"]) {
    yield [`go/${colour}.svg`, stone(colour)];
    yield [`go/bowl-${colour}.svg`, bowl(colour)];
    yield [`go/lid-${colour}.svg`, bowl(colour, true)];
  }
}

const title = { 9: "Board of 9 lines", 13: "Board of 13 lines", 19: "Board of 19 lines" };
const small = { width: 222, height: 222, shape: "round", weight: "light" };
const dish = { width: 1150, height: 1150, shape: "round", weight: "heavy" };

export const game = {
  name: "Go",
  summary: "Surround more of the board than the other player. Few rules, and endless depth.",
  order: 110,
  about: { players: [2, 2], minutes: [15, 120], age: 8, rules: "rules/go.md" },
  table: { width: 8200, height: 5400, surface: "slate" },
  seats: [
    { name: "Black", side: "south", colour: "#2c2f35", pieces: [3, 5] },
    { name: "White", side: "north", colour: "#f4efe4", pieces: [4, 6] },
  ],
  setups: [
    { name: "13 by 13", without: [title[19], title[9]] },
    { name: "9 by 9", without: [title[19], title[13]] },
  ],
  sheet: { title: "Points", columns: ["Territory", "Prisoners", "Komi"], rows: ["Black", "White"] },
  kinds: [
    ...boards.map(({ n, width, height, grid }) => ({
      name: title[n], width, height, shape: "rect", weight: "heavy", grid,
      faces: [{ name: title[n], art: `go/board-${n}.svg` }],
    })),
    { name: "Black stone", ...small, faces: [{ name: "Black stone", art: "go/black.svg" }] },
    { name: "White stone", ...small, faces: [{ name: "White stone", art: "go/white.svg" }] },
    { name: "Black stones", ...dish, supply: { of: "Black stone" }, faces: [{ name: "Bowl of black stones", art: "go/bowl-black.svg" }] },
    { name: "White stones", ...dish, supply: { of: "White stone" }, faces: [{ name: "Bowl of white stones", art: "go/bowl-white.svg" }] },
    {
      name: "Lid of Black", ...dish, zone: { lay: "free", takes: ["White stone"], count: true },
      faces: [{ name: "Black's lid, for white prisoners", art: "go/lid-black.svg" }],
    },
    {
      name: "Lid of White", ...dish, zone: { lay: "free", takes: ["Black stone"], count: true },
      faces: [{ name: "White's lid, for black prisoners", art: "go/lid-white.svg" }],
    },
  ],
  pieces: [
    ...boards.map(({ n }) => ({ kind: title[n], x: 0, y: 0, pinned: true, locked: true })),
    { kind: "Black stones", x: 3250, y: 1750, pinned: true },
    { kind: "White stones", x: -3250, y: -1750, pinned: true },
    { kind: "Lid of Black", x: 3250, y: 450, pinned: true },
    { kind: "Lid of White", x: -3250, y: -450, pinned: true },
  ],
};
