// Piecepack: tiles, coins, pawns and dice in four suits, for many games.

import { word } from "../glyphs.mjs";
import { press, tray } from "../parlour.mjs";
import { circle, el, ellipse, file, g, gradient, path, rect, use } from "../svg.mjs";
import { grain, maple } from "../wood.mjs";

const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };
const cream = "#fff6e2";

/** The suits: their colour, and a sign of 100 by 100 around 0, 0. */
const suits = {
  suns: { ink: "#b8302a", side: "south", sign: "M0-26A26 26 0 1 1 0 26A26 26 0 1 1 0-26ZM-7-34L0-54L7-34ZM-7 34L0 54L7 34ZM34-7L54 0L34 7ZM-34-7L-54 0L-34 7ZM19-29L38-38L29-19ZM-19-29L-38-38L-29-19ZM19 29L38 38L29 19ZM-19 29L-38 38L-29 19Z" },
  moons: { ink: "#2b2f3a", side: "north", sign: "M14-50A50 50 0 1 0 48 24A42 42 0 1 1 14-50Z" },
  crowns: { ink: "#a8700c", side: "west", sign: "M-46-34L-26-4L0-48L26-4L46-34L38 40H-38Z" },
  arms: { ink: "#2a5aa4", side: "east", sign: "M-42-48Q0-34 42-48V0C42 30 18 44 0 54C-18 44-42 30-42 0ZM-7-30V-9H-28V5H-7V34H7V5H28V-9H7V-30Z" },
};
const values = ["Null", "Ace", "2", "3", "4", "5"];
const shape = ({ sign }, look) => path(sign, { fill_rule: "evenodd", ...look });

/** A value about x, y: a ring for null, the sign for an ace, or a figure. */
function value(suit, i, x, y, scale, ink) {
  const at = `translate(${x} ${y}) scale(${scale})`;
  if (i === 0) return circle(x, y, 34 * scale, { fill: "none", stroke: ink, stroke_width: 11 * scale, stroke_dasharray: `${15 * scale} ${11.7 * scale}` });
  if (i === 1) return shape(suit, { transform: at, fill: ink });
  return path(word(values[i]), { ...line, transform: `${at} translate(0 -50)`, stroke: ink, stroke_width: 15 });
}

/** The front of a tile, 100 square: its suit in a corner, its value in the middle. */
const tile = (suit, i) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: ".1", x2: ".8", y2: "1" }, [[0, "#fffaf0"], [0.6, "#f6ead0"], [1, "#dcc69a"]])),
    rect(1, 1, 98, 98, { rx: 5, fill: "url(#a)", stroke: "#4d3a1c", stroke_width: 1.6 }),
    rect(5, 5, 90, 90, { rx: 3, fill: "none", stroke: suit.ink, stroke_opacity: ".45", stroke_width: 0.8 }),
    shape(suit, { transform: "translate(17 18) scale(.19)", fill: suit.ink }),
    value(suit, i, 50, 52, 0.5, suit.ink),
  );

/** The back of all tiles: four squares of light wood. */
const back = () =>
  file(
    100,
    100,
    rect(1, 1, 98, 98, { rx: 5, fill: maple.plank, stroke: "#4d3a1c", stroke_width: 1.6 }),
    path(grain(94, 96, 9, 7, 2), { ...line, transform: "translate(3 2)", stroke: maple.grain, stroke_width: 0.9, stroke_opacity: ".6" }),
    rect(3, 3, 94, 94, { rx: 3.5, fill: "none", stroke: "#fff", stroke_opacity: ".4", stroke_width: 1.4 }),
    path("M50 2V98M2 50H98", { stroke: "#6b3f22", stroke_width: 2 }),
  );

/** The side of a coin with its value, and a mark that gives it a direction. */
const coin = (suit, i) =>
  file(
    100,
    100,
    circle(50, 50, 47, { fill: cream, stroke: suit.ink, stroke_width: 5 }),
    circle(50, 50, 39, { fill: "none", stroke: suit.ink, stroke_opacity: ".4", stroke_width: 1.6 }),
    path("M43 4H57L50 17Z", { fill: suit.ink }),
    value(suit, i, 50, 54, 0.46, suit.ink),
  );

const coinBack = (suit) =>
  file(
    100,
    100,
    circle(50, 50, 47, { fill: suit.ink, stroke: "#17110c", stroke_width: 4 }),
    circle(50, 50, 40, { fill: "none", stroke: cream, stroke_opacity: ".7", stroke_width: 1.8 }),
    path("M43 4H57L50 17Z", { fill: cream }),
    shape(suit, { transform: "translate(50 53) scale(.46)", fill: cream }),
  );

