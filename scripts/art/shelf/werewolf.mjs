// Werewolf: role cards, a candle and a vote for each player, and a moon that becomes the sun.

import { emblem } from "../otter.mjs";
import { press, written } from "../parlour.mjs";
import { when } from "../steps.mjs";
import { circle, d, dots, el, ellipse, file, g, gradient, path, rect, use } from "../svg.mjs";

const [wide, high] = [635, 889];
const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };
const ink = "#15121c";
const sharp = { stroke: ink, stroke_width: 7, stroke_linejoin: "round", stroke_linecap: "round" };
const gold = "#d9b26a";

/** Firs along the lower edge of a picture. */
const firs = (fill, heights) => path(heights.map((h, i) => d`M${i * 90 - 250} 260l45 ${-h - 50}l45 ${h + 50}Z`).join(""), { fill });

/** The roles: the sky behind them, and what stands before it, around 0, 0 in 480 by 520. */
const roles = {
  Werewolf: {
    sky: ["#3a4a78", "#151a33"],
    picture: () => [
      circle(60, -90, 130, { fill: "#f3e3a8" }), dots([[20, -130], [100, -60], [110, -140]], 18, { fill: "#d9c47e" }), firs("#0f1428", [200, 260, 180, 230, 210, 250]),
      path("M-150-150L-70-95Q0-120 70-95L150-150L150-20L190 40L140 50L160 110L95 105L40 195H-40L-95 105L-160 110L-140 50L-190 40L-150-20Z", { fill: "#5b5f6d", ...sharp }),
      path("M-128-108L-82-74L-120-40ZM128-108L82-74L120-40Z", { fill: "#2e303a" }),
      path("M-50 40Q0 0 50 40L58 120L36 180H-36L-58 120Z", { fill: "#a7a9b3", ...sharp }),
      path("M-100-22L-30 6L-74 20ZM100-22L30 6L74 20Z", { fill: "#ffd24a", ...sharp, stroke_width: 5 }),
      path("M-26 62H26L0 92Z", { fill: ink }), path("M-48 124L-32 118L-22 146L-10 122H10L22 146L32 118L48 124L30 168H-30Z", { fill: "#fff", ...sharp, stroke_width: 5 }),
    ],
  },
  Villager: {
    sky: ["#bfe0ea", "#7fb6a6"],
    picture: () => [
      path("M-250 90Q-100 20 0 70T250 60V260H-250Z", { fill: "#5f9a56" }), path("M-210 60V-20L-150-70L-90-20V70Z", { fill: "#f1e2c0", ...sharp, stroke_width: 5 }), path("M-230-12L-150-80L-70-12Z", { fill: "#b2503a", ...sharp, stroke_width: 5 }),
      path("M-130 260C-120 130-60 110 0 110S120 130 130 260Z", { fill: "#3c6f9a", ...sharp }), path("M-40 116L0 160L40 116", { fill: "#f1e2c0", ...sharp }),
      g({ transform: "translate(0 38) scale(1.5)" }, emblem("#8a5a3c", "#f6e4c4")),
      path("M-150-36C-90-64 90-64 150-36C130-10-130-10-150-36Z", { fill: "#e3bd62", ...sharp }), path("M-78-48C-72-130 72-130 78-48Q0-24-78-48Z", { fill: "#e3bd62", ...sharp }), path("M-79-66Q0-44 79-66", { ...line, stroke: "#b2503a", stroke_width: 18 }),
    ],
  },
  Seer: {
    sky: ["#5a3f86", "#221436"],
    picture: () => [
      dots([[-180, -170], [170, -190], [-120, -60], [196, -40], [-200, 60], [90, -200]], 6, { fill: "#f3e3a8" }),
      path("M-120 200Q-110 120-60 110H60Q110 120 120 200Z", { fill: gold, ...sharp }), circle(0, -20, 150, { fill: "url(#orb)", ...sharp }),
      path("M-110-16Q0-116 110-16Q0 84-110-16Z", { fill: "#fff8e8", ...sharp }), circle(0, -16, 46, { fill: "#3467ad", ...sharp }), circle(0, -16, 20, { fill: ink }), circle(-14, -30, 9, { fill: "#fff" }),
      path("M-84-108Q-60-134-24-142", { ...line, stroke: "#fff", stroke_opacity: ".8", stroke_width: 12 }),
    ],
  },
  Healer: {
    sky: ["#cfe8d4", "#6fa98a"],
    picture: () => [
      path("M-52-170H52V-130H38V-70C120-40 150 30 130 110C116 172 70 190 0 190S-116 172-130 110C-150 30-120-40-38-70V-130H-52Z", { fill: "#eaf5f4", fill_opacity: ".9", ...sharp }),
      path("M-122 40Q-60 10 0 40T122 40C140 90 124 176 0 176S-140 90-122 40Z", { fill: "#c8382f" }), rect(-44, -200, 88, 44, { rx: 10, fill: "#8a5a34", ...sharp }),
      path("M0 160C-20 130-70 104-66 66C-62 34-18 30 0 62C18 30 62 34 66 66C70 104 20 130 0 160Z", { fill: "#fff3e0", ...sharp, stroke_width: 5 }),
      path("M-210 190C-220 100-170 60-140 50C-140 110-160 170-210 190ZM210 190C220 100 170 60 140 50C140 110 160 170 210 190Z", { fill: "#2f7d4a", ...sharp, stroke_width: 5 }),
    ],
  },
  Hunter: {
    sky: ["#f0c98b", "#a8693b"],
    picture: () => [
      firs("#5a4a2a", [150, 210, 130, 190, 160, 200]),
      path("M70-190C-90-130-90 150 70 190", { ...line, stroke: ink, stroke_width: 44 }), path("M70-190C-90-130-90 150 70 190", { ...line, stroke: "#8a5a34", stroke_width: 30 }),
      path("M70-190L110 0L70 190", { ...line, stroke: "#fff8e8", stroke_width: 7 }), path("M150 0H-150", { ...line, stroke: ink, stroke_width: 24 }), path("M150 0H-150", { ...line, stroke: "#e3bd62", stroke_width: 12 }),
      path("M-210 0L-130-44L-150 0L-130 44Z", { fill: "#c9ced6", ...sharp }), path("M110 0L150-46H206L170 0L206 46H150Z", { fill: "#c8382f", ...sharp }),
    ],
  },
  Witch: {
    sky: ["#56713f", "#1d2c1b"],
    picture: () => [
      path("M-40 190L-70 216M40 190L70 216M-130 150L-190 206H190L130 150", { ...line, stroke: "#d4692a", stroke_width: 22 }),
      path("M-170 20H170C200 90 150 196 0 196S-200 90-170 20Z", { fill: "#33363f", ...sharp }), ellipse(0, 22, 178, 40, { fill: "#4c505b", ...sharp }), ellipse(0, 24, 146, 26, { fill: "#7cc04a", ...sharp, stroke_width: 5 }),
      circle(-70, -34, 26, { fill: "#9ad866", ...sharp, stroke_width: 5 }), circle(20, -84, 36, { fill: "#9ad866", ...sharp, stroke_width: 5 }), circle(84, -20, 18, { fill: "#9ad866", ...sharp, stroke_width: 5 }), circle(-30, -140, 18, { fill: "#9ad866", ...sharp, stroke_width: 5 }), circle(60, -168, 12, { fill: "#9ad866", ...sharp, stroke_width: 5 }),
      path("M-130 90Q-120 140-70 166", { ...line, stroke: "#fff", stroke_opacity: ".4", stroke_width: 14 }),
    ],
  },
};

