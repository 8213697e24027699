// Colours: a pack of four suits that differ by their shapes, with cards that do something.

import { width as widthOf, word } from "../glyphs.mjs";
import { emblem } from "../otter.mjs";
import { players, press } from "../parlour.mjs";
import { circle, el, file, g, gradient, move, path, rect, use } from "../svg.mjs";

const [wide, high] = [635, 889];
const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };
const paper = "#fffdf7";

/** The suits: shapes of 100 by 100 around 0, 0, and what is cut into them. */
const suits = {
  Leaf: {
    ink: "#26734a",
    pip: "M0-54C30-40 46-10 36 18C28 36 14 40 4 41V54H-4V41C-14 40-28 36-36 18C-46-10-30-40 0-54Z",
    cut: "M0-30V36M0-6L16-20M0 14L20-4M0-6L-16-20M0 14L-20-4",
  },
  Flame: {
    ink: "#c0352b",
    pip: "M6-56C10-32 42-16 42 16C42 40 24 53 0 53C-25 53-42 38-42 14C-42-6-30-14-26-30C-15-24-12-16-10-6C3-16 10-36 6-56Z",
    cut: "M2 2C8 14 20 18 20 30C20 42 10 46 1 46C-10 46-18 40-18 30C-18 18-4 14 2 2Z",
  },
  Drop: {
    ink: "#2459a4",
    pip: "M0-56C15-28 40-8 40 17A40 37 0 0 1-40 17C-40-8-15-28 0-56Z",
    cut: "M-24 16C-24 30-14 38-2 39",
  },
  Sun: {
    ink: "#a86a08",
    pip: "M0-29A29 29 0 1 1 0 29A29 29 0 1 1 0-29ZM-5-38L0-56L5-38ZM-5 38L0 56L5 38ZM38-5L56 0L38 5ZM-38-5L-56 0L-38 5ZM23-31L40-40L31-23ZM-23-31L-40-40L-31-23ZM23 31L40 40L31 23ZM-23 31L-40 40L-31 23Z",
    cut: "M-12-6L-12-5M12-6L12-5M-13 8C-8 16 8 16 13 8",
  },
};

const rows = (n, from = 200) => Array.from({ length: n }, (_, i) => from + (i * (high - 2 * from)) / (n - 1));
const [left, middle, right] = [218, wide / 2, wide - 218];
const column = (x, ys) => ys.map((y) => [x, y]);
const sides = (ys) => [...column(left, ys), ...column(right, ys)];
const [two, three, four] = [rows(2), rows(3), rows(4, 160)];
const layouts = [
  [], column(middle, [high / 2]), column(middle, two), column(middle, three), sides(two), [...sides(two), [middle, high / 2]],
  sides(three), [...sides(three), [middle, (three[0] + three[1]) / 2]],
  [...sides(three), [middle, (three[0] + three[1]) / 2], [middle, (three[1] + three[2]) / 2]], [...sides(four), [middle, high / 2]],
];

const shape = ({ pip, cut, ink }, id) => g({ id }, path(pip, { fill: ink }), path(cut, { ...line, stroke: paper, stroke_width: 5 }));

/** A card with what is in its corners and in its middle. */
const card = (ink, corner, inside, defs = "") =>
  file(
    wide,
    high,
    el("defs", {}, defs, g({ id: "i" }, corner)),
    rect(1.5, 1.5, wide - 3, high - 3, { rx: 35, fill: paper, stroke: "#b9b2a3", stroke_width: 3 }),
    rect(134, 58, wide - 268, high - 116, { rx: 26, fill: ink, fill_opacity: ".07", stroke: ink, stroke_width: 5 }),
    rect(146, 70, wide - 292, high - 140, { rx: 18, fill: "none", stroke: ink, stroke_opacity: ".5", stroke_width: 2 }),
    inside,
    use("i"),
    use("i", { transform: `rotate(180 ${wide / 2} ${high / 2})` }),
  );

const index = (text, ink) => path(word(text, 30), { ...line, transform: move(70, 52, `scale(${widthOf(text, 30) > 70 ? ".9 1.2" : "1.2"})`), stroke: ink, stroke_width: 18 });