const pawn = (suit) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", {}, [[0, "#fff", 0.35], [0.45, "#fff", 0], [1, "#000", 0.4]]), path("M50 6A19 19 0 0 1 61 40C64 58 72 70 80 78Q86 84 84 94H16Q14 84 20 78C28 70 36 58 39 40A19 19 0 0 1 50 6Z", { id: "p" })),
    ellipse(50, 92, 40, 6, { fill: "#000", fill_opacity: ".3" }),
    use("p", { fill: suit.ink, stroke: "#17110c", stroke_width: 3 }),
    use("p", { fill: "url(#a)" }),
    path("M36 41H64", { ...line, stroke: cream, stroke_opacity: ".8", stroke_width: 3.4 }),
    shape(suit, { transform: "translate(50 73) scale(.26)", fill: cream }),
  );

const die = (suit, i) =>
  file(
    100,
    100,
    rect(3, 3, 94, 94, { rx: 18, fill: suit.ink, stroke: "#17110c", stroke_width: 3 }),
    circle(50, 50, 42, { fill: "#fff", fill_opacity: ".12" }),
    value(suit, i, 50, 50, 0.56, cream),
  );

// Where what belongs to a suit lies in its tray, from the left end.
const dieAt = 320;
const pawnAt = 740;
const coinsAt = [0, 1, 2, 3, 4, 5].map((i) => 1130 + 328 * i);

/** A tray for the coins, the pawn and the die of a suit. */
const holder = (suit) =>
  file(
    3300,
    640,
    tray(3300, 640, "#28453a", 80),
    g({ fill: "#000", fill_opacity: ".2", stroke: "#fff", stroke_opacity: ".2", stroke_width: 8 },
      coinsAt.map((x) => circle(x, 320, 152)), circle(pawnAt, 320, 170), rect(dieAt - 180, 140, 360, 360, { rx: 60 })),
    shape(suit, { transform: "translate(3080 320) scale(1.9)", fill: suit.ink, stroke: cream, stroke_opacity: ".55", stroke_width: 5 }),
  );

const lake = () => file(3960, 2720, tray(3960, 2720, "#2b5f73", 100));
const box = () => file(1000, 900, tray(1000, 900, "#1f3d33", 76), [0, 1, 2].map((i) => rect(240 + 30 * i, 210 + 30 * i, 430, 430, { rx: 24, fill: maple.plank, stroke: "#4d3a1c", stroke_width: 10 })), path("M515 270V700M300 485H730", { stroke: "#6b3f22", stroke_width: 9 }));

const slug = (text) => text.toLowerCase();

export function* art() {
  for (const [name, suit] of Object.entries(suits)) {
    for (const [i, v] of values.entries()) {
      yield [`piecepack/${name}-tile-${slug(v)}.svg`, tile(suit, i)];
      yield [`piecepack/${name}-coin-${slug(v)}.svg`, coin(suit, i)];
      yield [`piecepack/${name}-die-${slug(v)}.svg`, die(suit, i)];
    }
    yield [`piecepack/${name}-coin.svg`, coinBack(suit)];
    yield [`piecepack/${name}-pawn.svg`, pawn(suit)];
    yield [`piecepack/${name}-tray.svg`, holder(suit)];
  }
  yield ["piecepack/back.svg", back()];
  yield ["piecepack/lake.svg", lake()];
  yield ["piecepack/box.svg", box()];
  yield ["piecepack/lay-out.svg", press("LAY OUT", 1000)];
  yield ["piecepack/put-away.svg", press("PUT AWAY", 1000)];
}

const names = Object.keys(suits);
const of = (v, suit) => `${v} of ${suit}`;
const tiles = { width: 600, height: 600, shape: "rect", weight: "light" };
const coins = { width: 270, height: 270, shape: "round", weight: "light" };
const trays = { suns: [0, 2300, 0], moons: [0, -2300, 18000], crowns: [-2900, 0, 9000], arms: [2900, 0, 27000] };
const lay = [{ do: "shuffle", kind: "Box of tiles" }, { do: "move", kind: "Box of tiles", n: 24, to: "Lake", face: 1 }];

/** A point of a tray on the table, by its distance from the left end. */
function inTray(suit, at) {
  const [x, y, angle] = trays[suit];
  const along = at - 1650;
  const [ax, ay] = { 0: [1, 0], 9000: [0, 1], 18000: [-1, 0], 27000: [0, -1] }[angle];
  return { x: x + ax * along, y: y + ay * along, angle: angle || undefined };
}