const front = (name) => {
  const { sky, picture } = roles[name];
  return file(
    wide,
    high,
    el("defs", {},
      gradient("linear", "sky", { x2: "0", y2: "1" }, [[0, sky[0]], [1, sky[1]]]),
      name === "Seer" ? gradient("radial", "orb", { cx: ".38", cy: ".3", r: ".8" }, [[0, "#d8c6f0"], [0.6, "#8a66c0"], [1, "#3c2566"]]) : "",
      el("clipPath", { id: "c" }, rect(68, 68, 499, 574, { rx: 24 }))),
    rect(1.5, 1.5, wide - 3, high - 3, { rx: 35, fill: "#231a14", stroke: "#0c0805", stroke_width: 3 }),
    rect(22, 22, wide - 44, high - 44, { rx: 24, fill: "none", stroke: gold, stroke_width: 5 }),
    rect(46, 660, wide - 92, 180, { rx: 20, fill: "#f3e6c6", stroke: gold, stroke_width: 4 }),
    written(name.toUpperCase(), wide / 2, 750, 92, { wide: 480, stroke: "#2c1a10", weight: 14 }),
    rect(68, 68, 499, 574, { rx: 24, fill: "url(#sky)" }),
    g({ clip_path: "url(#c)" }, g({ transform: "translate(317.5 385) scale(1.12)" }, picture())),
    rect(68, 68, 499, 574, { rx: 24, fill: "none", stroke: gold, stroke_width: 5 }),
  );
};