const number = (suit, n) =>
  card(
    suit.ink,
    [index(String(n), suit.ink), use("p", { transform: move(70, 252, "scale(.86)") })],
    layouts[n].map(([x, y]) => use("p", { transform: move(x, y, `${y > high / 2 + 1 ? "rotate(180) " : ""}scale(${n === 1 ? 3 : n === 9 ? 1.04 : 1.22})`) })),
    shape(suit, "p"),
  );

// Signs of cards that do something, 100 by 100 around 0, 0.
const back = (x, turn) => rect(-17, -24, 34, 48, { rx: 5, transform: `translate(${x} 0) rotate(${turn})` });
const signs = {
  Pause: (ink) => path("M-14-24V24M14-24V24", { ...line, stroke: ink, stroke_width: 15 }),
  "Turn round": (ink) => path("M-30-4A31 31 0 0 1 24-20M28-38L26-18L6-20M30 4A31 31 0 0 1-24 20M-28 38L-26 18L-6 20", { ...line, stroke: ink, stroke_width: 10 }),
  "Two more": (ink) => g({ fill: paper, stroke: ink, stroke_width: 6 }, back(-11, -12), back(11, 10)),
};

const action = (suit, name) =>
  card(
    suit.ink,
    [g({ transform: move(70, 104, "scale(1.12)") }, signs[name](suit.ink)), use("p", { transform: move(70, 232, "scale(.86)") })],
    [
      [[middle, 168], [middle, high - 168]].map(([x, y]) => use("p", { transform: move(x, y, y > 400 ? "rotate(180) scale(1.1)" : "scale(1.1)") })),
      circle(middle, high / 2, 148, { fill: suit.ink }),
      circle(middle, high / 2, 134, { fill: "none", stroke: paper, stroke_width: 5 }),
      g({ transform: move(middle, high / 2, "scale(2.4)") }, signs[name](name === "Two more" ? suit.ink : paper)),
    ],
    shape(suit, "p"),
  );

const dark = "#2b2f3a";

/** Four fields with the four suits, as a disc of radius 150 around 0, 0. */
const wheel = (scale) =>
  g(
    { transform: move(middle, high / 2, `scale(${scale})`) },
    Object.values(suits).map(({ ink, pip }, i) => {
      const [x, y] = [[-1, -1], [1, -1], [1, 1], [-1, 1]][i];
      return path(`M0 0H${150 * x}A150 150 0 0 ${x === y ? 1 : 0} 0 ${150 * y}Z`, { fill: ink }) + path(pip, { fill: paper, transform: move(66 * x, 66 * y, "scale(.86)") });
    }),
    circle(0, 0, 150, { fill: "none", stroke: dark, stroke_width: 8 }),
    path("M-150 0H150M0-150V150", { stroke: paper, stroke_width: 8 }),
  );

const small = Object.values(suits).map(({ ink, pip }, i) => path(pip, { fill: ink, transform: move(48 + 44 * (i % 2), 86 + 50 * Math.floor(i / 2), "scale(.38)") }));
const any = (more) =>
  card(
    dark,
    [small, more ? path(word("+3", 20), { ...line, transform: move(70, 186, "scale(.62)"), stroke: dark, stroke_width: 20 }) : ""],
    [
      wheel(1.1),
      more ? [168, high - 168].map((y) => g({ transform: move(middle, y, y > 400 ? "rotate(180) scale(1.6)" : "scale(1.6)"), fill: paper, stroke: dark, stroke_width: 5 }, back(-22, -14), back(0, 0), back(22, 14))) : [165, high - 165].map((y) => g({ transform: move(middle, y, y > 400 ? "rotate(180)" : "scale(1)") }, Object.values(suits).map(({ ink, pip }, i) => path(pip, { fill: ink, transform: move(-105 + 70 * i, i % 3 ? -18 : 8, "scale(.62)") })))),
    ],
  );

