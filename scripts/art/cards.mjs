// The pack: 52 cards, two jokers and the back. A picture is 635 by 889, in tenths of a millimetre.

import { back } from "./back.mjs";
import { figure, joker } from "./courts.mjs";
import { word } from "./glyphs.mjs";
import { el, file, g, move, path, rect, use } from "./svg.mjs";
import { emblem } from "./otter.mjs";
import { suits } from "./suits.mjs";

const [wide, high] = [635, 889];
const turnedRound = { transform: `rotate(180 ${wide / 2} ${high / 2})` };
const ranks = { A: "ace", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 10: "10", J: "jack", Q: "queen", K: "king" };

// Where the pips lie: columns and rows of the classical layouts. Those below the middle are upside
// down.
const [left, middle, right] = [212, wide / 2, wide - 212];
const rows = (n) => Array.from({ length: n }, (_, i) => 165 + (i * (high - 330)) / (n - 1));
const column = (x, ys) => ys.map((y) => [x, y]);
const [two, three, four] = [rows(2), rows(3), rows(4)];
const between = (a, b) => (a + b) / 2;
const sides = (ys) => [...column(left, ys), ...column(right, ys)];
const layouts = {
  2: column(middle, two),
  3: column(middle, three),
  4: sides(two),
  5: [...sides(two), [middle, high / 2]],
  6: sides(three),
  7: [...sides(three), [middle, between(three[0], three[1])]],
  8: [...sides(three), [middle, between(three[0], three[1])], [middle, between(three[1], three[2])]],
  9: [...sides(four), [middle, high / 2]],
  10: [...sides(four), [middle, between(four[0], four[1])], [middle, between(four[2], four[3])]],
};

/** The rank and below it the suit, as in both corners. The suit is the shape #p. */
function index(rank, ink) {
  const narrow = rank === "10" ? ".9 1.3" : "1.3";
  return [
    path(word(rank, 36), { transform: move(78, 46, `scale(${narrow})`), fill: "none", stroke: ink, stroke_width: 18, stroke_linecap: "round", stroke_linejoin: "round" }),
    use("p", { transform: move(78, 262, "scale(.94)"), fill: ink }),
  ];
}

const paper = rect(1.5, 1.5, wide - 3, high - 3, { rx: 35, fill: "#fffdf7", stroke: "#b9b2a3", stroke_width: 3 });

/** A card with its corners: `inside` is the picture, `more` are its definitions. */
const card = (suit, rank, inside, more = "") =>
  file(
    wide,
    high,
    el("defs", {}, path(suit.pip, { id: "p" }), g({ id: "i" }, index(rank, suit.ink)), more),
    paper,
    inside,
    use("i"),
    use("i", turnedRound),
  );

function spots(suit, rank) {
  const pips = layouts[rank].map(([x, y]) => use("p", { transform: move(x, y, y > high / 2 + 1 ? "scale(1.24 -1.24)" : "scale(1.24)") }));
  return card(suit, rank, g({ fill: suit.ink }, pips));
}

/** The ace: one large pip, and in it the otter. */
const ace = (suit) =>
  card(
    suit,
    "A",
    g(
      { transform: move(wide / 2, high / 2) },
      use("p", { transform: "scale(3.5)", fill: suit.ink }),
      use("p", { transform: "scale(3.05)", fill: "none", stroke: "#fffdf7", stroke_width: 1.2 }),
      g({ transform: move(0, suit.heart, `scale(${suit.face})`) }, emblem("#fffdf7", suit.ink)),
    ),
  );

function court(suit, rank) {
  const { defs, half } = figure(suit, rank);
  return card(
    suit,
    rank,
    g(
      { transform: move(wide / 2, high / 2), stroke_linejoin: "round", stroke_linecap: "round" },
      use("f"),
      use("f", { transform: "rotate(180)" }),
      rect(-179, -371, 358, 742, { rx: 18, fill: "none", stroke: suit.ink, stroke_width: 4 }),
    ),
    [defs, g({ id: "f" }, half)],
  );
}

export function* cards() {
  for (const [name, suit] of Object.entries(suits)) {
    for (const [rank, called] of Object.entries(ranks)) {
      const svg = rank === "A" ? ace(suit) : "JQK".includes(rank) ? court(suit, rank) : spots(suit, rank);
      yield [`cards/${name}-${called}.svg`, svg];
    }
  }
  yield ["cards/joker-red.svg", joker(wide, high, paper, { ink: "#c4262e", cap: "#27365f", horns: ["#c4262e", "#1f5c49"], bust: ["#c4262e", "#e9b949"], moon: "#fbedcb", fur: "#8a5a3c" })];
  yield ["cards/joker-black.svg", joker(wide, high, paper, { ink: "#1b2130", cap: "#1b2130", horns: ["#5d6474", "#e4e1da"], bust: ["#8b91a0", "#e4e1da"], moon: "#eceae4", fur: "#6b6560" })];
  yield ["cards/back.svg", back(wide, high)];
}
