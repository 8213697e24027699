// Klondike and canfield, for one player.

import { aceLow, back52, box, button, frenchArt, holds, outlines, pack, place, template, zone } from "../french.mjs";
import { el, file, g, gradient, move, path, rect } from "../svg.mjs";
import { suits } from "../suits.mjs";

const numbers = [1, 2, 3, 4, 5, 6, 7];
const x = (n) => -2350 + 950 * (n - 1);
const step = 175;

/** Where the open cards of a column begin, and where they go on. */
const start = () => place(820, 1020, outlines([[410, 510]]));
const rest = () =>
  file(
    820,
    1900,
    el("defs", {}, gradient("linear", "f", { x2: "0", y2: "1" }, [[0, "#000", 0.14], [1, "#000", 0]]), gradient("linear", "l", { x2: "0", y2: "1" }, [[0, "#d9b26a", 0.5], [1, "#d9b26a", 0]])),
    rect(14, 0, 792, 1880, { rx: 64, fill: "url(#f)" }),
    path("M14 0V1800M806 0V1800", { fill: "none", stroke: "url(#l)", stroke_width: 10 }),
  );

/** A place for one suit, from its first card up: the four suits, very faint. */
const foundation = () =>
  place(820, 1080, g({ fill: "#f0dca8", fill_opacity: 0.22 },
    Object.values(suits).map(({ pip }, i) => path(pip, { transform: move(310 + 200 * (i % 2), 430 + 220 * (i >> 1), "scale(1.35)") }))));

const column = (n) => [
  { ...zone(`Hidden cards ${n}`, 820, 1080, { lay: "pile", turns: "keep", count: true }, { label: "" }), faces: [{ name: `Hidden cards ${n}`, art: "cards/won.svg" }] },
  {
    name: `Column ${n}`, width: 820, height: 1020, shape: "rect", weight: "heavy",
    snaps: { reach: 120, points: [0, 1, 2].map((row) => ({ x: 410, y: 510 + step * row, name: `${n}-${row + 1}` })) },
    faces: [{ name: `Column ${n}`, art: "solitaire/start.svg" }],
  },
  {
    name: `Rest of column ${n}`, width: 820, height: 1900, shape: "rect", weight: "heavy",
    snaps: { reach: 120, points: Array.from({ length: 11 }, (_, row) => ({ x: 410, y: 10 + step * row, name: `${n}-${row + 4}` })) },
    faces: [{ name: `Rest of column ${n}`, art: "solitaire/rest.svg" }],
  },
];

const draw = (n, to, face) => ({ do: "move", kind: "Deck", n, to, face });
const gather = [
  { do: "recall", kind: "Deck" },
  { do: "shuffle", kind: "Deck" },
];
const klondike = [
  ...gather,
  ...numbers.slice(1).map((n) => draw(n - 1, `Hidden cards ${n}`, 1)),
  ...numbers.map((n) => draw(1, `Column ${n}`, 0)),
];
const canfield = [
  ...gather,
  draw(12, "Hidden cards 1", 1),
  draw(1, "Hidden cards 1", 0),
  draw(1, "First foundation", 0),
  ...numbers.slice(3).map((n) => draw(1, `Column ${n}`, 0)),
];
const pile = (name) => ({ name, width: 820, height: 1080, shape: "card", weight: "heavy", zone: { lay: "pile", takes: ["Card"], turns: "up", count: true }, faces: [{ name, art: "solitaire/foundation.svg" }] });
const plate = (name, steps, text) => button(name, steps, { width: 1000, height: 400, text });

export function* art() {
  yield* frenchArt();
  yield ["solitaire/start.svg", start()];
  yield ["solitaire/rest.svg", rest()];
  yield ["solitaire/foundation.svg", foundation()];
}

export const game = {
  name: "Solitaire",
  summary: "One player, one pack: build the suits from the ace up, in klondike or canfield.",
  order: 355,
  about: { players: [1, 1], minutes: [10, 20], age: 8, rules: "rules/solitaire.md" },
  table: { width: 7800, height: 5900, surface: "felt" },
  steps: klondike,
  setups: [{
    name: "Canfield", players: [1, 1], steps: canfield,
    without: ["New klondike", "Column 1", "Rest of column 1", ...[2, 3].flatMap((n) => [`Hidden cards ${n}`, `Column ${n}`, `Rest of column ${n}`]), ...[4, 5, 6, 7].map((n) => `Hidden cards ${n}`)],
  }],
  templates: [template],
  decks: [pack(aceLow)],
  kinds: [
    back52,
    box,
    { ...box, name: "Used", faces: [{ name: "Used", layers: [
      { art: "cards/deck.svg", fit: "fill" },
      { text: "Used", x: 110, y: 820, width: 600, height: 150, size: 120, italic: true, font: "serif", colour: "#e8d9b4" },
    ] }] },
    zone("Waste", 820, 1080, { lay: "pile", turns: "up", count: true }, { size: 170 }),
    pile("First foundation"),
    pile("Foundation"),
    ...numbers.flatMap(column),
    plate("New klondike", klondike, "Klondike"),
    plate("New canfield", canfield, "Canfield"),
    plate("Turn up 1", [draw(1, "Waste", 0)], "Turn 1"),
    plate("Turn up 3", [1, 2, 3].map(() => draw(1, "Waste", 0)), "Turn 3"),
    plate("Stock again", Array.from({ length: 40 }, () => ({ do: "move", kind: "Used", n: 1, to: "Deck" })), "Again"),
  ],
  pieces: [
    { kind: "Deck", x: x(1), y: -2300, ...holds },
    { kind: "Waste", x: x(2), y: -2300, pinned: true },
    { kind: "First foundation", x: x(4), y: -2300, pinned: true },
    ...[5, 6, 7].map((n) => ({ kind: "Foundation", x: x(n), y: -2300, pinned: true })),
    { kind: "Used", x: -3330, y: -2300, pinned: true },
    ...numbers.flatMap((n) => [
      { kind: `Hidden cards ${n}`, x: x(n), y: -1150, pinned: true },
      { kind: `Column ${n}`, x: x(n), y: -30, pinned: true },
      { kind: `Rest of column ${n}`, x: x(n), y: 1435, pinned: true },
    ]),
    { kind: "Turn up 1", x: -3330, y: -1490, pinned: true },
    { kind: "Turn up 3", x: -3330, y: -1030, pinned: true },
    { kind: "Stock again", x: -3330, y: -570, pinned: true },
    { kind: "New klondike", x: -3330, y: 2150, pinned: true },
    { kind: "New canfield", x: -3330, y: 2620, pinned: true },
  ],
};