/** The back: the moon above firs, the same from both sides. */
function back() {
  const half = g({ id: "h" },
    circle(317, 230, 84, { fill: "#f3e3a8" }), circle(352, 214, 74, { fill: "#1a2342" }),
    dots([[120, 130], [180, 260], [470, 120], [520, 270], [250, 110], [430, 330], [110, 350]], 5, { fill: "#f3e3a8" }),
    path("M50 444V400L90 330L120 390L160 290L200 400L240 340L280 410L320 320L360 410L400 350L440 400L480 300L520 390L550 340L585 400V444Z", { fill: "#0d1326" }));
  return file(
    wide,
    high,
    el("defs", {}, half),
    rect(1.5, 1.5, wide - 3, high - 3, { rx: 35, fill: "#231a14", stroke: "#0c0805", stroke_width: 3 }),
    rect(46, 46, wide - 92, high - 92, { rx: 18, fill: "#1a2342" }),
    use("h"),
    use("h", { transform: `rotate(180 ${wide / 2} ${high / 2})` }),
    path("M46 444.5H589", { stroke: gold, stroke_width: 4 }),
    rect(46, 46, wide - 92, high - 92, { rx: 18, fill: "none", stroke: gold, stroke_width: 5 }),
    rect(22, 22, wide - 44, high - 44, { rx: 24, fill: "none", stroke: gold, stroke_opacity: ".6", stroke_width: 3 }),
  );
}

/** A candle, 100 across: it burns, or it is out. */
const candle = (burns) =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "a", {}, burns ? [[0, "#ffe9a8"], [0.5, "#d98a2c"], [1, "#5a2c10"]] : [[0, "#5b5d66"], [1, "#23252b"]])),
    circle(50, 50, 47, { fill: "url(#a)", stroke: "#17110c", stroke_width: 3 }),
    circle(50, 50, 41, { fill: "none", stroke: "#fff8e8", stroke_opacity: ".5", stroke_width: 1.6 }),
    path("M41 52H59V82H41Z", { fill: burns ? "#fffaf0" : "#b9b5aa", stroke: "#3a2a1c", stroke_width: 3, stroke_linejoin: "round" }),
    path("M50 52V44", { stroke: "#3a2a1c", stroke_width: 3 }),
    burns
      ? path("M50 14C60 28 62 34 60 40C58 46 42 46 40 40C38 34 46 26 50 14Z", { fill: "#fff3b0", stroke: "#b3541c", stroke_width: 2.6, stroke_linejoin: "round" })
      : path("M50 42C42 34 58 30 50 22S56 14 52 10", { ...line, stroke: "#d8d8dc", stroke_width: 3 }),
  );

/** A vote: a hand that points. */
const vote = () =>
  file(
    100,
    100,
    circle(50, 50, 47, { fill: "#8f2a2a", stroke: "#2a0b0b", stroke_width: 4 }),
    circle(50, 50, 40, { fill: "none", stroke: "#f6d9b0", stroke_width: 2 }),
    path("M44 22Q50 16 56 22V46L72 50Q78 54 76 64L72 80H42L28 60Q26 52 36 54L44 60Z", { fill: "#f6d9b0", stroke: "#2a0b0b", stroke_width: 4, stroke_linejoin: "round" }),
    path("M56 46V58M65 49V60", { ...line, stroke: "#2a0b0b", stroke_width: 3 }),
  );

