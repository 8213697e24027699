// Contract bridge: a board for the bids, on which markers show who has bid what.

import { aceHigh, back52, box, button, rounds, four, hand, holds, pack, place, sit, template, trick, turn, won, zone } from "../french.mjs";
import { width, word } from "../glyphs.mjs";
import { circle, d, el, file, g, gradient, move, path, rect, use } from "../svg.mjs";
import { suits } from "../suits.mjs";
import { frame, grain } from "../wood.mjs";

const sides = { South: "#c9952b", West: "#2a7d74", North: "#b8533c", East: "#4a6da8" };
const strains = ["clubs", "diamonds", "hearts", "spades", "NT"];
const [wide, high, across, down] = [2430, 1150, 330, 170];
const [x0, y0, marked] = [60, 60, 78]; // markers lie so far to the right of the middle of a cell

/** The board: a column for each level, a row for each strain, and a row for doubles below. */
function board() {
  const cell = (column, row) => [x0 + across * column + across / 2, y0 + down * row + down / 2];
  const bids = [];
  for (let level = 0; level < 7; level++) {
    for (let row = 0; row < 5; row++) {
      const [x, y] = cell(level, row);
      bids.push(use(`n${level + 1}`, { x: x - 122, y }), use(`s${4 - row}`, { x: x - 44, y }));
    }
  }
  const stroke = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };
  const doubles = [["Double", 2], ["Redouble", 5]].map(([name, column]) => {
    const [x, y] = cell(column, 5);
    return path(word(name), { transform: move(x - 45 - width(name) * 0.31, y - 28, "scale(.62)") }) + circle(x + marked, y, 80, { fill: "#000", fill_opacity: ".25", stroke_width: 7 });
  });
  let lines = "";
  for (let i = 1; i < 7; i++) lines += d`M${x0 + across * i} ${y0 + 6}v${5 * down - 12}`;
  for (let i = 1; i < 5; i++) lines += d`M${x0 + 6} ${y0 + down * i}h${7 * across - 12}`;
  return file(
    wide,
    high,
    el("defs", {},
      gradient("linear", "p", { x2: "0", y2: "1" }, [[0, "#fffdf6"], [1, "#efe4ca"]]),
      [1, 2, 3, 4, 5, 6, 7].map((n) => path(word(String(n)), { id: `n${n}`, transform: "translate(0 -38) scale(.76)" })),
      strains.map((name, i) => suits[name]
        ? path(suits[name].pip, { id: `s${i}`, transform: "scale(.74)", fill: suits[name].ink, stroke: "none" })
        : path(word("NT"), { id: `s${i}`, transform: "translate(4 -30) scale(.6)", ...stroke, stroke: "#1b2130", stroke_width: 16 }))),
    rect(4, 4, wide - 8, high - 8, { rx: 60, fill: frame.plank, stroke: "#2c180b", stroke_width: 8 }),
    path(grain(wide - 80, high - 80, 18, 14, 18), { transform: "translate(40 40)", fill: "none", stroke: frame.grain, stroke_width: 8, stroke_opacity: ".45" }),
    rect(22, 22, wide - 44, high - 44, { rx: 46, fill: "none", stroke: "#d9b26a", stroke_width: 9 }),
    rect(x0, y0, 7 * across, 5 * down, { rx: 22, fill: "url(#p)", stroke: "#2c180b", stroke_width: 6 }),
    path(lines, { stroke: "#b9a67c", stroke_width: 4 }),
    g({ ...stroke, stroke: "#3a2a14", stroke_width: 15 }, bids),
    g({ ...stroke, stroke: "#f2d9ad", stroke_width: 14 }, doubles),
  );
}

/** A marker: a ring in the colour of the side, and its letter. */
const marker = (name) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "s", { x2: "0.7", y2: "1" }, [[0, "#fff", 0.5], [0.5, "#fff", 0], [1, "#000", 0.4]])),
    circle(50, 50, 47, { fill: sides[name], stroke: "#14100c", stroke_width: 5 }),
    circle(50, 50, 34, { fill: "#fffdf5", stroke: "#14100c", stroke_width: 2, stroke_opacity: ".6" }),
    path(word(name[0]), { transform: "translate(50 32) scale(.36)", fill: "none", stroke: "#1b2130", stroke_width: 22, stroke_linecap: "round", stroke_linejoin: "round" }),
    circle(50, 50, 46, { fill: "url(#s)", fill_opacity: ".7" }),
  );

