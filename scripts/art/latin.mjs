// The Latin pack of 40 cards: cups, coins, swords and clubs. A card is 100 by 168.

import { word } from "./glyphs.mjs";
import { emblem, otter } from "./otter.mjs";
import { circle, dots, el, ellipse, file, g, move, path, rect, use } from "./svg.mjs";

const edge = "#2a1a12";
const [paper, gold, blue, red, green, wood] = ["#fffaeb", "#e6b23c", "#2d5f93", "#b8382f", "#3d7a4a", "#8a5a33"];

/** The suits: their pips around 0, 0, about 34 high, and the cloth of their people. */
export const latinSuits = {
  coins: {
    ink: "#8c5a10", robe: "#c9862a", lining: "#fbe6b0", fur: "#a06d45",
    pip: circle(0, 0, 15, { fill: gold, stroke: edge, stroke_width: 1.6 }) + circle(0, 0, 10.5, { fill: "none", stroke: "#8c5a10", stroke_width: 1.2 }) + path("M0-8.5L2.2-2.6L8.5-2.6L3.5 1.3L5.3 7.2L0 3.6L-5.3 7.2L-3.5 1.3L-8.5-2.6L-2.2-2.6Z", { fill: red }),
  },
  cups: {
    ink: "#a3291f", robe: red, lining: "#f2c45c", fur: "#8a5a3c",
    pip: path("M-12-15H12C12-3 7 3 3 4V10C7 11 9 13 9 16H-9C-9 13-7 11-3 10V4C-7 3-12-3-12-15Z", { fill: red, stroke: edge, stroke_width: 1.6, stroke_linejoin: "round" }) + ellipse(0, -15, 12, 3.4, { fill: gold, stroke: edge, stroke_width: 1.4 }) + path("M-9-6H9", { stroke: gold, stroke_width: 2.6 }),
  },
  swords: {
    ink: "#24507f", robe: blue, lining: "#dbe7f2", fur: "#6f4a35",
    pip: path("M0-18L3.4-13V6H-3.4V-13Z", { fill: "#cfdbe6", stroke: edge, stroke_width: 1.4, stroke_linejoin: "round" }) + path("M0-13V5", { stroke: blue, stroke_width: 1.2 }) + path("M-9 5.5H9V9H-9Z", { fill: gold, stroke: edge, stroke_width: 1.4 }) + path("M-2.2 9H2.2V15H-2.2Z", { fill: blue, stroke: edge, stroke_width: 1.2 }) + circle(0, 16.5, 2.6, { fill: gold, stroke: edge, stroke_width: 1.2 }),
  },
  clubs: {
    ink: "#2c5e38", robe: green, lining: "#f0d68c", fur: "#5d4236",
    pip: path("M-3 17C-5 6-8-4-6-12C-4-19 5-19 7-12C9-4 5 6 3 17Z", { fill: wood, stroke: edge, stroke_width: 1.6, stroke_linejoin: "round" }) + path("M-5.5-6L-11-10M6.5-9L11-5M-4 3L-9 3", { stroke: edge, stroke_width: 4.2, stroke_linecap: "round" }) + path("M-5.5-6L-11-10M6.5-9L11-5M-4 3L-9 3", { stroke: green, stroke_width: 2.4, stroke_linecap: "round" }) + path("M-1-10C0-2 0 6 0 12", { fill: "none", stroke: "#c99a62", stroke_width: 1.2 }),
  },
};

/** Where pips lie: the layout of each number, in columns and rows. */
const rows = (n, from = 36, to = 132) => Array.from({ length: n }, (_, i) => from + (i * (to - from)) / Math.max(1, n - 1));
const pairs = (ys) => ys.flatMap((y) => [[34, y], [66, y]]);
const layouts = {
  2: rows(2, 52, 116).map((y) => [50, y]),
  3: rows(3).map((y) => [50, y]),
  4: pairs(rows(2, 46, 122)),
  5: [...pairs(rows(2, 42, 126)), [50, 84]],
  6: pairs(rows(3)),
  7: [...pairs(rows(3, 34, 134)), [50, 59]],
};