/** The sky above the village, 100 across: the moon or the sun. */
const sky = (night) =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "a", { r: ".6" }, night ? [[0, "#3a4a78"], [1, "#141a33"]] : [[0, "#fdf3cf"], [0.5, "#a8d8ea"], [1, "#5f9fc4"]]), el("clipPath", { id: "c" }, circle(50, 50, 44))),
    circle(50, 50, 49, { fill: "#5f3a22", stroke: "#24130a", stroke_width: 1 }),
    circle(50, 50, 45.4, { fill: "none", stroke: gold, stroke_width: 1 }),
    circle(50, 50, 44, { fill: "url(#a)" }),
    g({ clip_path: "url(#c)" },
      night
        ? [path("M56 14A20 20 0 1 0 66 46A17 17 0 1 1 56 14Z", { fill: "#f3e3a8" }), dots([[22, 30], [76, 22], [30, 54], [82, 44], [70, 60], [18, 46], [40, 14]], 0.9, { fill: "#fff" })]
        : [path("M50 8L54 18H46ZM50 58L54 48H46ZM25 33L35 37V29ZM75 33L65 37V29ZM32 15L42 20L37 25ZM68 15L58 20L63 25ZM32 51L37 41L42 46ZM68 51L63 41L58 46Z", { fill: "#e59a2c" }), circle(50, 33, 12, { fill: "#f9d35c", stroke: "#e59a2c", stroke_width: 1.4 })],
      path("M0 78Q25 66 50 74T100 70V100H0Z", { fill: night ? "#0c1122" : "#5f9a56" }),
      [[24, 66], [46, 72], [66, 66]].map(([x, y]) => path(d`M${x} ${y}v10h13v-10Z`, { fill: night ? "#232b4a" : "#f1e2c0" }) + path(d`M${x - 2.5} ${y + 0.5}l9-8l9 8Z`, { fill: night ? "#161c36" : "#b2503a" }) + rect(x + 4.5, y + 3, 4, 4, { fill: night ? "#f7c948" : "#6d8ba0" })),
      path("M6 84l4-14l4 14ZM84 80l5-18l5 18ZM76 84l3-10l3 10ZM14 88l3-9l3 9Z", { fill: night ? "#0a0e1c" : "#2f6b45" })),
  );

/** What the narrator says in the night, in order. */
function order() {
  const [width, height] = [1600, 2100];
  const rows = [["SEER", "LOOKS AT ONE"], ["HEALER", "SAVES ONE"], ["WEREWOLVES", "CHOOSE ONE"], ["WITCH", "HEAL OR POISON"]];
  const signs = [
    path("M-60 0Q0-56 60 0Q0 56-60 0Z", { fill: "#fff8e8", stroke: ink, stroke_width: 8 }) + circle(0, 0, 24, { fill: "#5a3f86" }),
    path("M0 56C-20 30-62 8-58-24C-54-54-16-56 0-26C16-56 54-54 58-24C62 8 20 30 0 56Z", { fill: "#c8382f", stroke: ink, stroke_width: 8, stroke_linejoin: "round" }),
    path("M-58-58L-26-34H26L58-58V4L24 54H-24L-58 4Z", { fill: "#5b5f6d", stroke: ink, stroke_width: 8, stroke_linejoin: "round" }) + path("M-36-10L-12 2L-30 8ZM36-10L12 2L30 8Z", { fill: "#ffd24a" }) + path("M-10 30H10L0 42Z", { fill: ink }),
    path("M-60-16H60C70 20 50 56 0 56S-70 20-60-16Z", { fill: "#33363f", stroke: ink, stroke_width: 8 }) + ellipse(0, -16, 60, 15, { fill: "#7cc04a", stroke: ink, stroke_width: 8 }),
  ];
  return file(
    width,
    height,
    rect(6, 6, width - 12, height - 12, { rx: 70, fill: "#5f3a22", stroke: "#2c180b", stroke_width: 12 }),
    rect(38, 38, width - 76, height - 76, { rx: 46, fill: "none", stroke: gold, stroke_width: 9 }),
    rect(66, 66, width - 132, height - 132, { rx: 32, fill: "#f3e6c6" }),
    written("NIGHT", width / 2, 220, 150, { stroke: "#1a2342", weight: 16 }),
    path("M140 340H1460M140 740H1460M140 1140H1460M140 1540H1460", { stroke: "#b9a06a", stroke_width: 7 }),
    rows.map(([who, what], i) => [
      g({ transform: `translate(290 ${540 + 400 * i}) scale(1.5)` }, signs[i]),
      written(who, 930, 490 + 400 * i, 96, { wide: 900, stroke: "#2c1a10", weight: 14 }),
      written(what, 930, 640 + 400 * i, 62, { wide: 900, stroke: "#8a2b22", weight: 13 }),
    ]),
  );
}

/** A place for the card of a player. */
const spot = () => file(820, 1080, rect(12, 12, 796, 1056, { rx: 70, fill: "#000", fill_opacity: ".14", stroke: "#fff", stroke_opacity: ".45", stroke_width: 11, stroke_dasharray: "50 32", stroke_linecap: "round" }), path("M410 380A150 150 0 1 0 550 600A128 128 0 1 1 410 380Z", { fill: "#fff", fill_opacity: ".16" }));

