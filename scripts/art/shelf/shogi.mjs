// Shogi, the chess of Japan: five-sided pieces with a character and marks for the ways in which
// they move. The other face of a piece shows its promotion.

import { character } from "../brush.mjs";
import { clockForTwo } from "../clocks.mjs";
import { forBoth, framed, gilt, kaya, label, lines } from "../crossings.mjs";
import { d, dots, el, file, g, gradient, path, rect } from "../svg.mjs";
import { frame, grain } from "../wood.mjs";

const [stepX, stepY] = [440, 480];
const border = 260;
const width = 9 * stepX + 2 * border;
const height = 9 * stepY + 2 * border;
const files = "987654321";
const ranks = "abcdefghi";

function board() {
  const names = (turned) => Array.from({ length: 9 }, (_, i) => [
    label(files[turned ? 8 - i : i], border + (i + 0.5) * stepX, height - border / 2 + 2, 100),
    label(ranks[turned ? 8 - i : i], width - border / 2 + 6, border + (i + 0.5) * stepY, 100),
  ].join("")).join("");
  // The three ranks of each player, where pieces are promoted, are tinted.
  const zones = [0, 6].map((y) => rect(border, border + y * stepY, 9 * stepX, 3 * stepY, { fill: "#a8602c", fill_opacity: ".13" }));
  const stars = [3, 6].flatMap((x) => [3, 6].map((y) => [border + x * stepX, border + y * stepY]));
  return framed(width, height, border, kaya, {
    drawn: [
      zones,
      path(lines(border, border, stepX, stepY, 10, 10), { fill: "none", stroke: kaya.line, stroke_width: 11 }),
      dots(stars, 32, { fill: kaya.line }),
    ],
    written: forBoth(width, height, { ...gilt, stroke_width: 14 }, names),
  });
}

/** A stand for captured pieces. */
function stand(w, h) {
  return file(
    w,
    h,
    el("defs", {}, gradient("linear", "l", { x2: "0.6", y2: "1" }, [[0, "#fff", 0.2], [0.5, "#fff", 0], [1, "#2a1200", 0.25]])),
    rect(0, 0, w, h, { rx: 60, fill: frame.plank }),
    rect(10, 10, w - 20, h - 20, { rx: 52, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 12 }),
    rect(60, 60, w - 120, h - 120, { rx: 26, fill: "#b9824b" }),
    path(grain(w, h, 24, 12, 22), { fill: "none", stroke: "#6b3f1c", stroke_width: 8, stroke_opacity: ".35" }),
    rect(60, 60, w - 120, h - 120, { rx: 26, fill: "url(#l)", stroke: "#2c180b", stroke_width: 12 }),
    rect(46, 46, w - 92, h - 92, { rx: 36, fill: "none", stroke: "#d9b26a", stroke_width: 8 }),
  );
}

const diagonal = ["ne", "se", "sw", "nw"];
const straight = ["n", "e", "s", "w"];
const asGold = ["n", "ne", "nw", "e", "w", "s"];

/** The kinds: their size, sign and ways; `far` are ways along which they move as far as they like. */
const men = {
  King: { size: [390, 430], sign: "王", near: [...straight, ...diagonal] },
  Rook: { size: [375, 415], sign: "飛", far: straight, other: { sign: "竜", far: straight, near: diagonal } },
  Bishop: { size: [375, 415], sign: "角", far: diagonal, other: { sign: "馬", far: diagonal, near: straight } },
  "Gold general": { size: [355, 400], sign: "金", near: asGold },
  "Silver general": { size: [355, 400], sign: "銀", near: ["n", ...diagonal], other: { sign: "全", near: asGold } },
  Knight: { size: [335, 385], sign: "桂", near: ["jump"], other: { sign: "圭", near: asGold } },
  Lance: { size: [320, 380], sign: "香", far: ["n"], other: { sign: "杏", near: asGold } },
  Pawn: { size: [300, 350], sign: "歩", near: ["n"], other: { sign: "と", near: asGold } },
};