/** What the people of a suit hold: its pip, larger. */
const held = (x, y, scale, turn = 0) => use("p", { transform: move(x, y, `rotate(${turn})`, `scale(${scale})`) });

/** A person from the waist up, with the head of an otter. */
const bust = (suit, y, hat) => [
  path(`M14 ${y + 76}C12 ${y + 34} 26 ${y + 22} 50 ${y + 20}C74 ${y + 22} 88 ${y + 34} 86 ${y + 76}Z`, { fill: suit.robe }),
  path(`M38 ${y + 22}L50 ${y + 76}L62 ${y + 22}Z`, { fill: suit.lining }),
  dots([[50, y + 38], [50, y + 50], [50, y + 62]], 2.2, { fill: suit.robe }),
  path(`M30 ${y + 30}Q50 ${y + 14} 70 ${y + 30}L64 ${y + 36}L57 ${y + 28}L50 ${y + 36}L43 ${y + 28}L36 ${y + 36}Z`, { fill: suit.lining }),
  g({ transform: move(50, y, "scale(.3)"), stroke_width: 5 }, otter({ fur: suit.fur, old: hat === "king" })),
  {
    knave: path(`M28 ${y - 10}C28 ${y - 34} 68 ${y - 36} 76 ${y - 14}L88 ${y - 12}L72 ${y - 6}Q50 ${y - 14} 28 ${y - 10}Z`, { fill: suit.robe }) + path(`M34 ${y - 22}C22 ${y - 30} 20 ${y - 40} 24 ${y - 44}C34 ${y - 42} 40 ${y - 34} 42 ${y - 26}Z`, { fill: suit.lining }),
    knight: path(`M28 ${y - 8}C28 ${y - 36} 72 ${y - 36} 72 ${y - 8}Q50 ${y - 17} 28 ${y - 8}Z`, { fill: "#cfdbe6" }) + path(`M50 ${y - 29}C52 ${y - 44} 70 ${y - 46} 78 ${y - 34}C68 ${y - 36} 60 ${y - 32} 56 ${y - 26}Z`, { fill: suit.robe }),
    king: path(`M30 ${y - 11}L25 ${y - 36}L38 ${y - 26}L50 ${y - 42}L62 ${y - 26}L75 ${y - 36}L70 ${y - 11}Q50 ${y - 19} 30 ${y - 11}Z`, { fill: gold }) + dots([[25, y - 37], [50, y - 43], [75, y - 37]], 2.8, { fill: suit.robe }) + path(`M50 ${y - 29}L53 ${y - 24}L50 ${y - 19}L47 ${y - 24}Z`, { fill: red }),
  }[hat],
];

/** The head and neck of a horse, below the knight. */
const horse = (suit) => [
  path("M6 158V128C8 116 16 108 28 106L34 98L38 107C50 110 58 122 56 130L50 134C44 130 40 130 36 132C34 142 38 150 44 158Z", { fill: "#e9e2d4" }),
  path("M6 132C8 118 16 110 28 106C18 116 14 132 15 158H6Z", { fill: suit.robe }),
  circle(36, 116, 1.8, { fill: edge, stroke: "none" }),
  path("M36 132L46 122M38 118L40 108", { fill: "none", stroke: suit.robe, stroke_width: 2.4 }),
];

const people = {
  knave: (suit) => [bust(suit, 72, "knave"), path("M14 148V158H86V148Z", { fill: suit.lining }), held(22, 112, 1.15, -8), circle(26, 124, 6, { fill: suit.fur })],
  knight: (suit) => [bust(suit, 66, "knight"), path("M12 158V140H88V158Z", { fill: suit.robe }), horse(suit), held(78, 96, 1.05, 10), circle(76, 110, 6, { fill: suit.fur })],
  king: (suit) => [bust(suit, 74, "king"), path("M12 150C34 140 66 140 88 150V158H12Z", { fill: suit.lining }), held(80, 112, 1.15, 8), circle(76, 124, 6, { fill: suit.fur })],
};