/** A place for a hand of one card. */
const hand = () => file(1200, 1000, rect(16, 16, 1168, 968, { rx: 90, fill: "#000", fill_opacity: ".3", stroke: "#fff", stroke_opacity: ".55", stroke_width: 14, stroke_dasharray: "64 40", stroke_linecap: "round" }), rect(470, 330, 260, 350, { rx: 26, fill: "#20332b", fill_opacity: ".3", stroke: "#fff", stroke_opacity: ".25", stroke_width: 12 }));

export function* art() {
  for (const name of Object.keys(roles)) yield [`werewolf/${name.toLowerCase()}.svg`, front(name)];
  yield ["werewolf/back.svg", back()];
  yield ["werewolf/candle.svg", candle(true)];
  yield ["werewolf/candle-out.svg", candle(false)];
  yield ["werewolf/vote.svg", vote()];
  yield ["werewolf/day.svg", sky(false)];
  yield ["werewolf/night.svg", sky(true)];
  yield ["werewolf/order.svg", order()];
  yield ["werewolf/place.svg", spot()];
  yield ["werewolf/hand.svg", hand()];
  yield ["werewolf/deal.svg", press("DEAL ROLES", 1250)];
  yield ["werewolf/turn.svg", press("NIGHT OR DAY", 1250)];
}

const size = { width: wide, height: high, shape: "card", weight: "light" };
const card = (name, role = name, count) => ({ name, count, picture: `werewolf/${role.toLowerCase()}.svg` });
const rows = [
  card("Werewolf"), card("Werewolf 2", "Werewolf"), card("Werewolf 3", "Werewolf"), card("Seer"), card("Healer"), card("Hunter"), card("Witch"),
  card("Villager", "Villager", 3), card("Villager 4", "Villager"), card("Villager 5", "Villager"),
];

// Where the hands of the players lie, from the lower left to the right and on, and how they look.
const seats = [
  ...[2400, 800, -800, -2400].map((x) => [x, 3350, 0]).reverse(),
  [5000, 800, 27000], [5000, -800, 27000],
  ...[2400, 800, -800, -2400].map((x) => [x, -3350, 18000]),
  [-5000, -800, 9000], [-5000, 800, 9000],
];
const colours = ["#c8553d", "#3d6b99", "#4a8f5c", "#d8a23a", "#8a5aa3", "#3f9c9c", "#b5537f", "#7a8b3c", "#8a5a34", "#5566b0", "#c98a6a", "#6b7480"];

/** A point `aside` and `inwards` of a hand, as its player sees it. */
const beside = ([x, y, angle], aside, inwards) => {
  const [ax, ay, ix, iy] = { 0: [1, 0, 0, -1], 9000: [0, 1, 1, 0], 18000: [-1, 0, 0, 1], 27000: [0, -1, -1, 0] }[angle];
  return { x: x + ax * aside + ix * inwards, y: y + ay * aside + iy * inwards, angle: angle || undefined };
};

const shuffle = [{ do: "shuffle", kind: "Deck" }];
const setups = {
  11: ["Villager 5"], 10: ["Villager 4", "Villager 5"], 9: ["Werewolf 3", "Witch", "Villager 5"], 8: ["Werewolf 3", "Witch", "Villager 4", "Villager 5"],
  7: ["Werewolf 3", "Witch", "Hunter", "Villager 4", "Villager 5"], 6: ["Werewolf 2", "Werewolf 3", "Witch", "Hunter", "Healer", "Villager 5"],
};

// What lies at the places that only the set-ups for more than six players have is of kinds of its own.
const few = 6;
const ofPlace = (name, i) => (i < few ? name : `${name} of player ${i + 1}`);
const things = [
  { name: "Hand", width: 1200, height: 1000, shape: "rect", weight: "heavy", hand: true, faces: [{ name: "Hand", art: "werewolf/hand.svg" }] },
  { name: "Place", width: 820, height: 1080, shape: "card", weight: "heavy", zone: { lay: "pile", takes: ["Card"], turns: "keep" }, faces: [{ name: "Place of a player", art: "werewolf/place.svg" }] },
  { name: "Candle", width: 420, height: 420, shape: "round", weight: "light", upright: true, faces: [{ name: "Burning", art: "werewolf/candle.svg" }, { name: "Out", art: "werewolf/candle-out.svg" }] },
  { name: "Vote", width: 340, height: 340, shape: "round", weight: "light", upright: true, faces: [{ name: "Vote", art: "werewolf/vote.svg" }] },
];
const furtherPlaces = [...seats.keys()].slice(few);