/** Where the marks stand on a piece, as shares of its size, and where they point. */
const places = {
  n: [[0.5, 0.15, 0]], s: [[0.5, 0.9, 180]], e: [[0.855, 0.6, 90]], w: [[0.145, 0.6, -90]],
  ne: [[0.74, 0.27, 45]], nw: [[0.26, 0.27, -45]], se: [[0.85, 0.875, 135]], sw: [[0.15, 0.875, -135]],
  jump: [[0.38, 0.2, -20], [0.62, 0.2, 20]],
};

/** A face of a piece. Who is promoted has red ink and a line around. */
function face([w, h], { sign, near = [], far = [] }, isPromoted) {
  const ink = isPromoted ? "#a3160f" : "#1d1512";
  const outline = d`M${w / 2} 8L${w * 0.85} ${h * 0.17}L${w - 8} ${h - 10}H8L${w * 0.15} ${h * 0.17}Z`;
  const mark = (ways, data) => ways.flatMap((way) => places[way].map(([x, y, turn]) => path(data, { transform: d`translate(${w * x} ${h * y}) rotate(${turn})` })));
  const size = w * 0.53;
  return file(
    w,
    h,
    el("defs", {}, gradient("linear", "u", { x1: "0.2", y1: "0", x2: "0.8", y2: "1" }, [[0, "#fff3d3"], [0.55, "#f1d9a3"], [1, "#cfa565"]])),
    path(outline, { fill: "url(#u)", stroke: "#4a2c12", stroke_width: 9, stroke_linejoin: "round" }),
    path(d`M${w * 0.16} ${h * 0.19}L${w / 2} 20L${w * 0.84} ${h * 0.19}`, { fill: "none", stroke: "#fff", stroke_width: 6, stroke_opacity: ".6" }),
    path(d`M20 ${h - 20}H${w - 20}`, { stroke: "#8d6530", stroke_width: 8, stroke_opacity: ".5" }),
    path(character(sign), { transform: d`translate(${(w - size) / 2} ${h * 0.295}) scale(${size / 100} ${(h * 0.54) / 100})`, fill: ink }),
    g({ fill: isPromoted ? "#a3160f" : "#6b4a1c" }, mark(near, "M-17 11L0 -16L17 11Z"), mark(far, "M-17 2L0 -22L17 2ZM-17 25L0 1L17 25Z")),
    isPromoted ? path(outline, { transform: d`translate(${w * 0.04} ${h * 0.045}) scale(.92)`, fill: "none", stroke: ink, stroke_width: 4 }) : "",
  );
}

const slug = (name) => name.toLowerCase().replace(" general", "");

export function* art() {
  yield ["shogi/board.svg", board()];
  yield ["shogi/stand.svg", stand(1400, 2360)];
  for (const [name, man] of Object.entries(men)) {
    yield [`shogi/${slug(name)}.svg`, face(man.size, man)];
    if (man.other) yield [`shogi/promoted-${slug(name)}.svg`, face(man.size, man.other, true)];
  }
  yield ["shogi/jewel.svg", face(men.King.size, { ...men.King, sign: "玉" })];
}

const promoted = { Rook: "Dragon", Bishop: "Horse" };

/** A kind. Pages say whose a piece is by the side to which it points. */
function kind(name, man) {
  const { size, other } = men[man];
  const faces = [{ name, art: `shogi/${slug(man)}.svg` }];
  // Black's king has another sign, and else they are alike.
  if (man === "King") faces.push({ name, art: "shogi/jewel.svg" });
  if (other) faces.push({ name: promoted[man] ?? `Promoted ${slug(man)}`, art: `shogi/promoted-${slug(man)}.svg` });
  return { name, width: size[0], height: size[1], shape: "rect", weight: "light", pointed: true, turn: 180, faces };
}

