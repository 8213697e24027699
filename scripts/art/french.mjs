// What card games with the French pack share: the pack as rows of a deck, places around a table,
// buttons, zones and their pictures.

import { word } from "./glyphs.mjs";
import { emblem } from "./otter.mjs";
import { circle, d, el, file, g, gradient, move, path, rect, use } from "./svg.mjs";
import { suits } from "./suits.mjs";
import { frame, grain } from "./wood.mjs";

const size = { width: 635, height: 889, shape: "card", weight: "light" };
const back = { name: "Face down", art: "cards/back.svg" };
const called = { A: "Ace", J: "Jack", Q: "Queen", K: "King" };

/** The ranks from low to high, with the ace on either end. */
export const aceHigh = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
export const aceLow = ["A", ...aceHigh.slice(0, 12)];

/** Black and red suits in turn, as most people sort them. */
const order = ["spades", "hearts", "clubs", "diamonds"];

/** The name of a card: "7 of hearts". */
export const cardName = (rank, suit) => `${called[rank] ?? rank} of ${suit}`;

/** The template of all cards, and a pack: of 52 cards, or of the ranks that are given. */
export const template = { name: "Playing card", ...size, secret: true, mask: "Card", faces: [{ name: "{name}", art: "{art}" }, back] };

export const pack = (ranks = aceHigh, of = order) => ({
  name: "Pack",
  template: "Playing card",
  rows: of.flatMap((suit) => ranks.map((rank) => ({ name: cardName(rank, suit), art: `cards/${suit}-${(called[rank] ?? rank).toLowerCase()}.svg` }))),
});

export const jokers = { name: "Jokers", template: "Playing card", rows: ["red", "black"].map((colour) => ({ name: `${colour[0].toUpperCase()}${colour.slice(1)} joker`, art: `cards/joker-${colour}.svg` })) };

/** The kinds of each game: the back of the cards, and the box for the pack. */
export const back52 = { name: "Card", ...size, faces: [back] };
export const box = { name: "Deck", width: 820, height: 1080, shape: "card", weight: "heavy", container: { draws: "top", takes: "Card" }, faces: [{ name: "Deck", art: "cards/deck.svg" }] };
export const holds = { pinned: true, holds: [{ deck: "Pack" }], shuffled: true };

/** A hand, by its width. */
export const hand = (width = 2800, height = 1000, name = "Hand") => ({ name, width, height, shape: "rect", weight: "heavy", hand: true, faces: [{ name, art: width < 2300 ? "cards/hand.svg" : "cards/wide-hand.svg" }] });

/** A button: a wooden plate with its name. */
export const button = (name, steps, { who, width = 1300, height = 400, text = name } = {}) => ({
  name, width, height, shape: "rect", weight: "heavy",
  button: { who, cooldown: 800, steps },
  faces: [{ name, layers: [
    { art: "cards/plate.svg", fit: "fill" },
    { text, x: 110, y: 70, width: width - 220, height: height - 140, size: Math.round(Math.min(height * 0.4, (width - 200) / (0.68 * text.length))), bold: true, colour: "#f6e3b4" },
  ] }],
});

/** A zone with its name in the middle, where cards cover it. */
export const zone = (name, width, height, how, { art = "cards/slot.svg", label = name, takes = ["Card"], size = 130 } = {}) => ({
  name, width, height, shape: "rect", weight: "heavy",
  readable: (label && how.lay !== "grid" && how.lay !== "free") || undefined,
  zone: { ...how, takes },
  faces: [{ name, layers: [
    { art, fit: "fill" },
    { text: label, x: 100, y: 100, width: width - 200, height: height - 200, size, italic: true, font: "serif", colour: "#a9c4ae" },
  ] }],
});

/** Where cards go that somebody has won: a pile, face down, that shows how many there are. */
export const won = (name = "Tricks won") => ({
  name, width: 820, height: 1080, shape: "card", weight: "heavy",
  zone: { lay: "pile", takes: ["Card"], turns: "down", count: true },
  faces: [{ name, art: "cards/won.svg" }],
});

/** The middle of the table, to which all play: cards lie as they are put down. */
export const trick = (width = 3000, height = 3000) => ({
  name: "Trick", width, height, shape: "rect", weight: "heavy",
  zone: { lay: "free", takes: ["Card"], turns: "up" },
  faces: [{ name: "Trick", art: "cards/trick.svg" }],
});

/** The dealer's button, and a marker that says whose turn it is. */
export const dealer = { name: "Dealer button", width: 500, height: 500, shape: "round", weight: "light", upright: true, faces: [{ name: "Dealer button", art: "cards/dealer.svg" }] };
export const turn = { name: "Turn marker", width: 800, height: 800, shape: "round", weight: "light", seat: "turn", display: { x: 110, y: 330, width: 580, height: 140 }, faces: [{ name: "Turn marker", art: "common/turn.svg" }] };