export const game = {
  name: "Piecepack",
  summary: "Tiles, coins, pawns and dice in four suits, and a game to begin with: Lost islands.",
  order: 390,
  about: { players: [1, 4], minutes: [15, 30], age: 7, rules: "rules/piecepack.md" },
  table: { width: 6800, height: 5600, surface: "wood" },
  seats: names.map((suit, i) => ({ name: suit[0].toUpperCase() + suit.slice(1), side: suits[suit].side, colour: suits[suit].ink, pieces: [i] })),
  steps: lay,
  setup: "Lost islands",
  setups: [{ name: "Tiles in the box", steps: [{ do: "shuffle", kind: "Box of tiles" }] }],
  templates: [
    { name: "Tile front", ...tiles, secret: true, mask: "Tile", faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: "piecepack/back.svg" }] },
    ...names.map((suit) => ({ name: `Coin front of ${suit}`, ...coins, secret: true, mask: `Coin of ${suit}`, faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: `piecepack/${suit}-coin.svg` }] })),
  ],
  decks: [
    { name: "Tiles", template: "Tile front", rows: names.flatMap((suit) => values.map((v) => ({ name: `Tile ${of(v, suit)}`, picture: `piecepack/${suit}-tile-${slug(v)}.svg` }))) },
    ...names.map((suit) => ({ name: `Coins of ${suit}`, template: `Coin front of ${suit}`, rows: values.map((v) => ({ name: `Coin ${of(v, suit)}`, picture: `piecepack/${suit}-coin-${slug(v)}.svg` })) })),
  ],
  kinds: [
    ...names.map((suit) => ({
      name: `Tray of ${suit}`, width: 3300, height: 640, shape: "rect", weight: "heavy",
      snaps: { reach: 150, points: [{ x: dieAt, y: 320, name: "die" }, { x: pawnAt, y: 320, name: "pawn" }, ...coinsAt.map((x, i) => ({ x, y: 320, name: `coin ${i}` }))] },
      faces: [{ name: `Tray of ${suit}`, art: `piecepack/${suit}-tray.svg` }],
    })),
    { name: "Tile", ...tiles, faces: [{ name: "Face down", art: "piecepack/back.svg" }] },
    ...names.map((suit) => ({ name: `Coin of ${suit}`, ...coins, faces: [{ name: "Face down", art: `piecepack/${suit}-coin.svg` }] })),
    { name: "Lake", width: 3960, height: 2720, shape: "rect", weight: "heavy", zone: { lay: "grid", gap: 620, down: 620, takes: ["Tile"], most: 24, turns: "keep" }, faces: [{ name: "Lake", art: "piecepack/lake.svg" }] },
    { name: "Box of tiles", width: 900, height: 810, shape: "rect", weight: "heavy", container: { draws: "top", takes: "Tile" }, faces: [{ name: "Box of tiles", art: "piecepack/box.svg" }] },
    ...names.map((suit) => ({ name: `Pawn of ${suit}`, width: 300, height: 300, shape: "rect", weight: "light", upright: true, faces: [{ name: `Pawn of ${suit}`, art: `piecepack/${suit}-pawn.svg` }] })),
    ...names.map((suit) => ({ name: `Die of ${suit}`, width: 320, height: 320, shape: "rect", weight: "light", die: { cooldown: 1000 }, faces: values.map((v) => ({ name: v, art: `piecepack/${suit}-die-${slug(v)}.svg` })) })),
    { name: "Lay out", width: 1000, height: 380, shape: "rect", weight: "heavy", button: { cooldown: 2000, steps: [{ do: "recall", kind: "Box of tiles" }, ...lay] }, faces: [{ name: "Lay out", art: "piecepack/lay-out.svg" }] },
    { name: "Put away", width: 1000, height: 380, shape: "rect", weight: "heavy", button: { cooldown: 2000, steps: [{ do: "recall", kind: "Box of tiles" }, { do: "shuffle", kind: "Box of tiles" }] }, faces: [{ name: "Put the tiles away", art: "piecepack/put-away.svg" }] },
  ],
  pieces: [
    ...names.map((suit) => ({ kind: `Tray of ${suit}`, x: trays[suit][0], y: trays[suit][1], angle: trays[suit][2] || undefined, pinned: true, locked: true })),
    { kind: "Lake", x: 0, y: 0, pinned: true },
    { kind: "Box of tiles", x: -2700, y: -2330, pinned: true, holds: [{ deck: "Tiles" }], shuffled: true },
    { kind: "Lay out", x: 2700, y: 2000, pinned: true },
    { kind: "Put away", x: 2700, y: 2450, pinned: true },
    ...names.flatMap((suit) => [
      { kind: `Die of ${suit}`, ...inTray(suit, dieAt), face: 1 },
      { kind: `Pawn of ${suit}`, ...inTray(suit, pawnAt) },
      ...values.map((v, i) => ({ kind: `Coin ${of(v, suit)}`, ...inTray(suit, coinsAt[i]) })),
    ]),
  ],
};