/** The back row from file 9 to file 1, as Black sees it. */
const back = ["Lance", "Knight", "Silver general", "Gold general", "King", "Gold general", "Silver general", "Knight", "Lance"];

// Set-ups for handicaps lack some pieces of White, so these are kinds of their own. They may change
// sides as all others do.
const handicap = ["Second rook", "Second bishop", "Second lance", "Third lance", "Second knight"];
const [rook, bishop, left, right, knight] = handicap;

/** The piece of a side in a column from its own left, and a row from its own edge. */
function standing(isWhite, man, column, row) {
  const side = isWhite ? -1 : 1;
  const name = {
    Lance: isWhite ? (column === 0 ? left : right) : man,
    Knight: isWhite ? knight : man,
    Rook: isWhite ? rook : man,
    Bishop: isWhite ? bishop : man,
  }[man] ?? man;
  return { kind: name, x: side * (column - 4) * stepX, y: side * (4 - row) * stepY, angle: isWhite ? 18000 : undefined, face: man === "King" && !isWhite ? 1 : undefined };
}

const army = (isWhite) => [
  ...back.map((man, i) => standing(isWhite, man, i, 0)),
  standing(isWhite, "Bishop", 1, 1),
  standing(isWhite, "Rook", 7, 1),
  ...Array.from({ length: 9 }, (_, i) => standing(isWhite, "Pawn", i, 2)),
];

const movable = Object.keys(men).filter((name) => name !== "King");

export const game = {
  name: "Shogi",
  summary: "The chess of Japan: what you capture is yours, and comes back to the board on your side.",
  order: 120,
  about: { players: [2, 2], minutes: [20, 90], age: 8, rules: "rules/shogi.md" },
  table: { width: 8200, height: 5400, surface: "felt" },
  seats: [
    { name: "Black", side: "south", colour: "#2c2f35", pieces: [2] },
    { name: "White", side: "north", colour: "#f4efe4", pieces: [1] },
  ],
  setup: "Even",
  setups: [
    { name: "White without left lance", without: [left] },
    { name: "White without bishop", without: [bishop] },
    { name: "White without rook", without: [rook] },
    { name: "White without rook and left lance", without: [rook, left] },
    { name: "White without two pieces", without: [rook, bishop] },
    { name: "White without four pieces", without: [rook, bishop, left, right] },
    { name: "White without six pieces", without: handicap },
  ],
  kinds: [
    {
      name: "Shogi board", width, height, shape: "rect", weight: "heavy",
      grid: { x: border + stepX / 2, y: border + stepY / 2, stepX, stepY, columns: 9, rows: 9, columnNames: [...files], rowNames: [...ranks], captures: true },
      faces: [{ name: "Shogi board", art: "shogi/board.svg" }],
    },
    {
      name: "Stand", width: 1400, height: 2360, shape: "rect", weight: "heavy",
      // What is captured goes to a cell of the tray, and the zone turns it there.
      grid: { x: 250, y: 300, stepX: 300, stepY: 440, columns: 4, rows: 5, tray: true },
      zone: { lay: "grid", gap: 300, down: 440, takes: [...movable, ...handicap], turns: "up" },
      faces: [{ name: "Stand for captured pieces", art: "shogi/stand.svg" }],
    },
    clockForTwo("Clock", "Clock for both players", 900000, 10000),
    kind("King", "King"),
    ...movable.map((name) => kind(name, name)),
    ...handicap.map((name) => kind(name, ["Rook", "Bishop", "Lance", "Knight"].find((man) => name.toLowerCase().includes(man.toLowerCase())))),
  ],
  pieces: [
    { kind: "Shogi board", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Stand", x: -3200, y: -1150, angle: 18000, pinned: true },
    { kind: "Stand", x: 3200, y: 1150, pinned: true },
    { kind: "Clock", x: 3200, y: -1250, angle: 18000, pinned: true },
    ...army(true),
    ...army(false),
  ],
};