/** A counter on a brass plate. */
export const counter = (name, min, max, initial = min) => ({ name, width: 700, height: 420, shape: "card", weight: "heavy", counter: { min, max, initial }, display: { x: 110, y: 70, width: 480, height: 280 }, faces: [{ name, art: "common/counter.svg" }] });

/** A marker that shows which suit is trumps, or that none is. */
export const trumps = (name = "Trumps", first = order) => ({
  name, width: 640, height: 640, shape: "round", weight: "light", upright: true,
  faces: [...first, "none"].map((suit) => ({ name: suit === "none" ? "No trumps" : `Trumps: ${suit}`, art: `cards/trumps-${suit}.svg` })),
});

const colours = ["#e9c46a", "#2a9d8f", "#e76f51", "#7b9fd4", "#c77dba", "#9bc46a", "#f2ead8", "#a8443a"];

/** The four sides of a table, clockwise: how far the hands are from the middle. */
export const four = (x, y) => [
  { name: "South", side: 0, x: 0, y },
  { name: "West", side: 9000, x: -x, y: 0 },
  { name: "North", side: 18000, x: 0, y: -y },
  { name: "East", side: 27000, x, y: 0 },
];

/**
 * Pieces for each place around a table, and the seats to which they belong. The things are
 * [kind, to the right, to the player, more], as seen from the place; the first one is the hand.
 */
export function sit(places, things, from = 0) {
  const pieces = [];
  const seats = places.map(({ name, side, x, y }, i) => {
    const turned = (side * Math.PI) / 18000;
    const [cos, sin] = [Math.round(Math.cos(turned)), Math.round(Math.sin(turned))];
    const first = from + pieces.length;
    for (const [kind, right, near, more] of things) {
      pieces.push({ kind, x: x + right * cos - near * sin, y: y + right * sin + near * cos, angle: side || undefined, pinned: true, ...more });
    }
    const own = things.map(([, , , more], n) => (more?.pinned === false ? undefined : first + n)).slice(1).filter((n) => n !== undefined);
    return { name, side, colour: colours[i], hand: first, pieces: own.length ? own : undefined };
  });
  return { seats, pieces };
}

/**
 * Gives pieces of the seats behind the first ones kinds of their own, so that set-ups for fewer
 * players lack them. `kinds` are the kinds of these pieces. Returns them with the new ones, and
 * what a set-up for so many players lacks.
 */
export function atPlaces({ seats, pieces }, kinds, first) {
  const all = [...kinds];
  const lacking = seats.map(() => []);
  for (const [i, seat] of seats.entries()) {
    if (i < first) continue;
    for (const n of [seat.hand, ...(seat.pieces ?? [])]) {
      const kind = kinds.find(({ name }) => name === pieces[n].kind);
      if (!kind) continue;
      const name = `${kind.name} of ${seat.name}`;
      pieces[n] = { ...pieces[n], kind: name };
      all.push({ ...kind, name });
      lacking[i].push(name);
    }
  }
  return { kinds: all, without: (players) => lacking.slice(players).flat() };
}

/** Columns of a score sheet: one for each hand that is played. */
export const columns = (n, what = "Hand") => Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);

const dashed = (width, height) =>
  rect(16, 16, width - 32, height - 32, { rx: 90, fill: "#000", fill_opacity: ".12" }) +
  rect(16, 16, width - 32, height - 32, { rx: 90, fill: "none", stroke: "#fff", stroke_opacity: ".55", stroke_width: 14, stroke_dasharray: "64 40", stroke_linecap: "round" });

/** A place for a hand, wider than that of the pack: a fan of cards, very faint. */
const wideHand = () =>
  file(
    2800,
    1000,
    dashed(2800, 1000),
    g({ transform: move(1400, 720), opacity: ".2", fill: "#20332b", stroke: "#fff", stroke_width: 12 },
      [-36, -24, -12, 0, 12, 24, 36].map((turned) => rect(-95, -400, 190, 266, { rx: 18, transform: `rotate(${turned})` }))),
  );

/** A place for won cards: the back of cards, very faint. */
const wonPile = () =>
  file(
    820,
    1080,
    rect(12, 12, 796, 1056, { rx: 70, fill: "#000", fill_opacity: ".12" }),
    rect(12, 12, 796, 1056, { rx: 70, fill: "none", stroke: "#e3c27a", stroke_opacity: ".75", stroke_width: 10 }),
    g({ transform: "translate(410 540)", fill: "#20332b", fill_opacity: ".5", stroke: "#fff", stroke_opacity: ".22", stroke_width: 11, stroke_linejoin: "round" },
      [-16, -2, 12].map((turned) => rect(-132, -186, 264, 372, { rx: 24, transform: `rotate(${turned})` })),
      g({ transform: "rotate(12)", fill: "none" }, rect(-100, -154, 200, 308, { rx: 12 }), path("M0 -100L66 0L0 100L-66 0Z"))),
  );

