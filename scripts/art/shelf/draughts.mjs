// Draughts on three boards: English, International with 10 by 10 squares, and Turkish on a plain
// one. art/draughts.mjs draws the men, and art/boards.mjs the boards.

import { clockForTwo, timers } from "../clocks.mjs";

const sides = ["Light", "Dark"];

/** The names of the dark squares, from 1 on, and of the light ones, which are no cells. */
function numbered(n) {
  let last = 0;
  return Array.from({ length: n * n }, (_, i) => ((i % n) + Math.floor(i / n)) % 2 === 1 ? String(++last) : "");
}

const board = (name, size, grid, art) => ({
  name, width: size, height: size, shape: "rect", weight: "heavy", grid,
  faces: [{ name, art: `draughts/${art}.svg` }],
});

/** The men of a variant: both kinds, with what a man and a crowned one are called there. */
const men = (man, king, size) => sides.map((side) => ({
  name: `${side} ${man}`, width: size, height: size, shape: "round", weight: "light",
  faces: [
    { name: `${side} ${man}`, art: `draughts/${side.toLowerCase()}-man.svg` },
    { name: `${side} ${king}`, art: `draughts/${side.toLowerCase()}-king.svg` },
  ],
}));

/** Men of one kind on dark squares of these rows, from the upper edge of a board. */
const onDark = (kind, n, square, rows) => rows.flatMap((row) =>
  Array.from({ length: n / 2 }, (_, i) => ({ kind, x: (2 * i + ((row + 1) % 2) - (n - 1) / 2) * square, y: (row - (n - 1) / 2) * square })));
/** Men of one kind on all squares of these rows. */
const onAll = (kind, rows) => rows.flatMap((row) => Array.from({ length: 8 }, (_, i) => ({ kind, x: (i - 3.5) * 500, y: (row - 3.5) * 500 })));
const fixed = (kind, x) => ({ kind, x, y: 0, pinned: true, locked: true });

const [english, international, turkish] = [men("man", "king", 400), men("draughtsman", "king", 360), men("stone", "dama", 400)];
const named = (kinds) => kinds.map(({ name }) => name);
const boards = {
  english: board("Draughts board", 4600, { x: 550, y: 550, stepX: 500, stepY: 500, columns: 8, rows: 8, cellNames: numbered(8) }, "board"),
  international: board("International board", 4900, { x: 470, y: 470, stepX: 440, stepY: 440, columns: 10, rows: 10, cellNames: numbered(10) }, "large-board"),
  turkish: board("Turkish board", 4600, { x: 550, y: 550, stepX: 500, stepY: 500, columns: 8, rows: 8, columnNames: [..."abcdefgh"], rowNames: [..."87654321"] }, "plain-board"),
};
const only = {
  english: [boards.english.name, ...named(english)],
  international: [boards.international.name, ...named(international)],
  turkish: [boards.turkish.name, ...named(turkish)],
};

export const game = {
  name: "Draughts",
  summary: "English, International and Turkish draughts: jump over the men of the other side, and crown your own.",
  order: 20,
  about: { players: [2, 2], minutes: [15, 40], genres: ["board"], rules: "rules/draughts.md" },
  table: { width: 8000, height: 5200, surface: "wood" },
  seats: [
    { name: "Light", side: "south", colour: "#f2ead8" },
    { name: "Dark", side: "north", colour: "#3a3330" },
  ],
  setup: "English draughts",
  without: [...only.international, ...only.turkish],
  setups: [
    { name: "International draughts", without: [...only.english, ...only.turkish] },
    { name: "Turkish draughts", without: [...only.english, ...only.international] },
  ],
  kinds: [
    boards.english,
    {
      name: "Tray", width: 1200, height: 4600, shape: "rect", weight: "heavy",
      grid: { x: 350, y: 350, stepX: 500, stepY: 430, columns: 2, rows: 10 },
      faces: [{ name: "Tray for captured men", art: "common/tray.svg" }],
    },
    ...english,
    clockForTwo("Chess clock", "Chess clock", 300000, 2000),
    ...timers,
    boards.international,
    ...international,
    boards.turkish,
    ...turkish,
  ],
  pieces: [
    fixed("Draughts board", 0),
    fixed("Tray", -3100),
    fixed("Tray", 3100),
    ...onDark("Dark man", 8, 500, [0, 1, 2]),
    ...onDark("Light man", 8, 500, [5, 6, 7]),
    ...[1900, 1450].flatMap((y) => [{ kind: "Dark man", x: -3100, y: -y }, { kind: "Light man", x: 3100, y }]),
    fixed("International board", 0),
    ...onDark("Dark draughtsman", 10, 440, [0, 1, 2, 3]),
    ...onDark("Light draughtsman", 10, 440, [6, 7, 8, 9]),
    fixed("Turkish board", 0),
    ...onAll("Dark stone", [1, 2]),
    ...onAll("Light stone", [5, 6]),
  ],
};
