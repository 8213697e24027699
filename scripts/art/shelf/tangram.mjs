// Tangram, with cards of figures, and pentominoes with a board of 6 by 10.

import { tray, written } from "../parlour.mjs";
import { d, el, file, g, gradient, path, rect } from "../svg.mjs";
import { grain } from "../wood.mjs";

const unit = 700; // the side of the square
const q = Math.SQRT2;
const h = q / 2;
const polygon = (points, scale = 1, x = 0, y = 0) => `${points.map(([px, py], i) => (i ? "L" : "M") + d`${x + scale * px} ${y + scale * py}`).join("")}Z`;
const box = (points) => [0, 1].map((i) => points.map((p) => p[i])).map((all) => [Math.min(...all), Math.max(...all)]);

/** The pieces, with the square's side as 1. */
const shapes = {
  "large triangle": [[0, 0], [2, 0], [0, 2]],
  "medium triangle": [[0, 0], [q, 0], [0, q]],
  "small triangle": [[0, 0], [1, 0], [0, 1]],
  square: [[0, 0], [1, 0], [1, 1], [0, 1]],
  parallelogram: [[0, 0], [1, 0], [2, 1], [1, 1]],
};

/** The square of all pieces, in which the corners of each lie; its side is 4. */
const solved = [
  ["large triangle", [[2, 2], [0, 0], [4, 0]]],
  ["large triangle", [[2, 2], [0, 4], [0, 0]]],
  ["medium triangle", [[4, 4], [2, 4], [4, 2]]],
  ["small triangle", [[3, 1], [4, 0], [4, 2]]],
  ["small triangle", [[2, 2], [3, 3], [1, 3]]],
  ["square", [[2, 2], [3, 1], [4, 2], [3, 3]]],
  ["parallelogram", [[3, 3], [2, 4], [0, 4], [1, 3]]],
];

/** Figures as all the pieces that they are made of, or as their outlines. */
const figures = {
  Square: [[[0, 0], [2 * q, 0], [2 * q, 2 * q], [0, 2 * q]]],
  Triangle: [[[0, 2 * q], [2 * q, 0], [4 * q, 2 * q]]],
  Rectangle: [[[0, 0], [4, 0], [4, 2], [0, 2]]],
  Slope: [[[0, 2], [2, 0], [6, 0], [4, 2]]],
  House: [
    [[0, 2], [2, 2], [0, 4]], [[2, 4], [0, 4], [2, 2]], [[1, 1], [2, 2], [0, 2]], [[2, 2], [3, 3], [3, 4], [2, 3]],
    [[2, 4], [2, 3], [3, 4]], [[3, 3], [4, 3], [4, 4], [3, 4]], [[3, 3], [3, 2], [4, 3]],
  ],
  "Sailing boat": [
    [[1, 4], [1, 5], [0, 4]], [[1, 4], [2, 4], [2, 5], [1, 5]], [[2, 4], [3, 4], [2, 5]], [[2, 5], [3, 4], [4, 4], [3, 5]],
    [[2, 4], [2, 2], [4, 4]], [[1, 3], [2, 2], [2, 4]], [[2, 2], [2, 0], [4, 2]],
  ],
  Fish: [
    [[0, -q], [q, 0], [-q, 0]], [[0, q], [-q, 0], [q, 0]], [[q, 0], [q + 1, -1], [q + 1, 1]], [[h, -h], [q, -q], [q, 0]],
    [[h, h], [q, 0], [q, q]], [[q + 1, 0], [q + 2, 0], [q + 2, 1], [q + 1, 1]], [[q + 1, 0], [q + 1, -1], [q + 2, -2], [q + 2, -1]],
  ],
  Fir: [
    [[0, 0], [q, q], [-q, q]], [[0, q], [q, 2 * q], [-q, 2 * q]], [[0, -1], [1, 0], [-1, 0]], [[-0.5, 2 * q], [0.5, 2 * q], [0.5, 2 * q + 1], [-0.5, 2 * q + 1]],
    ...[[[0, 0], [1, 0], [0, 1]], [[0, 1], [1, 0], [2, 0], [1, 1]], [[2, 1], [1, 1], [2, 0]]].map((piece) => piece.map(([x, y]) => [x - 1, y + 2 * q + 1])),
  ],
  Cat: [
    [[0, -h], [h, 0], [0, h], [-h, 0]], [[0, -h], [-h, 0], [-h, -q]], [[0, -h], [h, -q], [h, 0]], [[0, h], [1, h + 1], [-1, h + 1]],
    [[-1, h + 1], [1, h + 1], [-1, h + 3]], [[q - 1, h + 3 - q], [2 * q - 1, h + 3], [-1, h + 3]],
    [[2 * q - 1, h + 3], [2 * q, h + 2], [2 * q, h + 1], [2 * q - 1, h + 2]],
  ],
};