/** The numbers that stand on the cards. Seven is followed by the knave, the eighth card. */
export const latinRanks = ["ace", "2", "3", "4", "5", "6", "7", "knave", "knight", "king"];
const corner = { ace: "1", knave: "8", knight: "9", king: "10" };

function latinCard(name, rank) {
  const suit = latinSuits[name];
  const index = [
    path(word(corner[rank] ?? rank, 16), { transform: move(corner[rank] === "10" ? 11.5 : 11, 8, corner[rank] === "10" ? "scale(.1 .13)" : "scale(.13)"), fill: "none", stroke: suit.ink, stroke_width: 17, stroke_linecap: "round", stroke_linejoin: "round" }),
    use("p", { transform: "translate(11 31) scale(.36)" }),
  ];
  const inside = people[rank]
    ? [rect(6, 6, 88, 156, { rx: 5, fill: "#f7ecd0", stroke: suit.ink, stroke_width: 1 }), g({ clip_path: "url(#c)", stroke: edge, stroke_width: 1.3, stroke_linejoin: "round", stroke_linecap: "round" }, people[rank](suit)), rect(6, 6, 88, 156, { rx: 5, fill: "none", stroke: suit.ink, stroke_width: 1.2 })]
    : rank === "ace"
      ? [use("p", { transform: "translate(50 84) scale(2.7)" }), path("M24 146Q50 132 76 146M24 146L18 138M24 146L16 150M76 146L82 138M76 146L84 150", { fill: "none", stroke: suit.ink, stroke_width: 1.8, stroke_linecap: "round" }), path("M30 26Q50 38 70 26", { fill: "none", stroke: suit.ink, stroke_width: 1.8, stroke_linecap: "round" })]
      : layouts[rank].map(([x, y]) => use("p", { transform: move(x, y, Number(rank) < 4 ? "scale(1.05)" : Number(rank) < 6 ? "scale(.94)" : "scale(.84)") }));
  const tab = people[rank] ? path("M6 11A5 5 0 0 1 11 6H22V40H6Z", { fill: paper, stroke: suit.ink, stroke_width: 1 }) : "";
  const shifted = { transform: people[rank] ? "translate(3 3)" : undefined };
  return file(
    100,
    168,
    el("defs", {}, g({ id: "p" }, suit.pip), g({ id: "i" }, tab, g(shifted, index)), el("clipPath", { id: "c" }, rect(6, 6, 88, 156, { rx: 5 }))),
    rect(0.5, 0.5, 99, 167, { rx: 6, fill: paper, stroke: "#b9b2a3" }),
    inside,
    use("i"),
    use("i", { transform: "rotate(180 50 84)" }),
  );
}

const title = (text) => text[0].toUpperCase() + text.slice(1);

/** All cards as { name, art, svg }. */
export const latinCards = Object.keys(latinSuits).flatMap((suit) =>
  latinRanks.map((rank) => ({ rank, suit, name: `${title(rank)} of ${suit}`, art: `scopa/${suit}-${rank}.svg`, svg: latinCard(suit, rank) })));

/** The back: a net of ropes, and the otter. */
export const latinBack = () =>
  file(
    100,
    168,
    el("defs", {}, el("pattern", { id: "w", width: 14, height: 14, patternUnits: "userSpaceOnUse" }, path("M0 0L14 14M14 0L0 14", { stroke: "#f0dfb4", stroke_width: 0.9, stroke_opacity: 0.6 }) + circle(7, 7, 1.8, { fill: "#f0dfb4" }))),
    rect(0.5, 0.5, 99, 167, { rx: 6, fill: paper, stroke: "#b9b2a3" }),
    rect(5, 5, 90, 158, { rx: 4, fill: "#2f5f4c" }),
    rect(8, 8, 84, 152, { rx: 3, fill: "url(#w)", stroke: "#f0dfb4", stroke_width: 1.2 }),
    circle(50, 84, 28, { fill: "#2f5f4c", stroke: "#f0dfb4", stroke_width: 1.6 }),
    g({ transform: "translate(50 85) scale(.29)" }, emblem("#f0dfb4", "#2f5f4c")),
  );