/** The back: a field of the four shapes around the otter. */
function reverse() {
  const [ground, ink] = ["#3b2a4f", "#efe2c6"];
  const all = Object.values(suits);
  const one = el(
    "pattern",
    { id: "r", width: 120, height: 120, patternUnits: "userSpaceOnUse", patternTransform: "translate(17 24)" },
    all.map(({ pip }, i) => path(pip, { fill: ink, fill_opacity: ".34", transform: move(30 + 60 * (i % 2), 30 + 60 * Math.floor(i / 2), "scale(.36)") })),
  );
  return file(
    wide,
    high,
    el("defs", {}, one),
    rect(1.5, 1.5, wide - 3, high - 3, { rx: 35, fill: paper, stroke: "#b9b2a3", stroke_width: 3 }),
    rect(26, 26, wide - 52, high - 52, { rx: 24, fill: ground }),
    rect(40, 40, wide - 80, high - 80, { rx: 16, fill: "url(#r)", stroke: ink, stroke_width: 4 }),
    circle(middle, high / 2, 150, { fill: ground, stroke: ink, stroke_width: 6 }),
    circle(middle, high / 2, 136, { fill: "none", stroke: ink, stroke_width: 2, stroke_dasharray: "2 10", stroke_linecap: "round" }),
    g({ transform: move(middle, high / 2 + 6, "scale(1.6)") }, emblem(ink, ground)),
  );
}

const sheen = gradient("linear", "s", { x2: "0.8", y2: "1" }, [[0, "#fff", 0.35], [0.45, "#fff", 0], [1, "#000", 0.28]]);

/** A round marker, 100 across. */
const marker = (ground, ...inside) =>
  file(100, 100, el("defs", {}, sheen), circle(50, 50, 48, { fill: ground, stroke: "#17110c", stroke_width: 2.4 }), circle(50, 50, 42, { fill: "none", stroke: "#fff8e8", stroke_width: 2 }), inside, circle(50, 50, 48, { fill: "url(#s)" }));

const called = ({ ink, pip, cut }) => marker(ink, g({ transform: "translate(50 50) scale(.58)" }, path(pip, { fill: paper }), path(cut, { ...line, stroke: ink, stroke_width: 5 })));
const none = () => marker(dark, Object.values(suits).map(({ pip }, i) => path(pip, { fill: paper, transform: move(37 + 26 * (i % 2), 37 + 26 * Math.floor(i / 2), "scale(.22)") })));
const round = (mirror) => marker("#20695a", g({ transform: `translate(50 50) scale(${mirror ? -1 : 1} 1)` }, path("M-26-6A26 26 0 1 1-2 26M9 15L-3 26L9 37", { ...line, stroke: "#fff6dc", stroke_width: 7 })));

const slug = (name) => name.toLowerCase().replace(/ /g, "-");

export function* art() {
  for (const [name, suit] of Object.entries(suits)) {
    for (let n = 1; n <= 9; n++) yield [`colours/${slug(name)}-${n}.svg`, number(suit, n)];
    for (const sign of Object.keys(signs)) yield [`colours/${slug(name)}-${slug(sign)}.svg`, action(suit, sign)];
    yield [`colours/called-${slug(name)}.svg`, called(suit)];
  }
  yield ["colours/any.svg", any(false)];
  yield ["colours/any-more.svg", any(true)];
  yield ["colours/back.svg", reverse()];
  yield ["colours/called.svg", none()];
  yield ["colours/clockwise.svg", round(false)];
  yield ["colours/anticlockwise.svg", round(true)];
  yield ["colours/new-round.svg", press("NEW ROUND", 1300)];
}

const size = { width: wide, height: high, shape: "card", weight: "light" };
const actions = Object.keys(suits).flatMap((suit) => Object.keys(signs).map((sign) => ({ name: `${sign} of ${plural(suit)}`, count: 2, picture: `colours/${slug(suit)}-${slug(sign)}.svg` })));

function plural(suit) {
  return { Leaf: "leaves", Flame: "flames", Drop: "drops", Sun: "suns" }[suit];
}

const hands = [
  ["South", 0, 0, 2780, 0], ["North", 18000, 0, -2780, 0], ["West", 9000, -3580, 0, 9000],
  ["East", 27000, 3580, 0, 27000], ["Southeast", 0, 2250, 2780, 0], ["Northwest", 18000, -2250, -2780, 0],
];