const woods = {
  Light: { lit: "#f6dfae", body: "#e3bf80", deep: "#b98d4c", line: "#b48a4d", edge: "#6b4a1e" },
  Dark: { lit: "#9c6542", body: "#7a4a2c", deep: "#4c2a16", line: "#4f2d18", edge: "#23120a" },
};
const marks = { Light: 1, Dark: 2 }; // lines along the edge, to tell the sets apart without colours

function piece(points, set) {
  const { lit, body, deep, line, edge } = woods[set];
  const [[x0, x1], [y0, y1]] = box(points);
  const [w, v] = [Math.round((x1 - x0) * unit), Math.round((y1 - y0) * unit)];
  const outline = polygon(points, unit, -x0 * unit, -y0 * unit);
  return file(
    w,
    v,
    el("defs", {}, gradient("linear", "a", { x1: "0.1", x2: "0.9", y2: "1" }, [[0, lit], [0.5, body], [1, deep]]), el("clipPath", { id: "c" }, path(outline))),
    g({ clip_path: "url(#c)" },
      path(outline, { fill: "url(#a)" }),
      path(grain(w, v, Math.round(v / 60), w % 13, 16), { fill: "none", stroke: line, stroke_width: 6, stroke_opacity: ".4" }),
      marks[set] === 2 ? path(outline, { fill: "none", stroke: "#d9b26a", stroke_width: 84, stroke_linejoin: "miter" }) + path(outline, { fill: "none", stroke: body, stroke_width: 66 }) : "",
      path(outline, { fill: "none", stroke: "#fff", stroke_opacity: ".3", stroke_width: 34 }),
      path(outline, { fill: "none", stroke: edge, stroke_width: 16 })),
  );
}

const mirrored = (points) => points.map(([x, y]) => [-x, y]);

/** A card with a figure to lay. */
function card(name) {
  const all = figures[name].flat();
  const [[x0, x1], [y0, y1]] = box(all);
  const scale = Math.min(520 / (x1 - x0), 470 / (y1 - y0));
  const data = figures[name].map((points) => polygon(points, scale, 350 - (scale * (x0 + x1)) / 2, 315 - (scale * (y0 + y1)) / 2)).join("");
  return file(
    700,
    760,
    rect(3, 3, 694, 754, { rx: 38, fill: "#fffdf5", stroke: "#b9b2a3", stroke_width: 5 }),
    rect(26, 26, 648, 708, { rx: 22, fill: "none", stroke: "#d9b26a", stroke_width: 6 }),
    path(data, { fill: "#27364f", stroke: "#27364f", stroke_width: 2, stroke_linejoin: "round" }),
    written(name.toUpperCase(), 350, 665, 54, { stroke: "#6b4a1e" }),
  );
}

const cell = 250;
const pentominoes = {
  F: [".XX", "XX.", ".X."], I: ["XXXXX"], L: ["XXXX", "X..."], N: ["XXX.", "..XX"], P: ["XX", "XX", "X."], T: ["XXX", ".X.", ".X."],
  U: ["X.X", "XXX"], V: ["X..", "X..", "XXX"], W: ["X..", "XX.", ".XX"], X: [".X.", "XXX", ".X."], Y: ["XXXX", ".X.."], Z: ["XX.", ".X.", ".XX"],
};
const tones = { F: "#b5473a", I: "#2f6f8f", L: "#c98a2b", N: "#5b7f3a", P: "#8a4a86", T: "#3d8f86", U: "#a85f2c", V: "#4a5aa0", W: "#7f8f2f", X: "#9c3560", Y: "#4f7f9f", Z: "#6d5a48" };
const turned = (cells) => cells.map((line) => [...line].reverse().join(""));
const isTwofold = (cells) => "FLNPYZ".includes(Object.keys(pentominoes).find((key) => pentominoes[key] === cells));

