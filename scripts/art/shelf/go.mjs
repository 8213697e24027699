// Go: boards of 19, 13 and 9 lines, stones in bowls, and the lids of the bowls for prisoners.

import { clockForTwo } from "../clocks.mjs";
import { bowl, goban, stone } from "../crossings.mjs";

const letters = "ABCDEFGHJKLMNOPQRST";
const stars = { 19: [3, 9, 15], 13: [3, 6, 9], 9: [2, 4, 6] };
const boards = [9, 13, 19].map((n) => ({
  n, ...goban({ letters: letters.slice(0, n), stepX: 224, stepY: 236, border: 260, margin: 200 }),
}));

/** The dots of a board: nine on the large one, else those in the corners and in the middle. */
function marked(n) {
  const all = stars[n].flatMap((x) => stars[n].map((y) => [x, y]));
  return n === 19 ? all : all.filter(([x, y]) => (x === stars[n][1]) === (y === stars[n][1]));
}

export function* art() {
  for (const one of boards) yield [`go/board-${one.n}.svg`, one.draw(marked(one.n))];
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
  setup: "19 by 19",
  without: ["Board of 13 lines", "Board of 9 lines"],
  setups: [
    { name: "13 by 13", without: [title[19], title[9]] },
    { name: "9 by 9", without: [title[19], title[13]] },
  ],
  sheet: { title: "Points", columns: ["Black", "White"], rows: ["Territory", "Prisoners", "Komi"] },
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
    clockForTwo("Clock", "Clock for both players", 1200000, 10000),
  ],
  pieces: [
    ...boards.map(({ n }) => ({ kind: title[n], x: 0, y: 0, pinned: true, locked: true })),
    { kind: "Black stones", x: 3250, y: 1750, pinned: true },
    { kind: "White stones", x: -3250, y: -1750, pinned: true },
    { kind: "Lid of Black", x: 3250, y: 450, pinned: true },
    { kind: "Lid of White", x: -3250, y: -450, pinned: true },
    { kind: "Clock", x: 3250, y: -1500, angle: 18000, pinned: true },
  ],
};