/** The suits as definitions, named by their first letters. */
const pips = () => Object.entries(suits).map(([name, suit]) => path(suit.pip, { id: name[0] }));

/** The middle of the table: a round of darker cloth with a gold line and the four suits. */
const trickMat = () =>
  file(
    1000,
    1000,
    el("defs", {}, gradient("radial", "cloth", {}, [[0, "#000", 0.05], [0.8, "#000", 0.2], [1, "#000", 0.3]]), pips()),
    circle(500, 500, 490, { fill: "url(#cloth)" }),
    circle(500, 500, 478, { fill: "none", stroke: "#d9b26a", stroke_width: 6, stroke_opacity: ".8" }),
    circle(500, 500, 462, { fill: "none", stroke: "#d9b26a", stroke_width: 2, stroke_opacity: ".6" }),
    g({ fill: "#f0dca8", fill_opacity: ".3" }, [..."shdc"].map((suit, i) => use(suit, { transform: `rotate(${45 + 90 * i} 500 500) translate(500 92) scale(.72)` }))),
    g({ transform: "translate(500 490) scale(1.9)", opacity: ".2" }, emblem("#f0dca8", "#1f3d33")),
  );

/** A place on the table: a gold line around darker cloth. */
export const place = (width, height, inside = "") =>
  file(
    width,
    height,
    rect(8, 8, width - 16, height - 16, { rx: 70, fill: "#000", fill_opacity: ".16" }),
    rect(14, 14, width - 28, height - 28, { rx: 64, fill: "none", stroke: "#d9b26a", stroke_opacity: ".75", stroke_width: 11 }),
    rect(40, 40, width - 80, height - 80, { rx: 44, fill: "none", stroke: "#d9b26a", stroke_opacity: ".3", stroke_width: 5 }),
    inside,
  );

/** Faint outlines of cards, by their middles. */
export const outlines = (middles) =>
  path(middles.map(([x, y]) => d`M${x - 290} ${y - 437}h580q34 0 34 34v806q0 34-34 34h-580q-34 0-34-34v-806q0-34 34-34z`).join(""), { fill: "#000", fill_opacity: ".1", stroke: "#fff", stroke_opacity: ".2", stroke_width: 7, stroke_dasharray: "36 26", stroke_linecap: "round" });

/** A plate of dark wood, with a gold line and light from above, for the name of a button. */
const plate = () =>
  file(
    1300,
    400,
    el("defs", {}, gradient("linear", "l", { x2: "0", y2: "1" }, [[0, "#fff", 0.26], [0.4, "#fff", 0.04], [1, "#000", 0.32]])),
    rect(6, 6, 1288, 388, { rx: 70, fill: frame.plank, stroke: "#2c180b", stroke_width: 12 }),
    path(grain(1240, 360, 8, 17, 12), { transform: move(30, 20), fill: "none", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".45" }),
    rect(12, 12, 1276, 376, { rx: 64, fill: "url(#l)" }),
    rect(44, 44, 1212, 312, { rx: 44, fill: "none", stroke: "#d9b26a", stroke_width: 10 }),
  );

/** A disc of ivory with something on it. */
export const ivoryDisc = (sign) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "s", { x2: "0.7", y2: "1" }, [[0, "#fff"], [0.5, "#f7efdc"], [1, "#cdbd97"]])),
    circle(50, 50, 48.5, { fill: "#d9b26a", stroke: "#4a3010", stroke_width: 2 }),
    circle(50, 50, 42, { fill: "url(#s)", stroke: "#4a3010", stroke_width: 1.4 }),
    circle(50, 50, 38, { fill: "none", stroke: "#b98f45", stroke_width: 0.8 }),
    sign,
  );

/** A disc with a suit, or with none. */
const disc = (suit) =>
  ivoryDisc(
    suit
      ? path(suit.pip, { transform: "translate(50 50) scale(.5)", fill: suit.ink })
      : path(word("NT"), { transform: "translate(50 37) scale(.26)", fill: "none", stroke: "#1b2130", stroke_width: 19, stroke_linecap: "round", stroke_linejoin: "round" }),
  );

/** The pictures that these games share. */
export function* frenchArt() {
  yield ["cards/wide-hand.svg", wideHand()];
  yield ["cards/won.svg", wonPile()];
  yield ["cards/trick.svg", trickMat()];
  yield ["cards/slot.svg", place(820, 1080)];
  yield ["cards/plate.svg", plate()];
  for (const [name, suit] of Object.entries(suits)) yield [`cards/trumps-${name}.svg`, disc(suit)];
  yield ["cards/trumps-none.svg", disc()];
}