function pentomino(name, cells) {
  const at = cells.flatMap((line, y) => [...line].flatMap((c, x) => (c === "X" ? [[x, y]] : [])));
  const [w, v] = [cells[0].length * cell, cells.length * cell];
  const squares = (inset) => at.map(([x, y]) => d`M${x * cell + inset} ${y * cell + inset}h${cell - 2 * inset}v${cell - 2 * inset}h${2 * inset - cell}z`).join("");
  const middle = at.reduce((best, one) => {
    const near = ([x, y]) => Math.hypot(x + 0.5 - cells[0].length / 2, y + 0.5 - cells.length / 2);
    return near(one) < near(best) ? one : best;
  });
  return file(
    w,
    v,
    el("defs", {}, gradient("linear", "a", { x1: "0", x2: "1", y2: "1" }, [[0, "#fff", 0.3], [0.5, "#fff", 0], [1, "#000", 0.25]]), el("clipPath", { id: "c" }, path(squares(0)))),
    g({ clip_path: "url(#c)" },
      path(squares(0), { fill: tones[name], stroke: tones[name], stroke_width: 2 }),
      rect(0, 0, w, v, { fill: "url(#a)" }),
      path(squares(22), { fill: "#fff", fill_opacity: ".1", stroke: "#000", stroke_opacity: ".22", stroke_width: 7 })),
    written(name, (middle[0] + 0.5) * cell, (middle[1] + 0.5) * cell, 104, { stroke: "#fff8e6", weight: 14 }),
    path(edges(at), { fill: "none", stroke: "#1b120b", stroke_width: 18, stroke_linecap: "square" }),
  );
}

/** The edges between the cells of a shape and what is outside, half a line within. */
function edges(at) {
  const has = (x, y) => at.some(([cx, cy]) => cx === x && cy === y);
  const by = 9;
  return at.map(([x, y]) => {
    const [l, t, r, b] = [x * cell, y * cell, (x + 1) * cell, (y + 1) * cell];
    return [
      has(x, y - 1) ? "" : d`M${l + by} ${t + by}H${r - by}`, has(x, y + 1) ? "" : d`M${l + by} ${b - by}H${r - by}`,
      has(x - 1, y) ? "" : d`M${l + by} ${t + by}V${b - by}`, has(x + 1, y) ? "" : d`M${r - by} ${t + by}V${b - by}`,
    ].join("");
  }).join("");
}

/** The board of pentominoes: 60 squares. */
function board() {
  const [w, v, by] = [10 * cell, 6 * cell, 120];
  let lines = "";
  for (let i = 1; i < 10; i++) lines += `M${by + cell * i} ${by}v${v}`;
  for (let i = 1; i < 6; i++) lines += `M${by} ${by + cell * i}h${w}`;
  return file(w + 2 * by, v + 2 * by, tray(w + 2 * by, v + 2 * by, "#1f3d33", by), path(lines, { fill: "none", stroke: "#fff", stroke_opacity: ".2", stroke_width: 7 }));
}

const side = 2 * q * unit;
const trayOf = Math.round(side) + 240;
const picture = (name) => `tangram/${name.toLowerCase().replaceAll(" ", "-")}.svg`;

export function* art() {
  for (const set of Object.keys(woods)) {
    for (const [name, points] of Object.entries(shapes)) yield [picture(`${set} ${name}`), piece(points, set)];
    yield [picture(`${set} parallelogram mirrored`), piece(mirrored(shapes.parallelogram), set)];
  }
  for (const name of Object.keys(figures)) yield [picture(`figure ${name}`), card(name)];
  for (const [name, cells] of Object.entries(pentominoes)) {
    yield [picture(`pentomino ${name}`), pentomino(name, cells)];
    if (isTwofold(cells)) yield [picture(`pentomino ${name} mirrored`), pentomino(name, turned(cells))];
  }
  yield [picture("board"), board()];
  yield [picture("tray"), file(trayOf, trayOf, tray(trayOf, trayOf, "#1f3d33", 100))];
}