/** What a set-up for so many players beside the narrator lacks. */
const lacks = (players) => furtherPlaces.filter((i) => i >= players).flatMap((i) => things.map(({ name }) => ofPlace(name, i)));

export const game = {
  name: "Werewolf",
  summary: "By night the werewolves choose their prey. By day the village looks for them.",
  order: 415,
  about: { players: [7, 13], minutes: [20, 45], age: 10, rules: "rules/werewolf.md" },
  table: { width: 11400, height: 8000, surface: "wood" },
  seats: [
    { name: "Narrator", side: "south", colour: "#1a2342", hand: 2 * seats.length },
    ...seats.map(([, , side], i) => ({ name: `Player ${i + 1}`, side, colour: colours[i], hand: 2 * i, pieces: [2 * i + 1] })),
  ],
  steps: shuffle,
  setup: "12 players and a narrator",
  players: [13, 13],
  setups: [11, 10, 9, 8, 7, 6].map((n) => ({ name: `${n} players and a narrator`, players: [n + 1, n + 1], without: [...setups[n], ...lacks(n)], steps: shuffle })),
  templates: [{ name: "Role", ...size, secret: true, mask: "Card", peek: "host", faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: "werewolf/back.svg" }] }],
  decks: [{ name: "Roles", template: "Role", rows }],
  kinds: [
    ...things.slice(0, 2),
    { name: "Card", ...size, faces: [{ name: "Face down", art: "werewolf/back.svg" }] },
    { name: "Deck", width: 820, height: 1080, shape: "card", weight: "heavy", container: { draws: "top", takes: "Card" }, faces: [{ name: "Deck", art: "cards/deck.svg" }] },
    { name: "Order of the night", width: 1600, height: 2100, shape: "rect", weight: "heavy", faces: [{ name: "Order of the night: seer, healer, werewolves, witch", art: "werewolf/order.svg" }] },
    { name: "Sky", width: 1500, height: 1500, shape: "round", weight: "light", upright: true, faces: [{ name: "Day", art: "werewolf/day.svg" }, { name: "Night", art: "werewolf/night.svg" }] },
    ...things.slice(2),
    {
      name: "Deal roles", width: 1250, height: 380, shape: "rect", weight: "heavy",
      button: { who: "host", cooldown: 2000, steps: [{ do: "recall", kind: "Deck" }, ...shuffle, { do: "each seat", steps: [when({ of: "holds", kind: "Deck", is: ">", n: 0 }, [{ do: "deal", kind: "Deck", n: 1 }])] }, { do: "face", kind: "Candle", face: 0 }, ...furtherPlaces.map((i) => ({ do: "face", kind: ofPlace("Candle", i), face: 0 })), { do: "face", kind: "Sky", face: 1 }] },
      faces: [{ name: "Deal roles", art: "werewolf/deal.svg" }],
    },
    ...furtherPlaces.flatMap((i) => things.map((thing) => ({ ...thing, name: ofPlace(thing.name, i) }))),
    { name: "Night or day", width: 1250, height: 380, shape: "rect", weight: "heavy", button: { who: "host", steps: [{ do: "flip", kind: "Sky" }] }, faces: [{ name: "Night or day", art: "werewolf/turn.svg" }] },
  ],
  pieces: [
    ...seats.flatMap((seat, i) => [{ kind: ofPlace("Hand", i), ...beside(seat, 0, 0), pinned: true }, { kind: ofPlace("Place", i), ...beside(seat, 0, 1240), pinned: true }]),
    // The narrator has a hand, so that nobody else's is given to them. Roles are dealt to one seat
    // after the other, to who deals last: then the deck is empty.
    { kind: "Hand", x: -4650, y: 3350, pinned: true },
    { kind: "Deck", x: -2300, y: -200, pinned: true, holds: [{ deck: "Roles" }], shuffled: true },
    { kind: "Order of the night", x: 1950, y: 0, pinned: true, locked: true },
    { kind: "Deal roles", x: -1080, y: 900, pinned: true },
    { kind: "Night or day", x: 330, y: 900, pinned: true },
    { kind: "Sky", x: -375, y: -300 },
    ...seats.flatMap((seat, i) => [{ kind: ofPlace("Candle", i), ...beside(seat, 660, 1400) }, { kind: ofPlace("Vote", i), ...beside(seat, 660, 960) }]),
  ],
};
