// Solitaire: klondike and canfield.

import { aceLow, back52, box, button, holds, outlines, pack, place, template, zone } from "../french.mjs";
import { el, file, gradient, path, rect } from "../svg.mjs";
import { suits } from "../suits.mjs";

const [wide, high] = [8600, 6400];
const apart = 960;
const columnX = (n) => -2440 + apart * (n - 1);
const [deep, upper, gap] = [4760, -1770, 180]; // of a column: its height, its upper edge, and from card to card
const places = Math.floor((deep - 889) / gap) + 1;
const top = upper + deep / 2 - ((places - 1) * gap) / 2; // the middle of the first card

/** A column: a place for its first card, and below it a band that fades. */
const column = () =>
  file(
    820,
    deep,
    el("defs", {}, gradient("linear", "fade", { x2: "0", y2: "1" }, [[0, "#000", 0.2], [0.25, "#000", 0.14], [1, "#000", 0.02]]), gradient("linear", "line", { x2: "0", y2: "1" }, [[0, "#d9b26a", 0.75], [0.4, "#d9b26a", 0.35], [1, "#d9b26a", 0]])),
    rect(10, 10, 800, deep - 20, { rx: 60, fill: "url(#fade)" }),
    path(`M14 ${deep - 10}V70Q14 14 70 14H750Q806 14 806 70V${deep - 10}`, { fill: "none", stroke: "url(#line)", stroke_width: 9 }),
  );

const base = () => file(700, 950, outlines([[350, 475]]));

/** A foundation, with its suit. */
const foundation = (suit) => place(820, 1080, path(suits[suit].pip, { transform: "translate(410 540) scale(3.4)", fill: "#f0dca8", fill_opacity: ".34" }));

export function* art() {
  yield ["solitaire/column.svg", column()];
  yield ["solitaire/base.svg", base()];
  for (const suit of Object.keys(suits)) yield [`solitaire/${suit}.svg`, foundation(suit)];
}

const all = [1, 2, 3, 4, 5, 6, 7];
const to = (n, where, face) => ({ do: "move", kind: "Deck", n, to: where, face });
const start = [{ do: "recall", kind: "Deck" }, { do: "shuffle", kind: "Deck" }];
const klondike = [
  ...start,
  ...all.slice(1).map((n) => to(n - 1, `Base ${n}`, 1)),
  ...all.map((n) => to(1, `Base ${n}`, 0)),
];
const canfield = [
  ...start,
  to(12, "Base 7", 1),
  to(1, "Base 7", 0),
  to(1, "Foundation of spades", 0),
  ...[1, 2, 3, 4].map((n) => to(1, `Base ${n}`, 0)),
];

export const game = {
  name: "Solitaire",
  summary: "For one: klondike, or canfield.",
  order: 355,
  about: { players: [1, 1], minutes: [5, 20], age: 6, rules: "rules/solitaire.md" },
  table: { width: wide, height: high, surface: "felt" },
  steps: klondike,
  setup: "Klondike",
  setups: [{ name: "Canfield", without: ["Column 5", "Base 5", "Column 6", "Base 6", "Klondike"], steps: canfield }],
  templates: [template],
  decks: [pack(aceLow)],
  kinds: [
    back52,
    box,
    ...all.map((n) => ({
      name: `Column ${n}`, width: 820, height: deep, shape: "rect", weight: "heavy",
      zone: { lay: "column", gap, takes: ["Card"], turns: "keep" },
      faces: [{ name: `Column ${n}`, art: "solitaire/column.svg" }],
    })),
    ...all.map((n) => ({ name: `Base ${n}`, width: 700, height: 950, shape: "card", weight: "heavy", faces: [{ name: `Base ${n}`, art: "solitaire/base.svg" }] })),
    ...Object.keys(suits).map((suit) => ({
      name: `Foundation of ${suit}`, width: 820, height: 1080, shape: "card", weight: "heavy",
      zone: { lay: "pile", takes: ["Card"], turns: "up", most: 13, count: true },
      faces: [{ name: `Foundation of ${suit}`, art: `solitaire/${suit}.svg` }],
    })),
    zone("Waste", 820, 1080, { lay: "pile", turns: "up", count: true }),
    button("Draw 1", [to(1, "Waste", 0)], { width: 1000, height: 380 }),
    button("Draw 3", [to(3, "Waste", 0)], { width: 1000, height: 380 }),
    button("Klondike", klondike, { width: 1000, height: 380 }),
    button("Canfield", canfield, { width: 1000, height: 380 }),
  ],
  pieces: [
    { kind: "Deck", x: columnX(1), y: -2460, ...holds },
    { kind: "Waste", x: columnX(2), y: -2460, pinned: true },
    ...Object.keys(suits).map((suit, i) => ({ kind: `Foundation of ${suit}`, x: columnX(4 + i), y: -2460, pinned: true })),
    ...all.map((n) => ({ kind: `Column ${n}`, x: columnX(n), y: upper + deep / 2, pinned: true })),
    ...all.map((n) => ({ kind: `Base ${n}`, x: columnX(n), y: top, pinned: true, locked: true })),
    { kind: "Draw 1", x: -3620, y: -2690, pinned: true },
    { kind: "Draw 3", x: -3620, y: -2230, pinned: true },
    { kind: "Klondike", x: -3620, y: 2300, pinned: true },
    { kind: "Canfield", x: -3620, y: 2760, pinned: true },
  ],
};