/** A bowl for the markers. */
const bowl = () =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "deep", {}, [[0, "#000", 0.1], [0.8, "#000", 0.4], [1, "#000", 0.65]])),
    circle(50, 50, 48, { fill: frame.plank, stroke: "#2c180b", stroke_width: 3 }),
    circle(50, 50, 44, { fill: "none", stroke: "#d9b26a", stroke_width: 1.5 }),
    circle(50, 50, 39, { fill: "url(#deep)" }),
    path(word("BID"), { transform: "translate(50 39) scale(.22)", fill: "none", stroke: "#f2d9ad", stroke_width: 16, stroke_linecap: "round", stroke_linejoin: "round" }),
  );

export function* art() {
  yield ["bridge/board.svg", board()];
  yield ["bridge/bowl.svg", bowl()];
  yield ["bridge/dummy.svg", place(3300, 1080)];
  for (const name of Object.keys(sides)) yield [`bridge/${name.toLowerCase()}.svg`, marker(name)];
}

const { seats, pieces } = sit(four(4350, 3180), [["Hand", 0, 0], ["Tricks won", 2130, 0], ["Dummy", 0, -1280], ["Bids", -2070, 0]]);
seats.forEach((seat) => {
  seat.colour = sides[seat.name];
  pieces[seat.pieces[2]].holds = Array(12).fill(`Marker of ${seat.name}`);
  delete pieces[seat.pieces[2]].angle;
});

const names = ["NT", "S", "H", "D", "C"].flatMap((strain) => [1, 2, 3, 4, 5, 6, 7].map((level) => `${level}${strain}`));

export const game = {
  name: "Bridge",
  summary: "Bid for the contract with your partner, and play it with the dummy’s cards on the table.",
  order: 325,
  about: { players: [4, 4], minutes: [30, 120], age: 12, rules: "rules/bridge.md" },
  table: { width: 10000, height: 7700, surface: "felt" },
  seats,
  sheet: { title: "Points", columns: ["South and North", "West and East"], rows: rounds(12) },
  templates: [template],
  decks: [pack(aceHigh, ["spades", "hearts", "clubs", "diamonds"])],
  kinds: [
    back52,
    box,
    hand(),
    won(),
    zone("Dummy", 3300, 1080, { lay: "row", gap: 210, most: 13, turns: "up" }, { art: "bridge/dummy.svg" }),
    trick(2640, 2640),
    {
      name: "Bidding board", width: wide, height: high, shape: "rect", weight: "heavy",
      grid: {
        x: x0 + across / 2 + marked, y: y0 + down / 2, stepX: across, stepY: down, columns: 7, rows: 6,
        cellNames: [...names, "", "", "X", "", "", "XX", ""],
      },
      faces: [{ name: "Bidding board", art: "bridge/board.svg" }],
    },
    { name: "Bids", width: 600, height: 600, shape: "round", weight: "heavy", container: { draws: "top" }, faces: [{ name: "Bids", art: "bridge/bowl.svg" }] },
    ...Object.keys(sides).map((name) => ({ name: `Marker of ${name}`, width: 165, height: 165, shape: "round", weight: "light", upright: true, faces: [{ name: `Marker of ${name}`, art: `bridge/${name.toLowerCase()}.svg` }] })),
    button("Deal", [
      { do: "recall", kind: "Bids" },
      { do: "recall", kind: "Deck" },
      { do: "shuffle", kind: "Deck" },
      { do: "deal", kind: "Deck", n: 13 },
      { do: "pass", kind: "Dealer" },
    ], { width: 1200, height: 420 }),
    button("Sort dummy", [{ do: "sort", kind: "Dummy" }], { width: 1200, height: 420 }),
    { ...turn, name: "Dealer", faces: [{ name: "Dealer", art: "common/turn.svg" }] },
  ],
  pieces: [
    ...pieces,
    { kind: "Trick", x: 0, y: 0, pinned: true },
    { kind: "Bidding board", x: 3720, y: -3220, pinned: true },
    { kind: "Deck", x: -2900, y: 3190, ...holds },
    { kind: "Deal", x: -4150, y: 2980, pinned: true },
    { kind: "Sort dummy", x: -4150, y: 3460, pinned: true },
    { kind: "Dealer", x: 3200, y: 3190 },
  ],
};