/** Where a piece lies whose corners are those of its shape, turned: its middle and angle. */
function lies(name, corners, x, y) {
  const shape = shapes[name];
  const scale = side / 4;
  const turn = ([[ax, ay], [bx, by]]) => Math.atan2(by - ay, bx - ax);
  const angle = turn(corners) - turn(shape);
  const [[x0, x1], [y0, y1]] = box(shape);
  const [dx, dy] = [((x0 + x1) / 2 - shape[0][0]) * unit, ((y0 + y1) / 2 - shape[0][1]) * unit];
  return {
    x: Math.round(x + scale * (corners[0][0] - 2) + dx * Math.cos(angle) - dy * Math.sin(angle)),
    y: Math.round(y + scale * (corners[0][1] - 2) + dx * Math.sin(angle) + dy * Math.cos(angle)),
    angle: ((Math.round((angle * 180) / Math.PI) + 360) % 360) * 100 || undefined,
  };
}

const heavy = { shape: "rect", weight: "heavy" };
const light = { shape: "rect", weight: "light" };
const title = (set, name) => `${set} ${name}`;
const kindOf = (set, name) => {
  const [[x0, x1], [y0, y1]] = box(shapes[name]);
  const faces = [{ name: title(set, name), art: picture(`${set} ${name}`) }];
  if (name === "parallelogram") faces.push({ name: "Turned over", art: picture(`${set} ${name} mirrored`) });
  return { name: title(set, name), width: Math.round((x1 - x0) * unit), height: Math.round((y1 - y0) * unit), ...light, turn: 45, faces };
};
const sets = Object.keys(woods).flatMap((set) => Object.keys(shapes).map((name) => kindOf(set, name)));
const cards = Object.keys(figures).map((name) => ({ name: `Figure: ${name.toLowerCase()}`, width: 700, height: 760, ...light, faces: [{ name: `Figure: ${name.toLowerCase()}`, art: picture(`figure ${name}`) }] }));
const fives = Object.entries(pentominoes).map(([name, cells]) => ({
  name: `Pentomino ${name}`, width: cells[0].length * cell, height: cells.length * cell, ...light, turn: 90,
  faces: [{ name: `Pentomino ${name}`, art: picture(`pentomino ${name}`) }, ...(isTwofold(cells) ? [{ name: "Turned over", art: picture(`pentomino ${name} mirrored`) }] : [])],
}));
const names = (kinds) => kinds.map(({ name }) => name);
const places = { Light: [-3500, -900], Dark: [-3500, 1750] };
const order = ["F", "L", "P", "N", "T", "Y", "U", "V", "W", "X", "Z"];

export const game = {
  name: "Tangram",
  summary: "Lay figures with seven pieces, or fill a board with twelve pentominoes.",
  order: 430,
  about: { players: [1, 4], minutes: [10, 40], age: 5, rules: "rules/tangram.md" },
  table: { width: 11800, height: 6600, surface: "felt" },
  setup: "Both",
  setups: [
    { name: "Tangram only", without: [...names(fives), "Board for pentominoes"] },
    { name: "Pentominoes only", without: [...names(sets), ...names(cards), "Tray"] },
  ],
  kinds: [
    { name: "Tray", width: trayOf, height: trayOf, ...heavy, faces: [{ name: "Tray", art: picture("tray") }] },
    { name: "Board for pentominoes", width: 10 * cell + 240, height: 6 * cell + 240, ...heavy, faces: [{ name: "Board for pentominoes", art: picture("board") }] },
    ...sets,
    ...cards,
    ...fives,
  ],
  pieces: [
    ...Object.values(places).map(([x, y]) => ({ kind: "Tray", x, y, pinned: true })),
    { kind: "Board for pentominoes", x: 2800, y: -1050, pinned: true },
    ...Object.entries(places).flatMap(([set, [x, y]]) => solved.map(([name, corners]) => ({ kind: title(set, name), ...lies(name, corners, x, y) }))),
    ...cards.map(({ name }, i) => ({ kind: name, x: 1000 * (i - 4), y: -2750 })),
    { kind: "Pentomino I", x: 2800, y: 150 },
    ...order.map((name, i) => ({ kind: `Pentomino ${name}`, x: 1300 + 1000 * (i % 4), y: 830 + 880 * (i >> 2) })),
  ],
};