export const game = {
  name: "Colours",
  summary: "Match the shape or the number, and get rid of your cards.",
  order: 370,
  about: { players: [2, 6], minutes: [15, 40], age: 6, rules: "rules/colours.md" },
  table: { width: 8400, height: 6600, surface: "felt" },
  seats: hands.map(([name, side], hand) => ({ name, side, colour: players[name], hand })),
  sheet: { title: "Points", columns: Object.keys(players), rows: Array.from({ length: 12 }, (_, i) => `Round ${i + 1}`) },
  steps: [{ do: "shuffle", kind: "Draw pile" }],
  setup: "All cards",
  setups: [
    { name: "Numbers only", without: actions.map(({ name }) => name).concat("Any colour and three more", "Direction of play"), steps: [{ do: "shuffle", kind: "Draw pile" }] },
  ],
  templates: [{
    name: "Front", ...size, secret: true, mask: "Card",
    faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: "colours/back.svg" }],
  }],
  decks: [
    { name: "Numbers", template: "Front", rows: Object.keys(suits).flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({ name: `${n} of ${plural(suit)}`, count: 2, picture: `colours/${slug(suit)}-${n}.svg` }))) },
    { name: "Actions", template: "Front", rows: actions },
    { name: "Any", template: "Front", rows: [{ name: "Any colour", count: 4, picture: "colours/any.svg" }, { name: "Any colour and three more", count: 4, picture: "colours/any-more.svg" }] },
  ],
  kinds: [
    { name: "Hand", width: 1900, height: 900, shape: "rect", weight: "heavy", hand: true, faces: [{ name: "Hand", art: "cards/hand.svg" }] },
    { name: "Card", ...size, faces: [{ name: "Face down", art: "colours/back.svg" }] },
    { name: "Draw pile", width: 820, height: 1080, shape: "card", weight: "heavy", container: { draws: "top", takes: "Card" }, faces: [{ name: "Draw pile", art: "cards/deck.svg" }] },
    { name: "Discard pile", width: 820, height: 1080, shape: "card", weight: "heavy", zone: { lay: "pile", takes: ["Card"], turns: "up", count: true }, faces: [{ name: "Discard pile", art: "cards/discards.svg" }] },
    {
      name: "New round", width: 1300, height: 380, shape: "rect", weight: "heavy",
      button: { who: "host", cooldown: 1500, steps: [
        { do: "ask", name: "Cards", question: "How many cards does everybody get?", for: "number", min: 1, max: 12, initial: 7 },
        { do: "recall", kind: "Draw pile" },
        { do: "shuffle", kind: "Draw pile" },
        { do: "deal", kind: "Draw pile", n: { answer: "Cards" } },
        { do: "move", kind: "Draw pile", n: 1, to: "Discard pile", face: 0 },
        { do: "face", kind: "Called colour", face: 0 },
        { do: "face", kind: "Direction of play", face: 0 },
      ] },
      faces: [{ name: "New round", art: "colours/new-round.svg" }],
    },
    {
      name: "Called colour", width: 560, height: 560, shape: "round", weight: "light",
      faces: [{ name: "No colour is called", art: "colours/called.svg" }, ...Object.keys(suits).map((suit) => ({ name: `${suit} is called`, art: `colours/called-${slug(suit)}.svg` }))],
    },
    {
      name: "Direction of play", width: 560, height: 560, shape: "round", weight: "light",
      faces: [{ name: "Play goes clockwise", art: "colours/clockwise.svg" }, { name: "Play goes anticlockwise", art: "colours/anticlockwise.svg" }],
    },
  ],
  pieces: [
    ...hands.map(([, , x, y, angle]) => ({ kind: "Hand", x, y, angle: angle || (y < 0 ? 18000 : undefined), pinned: true })),
    { kind: "Draw pile", x: -520, y: 0, pinned: true, holds: [{ deck: "Numbers" }, { deck: "Actions" }, { deck: "Any" }], shuffled: true },
    { kind: "Discard pile", x: 520, y: 0, pinned: true },
    { kind: "Called colour", x: 1400, y: -330 },
    { kind: "Direction of play", x: 1400, y: 330 },
    { kind: "New round", x: 3050, y: -2800, pinned: true },
  ],
};
