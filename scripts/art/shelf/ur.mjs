// The royal game of Ur: a board of twenty squares with rosettes, and four binary dice. Below it lies
// a board for senet, which the set-up for senet uses, and drawers hold what it needs.

import { cream, gold, ink, label, light, plank, plate } from "../inlay.mjs";
import { circle, d, dots, el, file, g, gradient, move, path, rect, use } from "../svg.mjs";
import { frame, grain } from "../wood.mjs";

const cell = 520;
const border = 290;
const width = 10 * cell + 2 * border;
const height = 3 * cell + 2 * border;
const centre = (column, row) => [border + (column + 0.5) * cell, border + (row + 0.5) * cell];

/** A petal that points north, for rosettes. */
const petal = (r, wide) => d`M0 0C${-wide} ${-r * 0.45} ${-wide} ${-r * 0.8} 0 ${-r}C${wide} ${-r * 0.8} ${wide} ${-r * 0.45} 0 0Z`;

/** The squares of Ur by their names: which column of ten, which row. */
const ur = new Map();
for (const [side, row] of [["L", 2], ["D", 0]]) {
  for (const [number, column] of [[1, 4], [2, 3], [3, 2], [4, 1], [13, 8], [14, 7]]) ur.set(side + number, [column, row]);
}
for (let i = 0; i < 8; i++) ur.set(String(i + 5), [1 + i, 1]);
const rosettes = ["L4", "D4", "8", "L14", "D14"];

function urBoard() {
  const half = cell / 2;
  const tile = (fill) => [rect(-half + 12, -half + 12, cell - 24, cell - 24, { rx: 26, fill, stroke: "#1a120a", stroke_width: 14 }), rect(-half + 44, -half + 44, cell - 88, cell - 88, { rx: 12, fill: "none", stroke: "#b98a3d", stroke_width: 10 })];
  const eye = (x, y) => g({ transform: move(x, y) }, path("M-76 0Q0 -66 76 0Q0 66 -76 0Z", { fill: "#f7ecd2", stroke: "#20365c", stroke_width: 10 }), circle(0, 0, 26, { fill: "#20365c" }));
  const looks = [
    g({ id: "r" }, tile("#f3e4c0"), [0, 45, 90, 135, 180, 225, 270, 315].map((turn, i) => path(petal(186, 62), { transform: turn ? `rotate(${turn})` : undefined, fill: i % 2 ? "#9c2f25" : "#24508c", stroke: "#2a180b", stroke_width: 8, stroke_linejoin: "round" })), circle(0, 0, 44, { fill: "#e0b65a", stroke: "#2a180b", stroke_width: 10 })),
    g({ id: "e" }, tile("#2f5f8f"), [-96, 96].flatMap((x) => [-84, 84].map((y) => eye(x, y)))),
    g({ id: "d" }, tile("#efdcb0"), dots([[0, 0], [-105, -105], [105, -105], [-105, 105], [105, 105]], 46, { fill: "#24508c", stroke: "#2a180b", stroke_width: 8 }), dots([[0, 0], [-105, -105], [105, -105], [-105, 105], [105, 105]], 14, { fill: "#f7ecd2" })),
    g({ id: "z" }, tile("#8f3a2c"), path("M0 -190L190 0L0 190L-190 0Z", { fill: "#f3e4c0", stroke: "#2a180b", stroke_width: 10 }), path("M0 -112L112 0L0 112L-112 0Z", { fill: "#24508c", stroke: "#2a180b", stroke_width: 8 }), circle(0, 0, 34, { fill: "#f3e4c0" })),
  ];
  const kinds = { L1: "e", L2: "d", L3: "e", L13: "e", D1: "e", D2: "d", D3: "e", D13: "e", 5: "z", 6: "d", 7: "z", 9: "d", 10: "z", 11: "d", 12: "z" };
  const tiles = [...ur].map(([name, at]) => use(rosettes.includes(name) ? "r" : kinds[name], { transform: move(...centre(...at)) }));
  const [x0, x1, x2, x3] = [1, 5, 7, 9].map((column) => border + column * cell);
  const [y0, y1, y2, y3] = [0, 1, 2, 3].map((row) => border + row * cell);
  const outline = d`M${x0} ${y0}H${x1}V${y1}H${x2}V${y0}H${x3}V${y3}H${x2}V${y2}H${x1}V${y3}H${x0}Z`;
  return file(
    width,
    height,
    el("defs", {}, light, looks),
    plank(width, height, 22, 8),
    path(outline, { fill: "none", stroke: gold, stroke_width: 84, stroke_linejoin: "round" }),
    path(outline, { fill: "#22130a", stroke: "#22130a", stroke_width: 60, stroke_linejoin: "round" }),
    tiles,
    // The way of each player, in the notches of the board.
    [2, 0].map((row) => {
      const [x, y] = [border + 6 * cell, centre(6, row)[1]];
      return g({ transform: move(x, y, ...(row ? [] : ["rotate(180)"]), row ? "" : "scale(-1 1)").trim(), ...ink, stroke: gold, stroke_width: 16 }, path("M-330 20H-470M-400 -50L-470 20L-400 90", { transform: "translate(300)" }), path("M330 20H190M260 -50L190 20L260 90", { transform: "translate(-120)" }));
    }),
    g({ ...ink, stroke: gold, stroke_width: 14 }, [0.5, 9.5].map((column) => g({ transform: move(border + column * cell, height / 2) }, [0, 45, 90, 135, 180, 225, 270, 315].map((turn) => path(petal(150, 48), { transform: turn ? `rotate(${turn})` : undefined })), circle(0, 0, 176)))),
    rect(0, 0, width, height, { rx: 70, fill: "url(#light)" }),
  );
}

/** The square of senet with a number: it winds through the three rows. */
const senet = (n) => (n <= 10 ? [n - 1, 0] : n <= 20 ? [20 - n, 1] : [n - 21, 2]);

function senetBoard() {
  const signs = {
    15: "M0 20C-70 -30 -62 -130 0 -130S70 -30 0 20V150M-86 44H86",
    26: "M0 -140V-20M-60 -104H60M-44 -64H44M0 -20C-64 -10 -80 60 -60 110C-44 146 44 146 60 110C80 60 64 -10 0 -20Z",
    27: [-90, 0, 90].map((y) => `M-150 ${y + 20}l50 -50l50 50l50 -50l50 50l50 -50l50 50`).join(""),
    28: "M-90 -110V110M0 -110V110M90 -110V110",
    29: "M-50 -110V110M50 -110V110",
    30: "M0 -120A120 120 0 1 0 0.1 -120ZM0 -30A30 30 0 1 0 0.1 -30Z",
  };
  const squares = [];
  const special = [];
  for (let n = 1; n <= 30; n++) {
    const [x, y] = centre(...senet(n));
    const sign = signs[n];
    squares.push(use(sign ? "s" : n % 2 ? "a" : "b", { transform: move(x, y) }));
    if (sign) special.push(path(sign, { transform: move(x + 8, y + 26, "scale(1.05)") }));
    squares.push(label(String(n), x - 170, y - 176, 62, 0, { stroke: sign ? "#f6ecd4" : "#2a3f45" }));
  }
  const half = cell / 2;
  const tile = (id, fill) => rect(-half + 10, -half + 10, cell - 20, cell - 20, { id, rx: 22, fill, stroke: "#1a120a", stroke_width: 12 });
  const arrow = "M-40 -90C40 -90 60 -40 60 0S40 90 -40 90M10 40L-44 90L10 140";
  return file(
    width,
    height,
    el("defs", {}, light, tile("a", "#e9d7a8"), tile("b", "#9fc6bd"), tile("s", "#22606a")),
    plank(width, height, 22, 12),
    rect(border - 44, border - 44, 10 * cell + 88, 3 * cell + 88, { rx: 40, fill: "#22130a", stroke: gold, stroke_width: 14 }),
    g({ ...ink, stroke_width: 13 }, squares),
    g({ ...ink, stroke: "#f2d48a", stroke_width: 24 }, special),
    g({ ...ink, stroke: gold, stroke_width: 16 },
      path(arrow, { transform: move(width - 150, border + cell) }),
      path(arrow, { transform: move(150, border + 2 * cell, "scale(-1 1)") }),
      path("M-50 0H50M10 -45L55 0L10 45", { transform: move(width - 130, border + 2.5 * cell) })),
    rect(0, 0, width, height, { rx: 70, fill: "url(#light)" }),
  );
}

const sides = {
  light: { lit: "#ffffff", body: "#efe4c9", shade: "#b5a27a", edge: "#5c4a28", dot: "#24508c" },
  dark: { lit: "#6f7683", body: "#2b303a", shade: "#0d0f14", edge: "#000", dot: "#f0dfb2" },
};
const slope = ({ lit, body, shade }) => gradient("linear", "a", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, lit], [0.5, body], [1, shade]]);

/** A disc of Ur: five dots on the light ones, a ring of eight on the dark ones. */
function disc(side) {
  const s = sides[side];
  const five = [[50, 50], [33, 33], [67, 33], [33, 67], [67, 67]];
  const ring = Array.from({ length: 8 }, (_, i) => [50 + 24 * Math.cos((i * Math.PI) / 4), 50 + 24 * Math.sin((i * Math.PI) / 4)]);
  return file(
    100,
    100,
    el("defs", {}, slope(s)),
    circle(50, 50, 47.5, { fill: s.body, stroke: s.edge, stroke_width: 3 }),
    circle(50, 50, 42, { fill: "url(#a)" }),
    side === "light" ? dots(five, 6.5, { fill: s.dot }) : dots(ring, 4.6, { fill: s.dot }),
  );
}

/** A cone of senet, seen from above: light, with a tip. A spool: dark, with a deep waist. */
function man(side) {
  const s = sides[side];
  return file(
    100,
    100,
    el("defs", {}, slope(s), gradient("radial", "b", { cx: "0.42", cy: "0.4", r: "0.6" }, [[0, s.lit], [0.5, s.body], [1, s.shade]])),
    circle(50, 50, 47, { fill: "url(#a)", stroke: s.edge, stroke_width: 3 }),
    side === "light"
      ? [circle(50, 50, 40, { fill: "url(#b)", stroke: s.edge, stroke_width: 1.5, stroke_opacity: ".5" }), path("M50 50L24 80M50 50L76 80M50 50L50 88", { stroke: s.edge, stroke_opacity: ".25", stroke_width: 2 }), circle(50, 48, 13, { fill: s.lit, stroke: s.edge, stroke_width: 2 })]
      : [circle(50, 50, 36, { fill: s.shade, stroke: s.lit, stroke_opacity: ".6", stroke_width: 2.5 }), circle(50, 50, 24, { fill: "url(#a)", stroke: s.dot, stroke_width: 3 }), circle(50, 50, 9, { fill: s.shade })],
  );
}

/** A die with four corners, two of them white: is the one that is up white? */
const binary = (isMarked) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.2", x2: "0.8", y2: "1" }, [[0, "#3d6fa8"], [1, "#142b4d"]])),
    path("M50 5L96 86H4Z", { fill: "url(#a)", stroke: "#0b1626", stroke_width: 4, stroke_linejoin: "round" }),
    path("M50 58L50 5L96 86Z", { fill: "#000", fill_opacity: ".22" }),
    path("M50 58V5M50 58L96 86M50 58L4 86", { stroke: "#bcd3ee", stroke_opacity: ".7", stroke_width: 2, stroke_linecap: "round" }),
    isMarked
      ? [path("M50 32L72 71H28Z", { fill: "#fff8e4", stroke: "#5c4a28", stroke_width: 2.5, stroke_linejoin: "round" }), path("M50 58V32M50 58L72 71M50 58L28 71", { stroke: "#b5a27a", stroke_width: 1.6 }), circle(50, 58, 5, { fill: "#9c2f25" })]
      : "",
  );

/** A throwing stick: flat and light on one side, round and dark on the other. */
const stick = (isLight) =>
  file(
    170,
    880,
    el("defs", {}, gradient("linear", "a", { y2: "0" }, isLight ? [[0, "#fff6de"], [0.8, "#ecd9ac"], [1, "#bfa36a"]] : [[0, "#3a2012"], [0.35, "#a06a43"], [0.6, "#6a3f24"], [1, "#25130a"]])),
    rect(8, 8, 154, 864, { rx: 77, fill: "url(#a)", stroke: "#2a160a", stroke_width: 10 }),
    isLight
      ? g({ ...ink, stroke: "#8a6a34", stroke_width: 9 }, path("M40 150H130M40 180H130M40 700H130M40 730H130"), path("M85 330L125 440L85 550L45 440Z", { fill: "#24508c", stroke: "#2a160a" }))
      : g({ ...ink, stroke: "#1a0d05", stroke_opacity: ".7", stroke_width: 9 }, path("M30 240Q85 262 140 240M30 440Q85 462 140 440M30 640Q85 662 140 640")),
  );

/** A drawer of the box for senet, with a sign of what lies in it. */
const drawer = (sign) =>
  file(
    1000,
    480,
    el("defs", {}, gradient("linear", "a", { x2: "0.2", y2: "1" }, [[0, "#a87048"], [1, "#6f4328"]])),
    rect(6, 6, 988, 468, { rx: 46, fill: frame.plank, stroke: "#2c180b", stroke_width: 12 }),
    rect(56, 56, 888, 368, { rx: 24, fill: "url(#a)", stroke: "#2c180b", stroke_width: 12 }),
    path(grain(888, 368, 7, 4, 16), { transform: "translate(56 56)", fill: "none", stroke: "#4f2d18", stroke_opacity: ".4", stroke_width: 9 }),
    rect(86, 86, 828, 308, { rx: 16, fill: "none", stroke: gold, stroke_width: 8 }),
    path(d`M430 350H570A70 70 0 0 1 430 350Z`, { fill: "#3d2312", stroke: "#2c180b", stroke_width: 8 }),
    g({ ...ink, stroke: cream, stroke_width: 14 }, path(sign, { transform: "translate(500 225)" })),
  );

/** The drawers from the top down: the kind in each, how many there are, and the sign. */
const drawers = [
  ["Cone", 5, "M0 -95L62 65A62 22 0 0 1 -62 65ZM-26 -28Q0 -14 26 -28"],
  ["Spool", 5, "M-66 -75A66 20 0 0 1 66 -75Q0 -20 66 65A66 22 0 0 1 -66 65Q0 -20 -66 -75A66 20 0 0 0 66 -75"],
  ["Throwing stick", 4, "M-180 45L150 -75A22 22 0 0 1 165 -33L-165 87A22 22 0 0 1 -180 45M-150 -75L180 45A22 22 0 0 1 165 87L-165 -33A22 22 0 0 1 -150 -75"],
].map(([of, n, sign]) => ({ of, n, sign, name: `Drawer of ${of.split(" ").at(-1).toLowerCase()}s` }));

/** A place for pieces, of linen. */
const mat = (w, h) =>
  file(
    w,
    h,
    rect(8, 8, w - 16, h - 16, { rx: 50, fill: "#d8c9a3", fill_opacity: ".22" }),
    rect(8, 8, w - 16, h - 16, { rx: 50, fill: "none", stroke: "#e9d9ae", stroke_opacity: ".55", stroke_width: 10 }),
    rect(34, 34, w - 68, h - 68, { rx: 34, fill: "none", stroke: "#e9d9ae", stroke_opacity: ".35", stroke_width: 6, stroke_dasharray: "26 18" }),
  );

const tray = { width: 2850, height: 520 };

export function* art() {
  yield ["ur/ur.svg", urBoard()];
  yield ["ur/senet.svg", senetBoard()];
  yield ["ur/light.svg", disc("light")];
  yield ["ur/dark.svg", disc("dark")];
  yield ["ur/cone.svg", man("light")];
  yield ["ur/spool.svg", man("dark")];
  yield ["ur/die-1.svg", binary(true)];
  yield ["ur/die-0.svg", binary(false)];
  yield ["ur/stick-light.svg", stick(true)];
  yield ["ur/stick-dark.svg", stick(false)];
  for (const { name, sign } of drawers) yield [`ur/${name.split(" ").at(-1)}.svg`, drawer(sign)];
  yield ["ur/mat.svg", mat(1200, 1060)];
  yield ["ur/tray.svg", mat(tray.width, tray.height)];
  yield ["ur/throw.svg", plate("THROW", 1200, 440)];
  yield ["ur/start.svg", file(80, 80, circle(40, 40, 34, { fill: gold, stroke: "#5e3f10", stroke_width: 6 }), circle(40, 40, 16, { fill: "#5e3f10" }))];
}

// Ur has a place for each square of senet, but most of them are no cells: so the squares of senet
// below are never meant.
const cells = Array.from({ length: 30 }, () => "");
for (const [name, [column, row]] of ur) cells[row * 10 + column] = name;
const houses = Array.from({ length: 30 }, () => "");
for (let n = 1; n <= 30; n++) {
  const [column, row] = senet(n);
  houses[row * 10 + column] = String(n);
}
const grid = { x: border + cell / 2, y: border + cell / 2, stepX: cell, stepY: cell, columns: 10, rows: 3 };
const heavy = (name, w, h, art, more, faceName = name) => ({ name, width: w, height: h, shape: "rect", weight: "heavy", ...more, faces: [{ name: faceName, art }] });
const small = { width: 400, height: 400, shape: "round", weight: "light" };
const starts = Array.from({ length: 10 }, (_, i) => `Start ${i + 1}`);
const zone = (gap, ...takes) => ({ zone: { lay: "row", gap, takes } });
const done = (...takes) => ({ zone: { lay: "row", gap: 400, takes, count: true } });
const throws = (kind) => ({ button: { cooldown: 600, steps: [{ do: "roll", kind }] } });

export const game = {
  name: "The royal game of Ur",
  summary: "A race over twenty squares, 4,500 years old. The set-up senet is of Egypt.",
  order: 210,
  about: { players: [2, 2], minutes: [15, 30], age: 7, rules: "rules/ur.md" },
  table: { width: 8800, height: 4400, surface: "slate" },
  seats: [
    { name: "Light", side: "south", colour: "#efe4c9", pieces: [12, 14] },
    { name: "Dark", side: "north", colour: "#2b303a", pieces: [13, 15] },
  ],
  setup: "Royal game of Ur",
  without: ["Board of senet", "Throw sticks", ...Array.from({ length: 10 }, (_, i) => `Start ${i + 1}`)],
  setups: [
    {
      name: "Senet",
      without: ["Board of Ur", "Throw", "Light disc", "Dark disc", "Binary die", "Light’s discs", "Dark’s discs"],
      steps: [
        ...starts.map((to, i) => ({ do: "move", kind: drawers[i % 2].name, n: 1, to })),
        { do: "move", kind: drawers[2].name, n: 4, to: "Mat" },
        { do: "roll", kind: "Throwing stick" },
      ],
    },
  ],
  kinds: [
    heavy("Board of senet", width, height, "ur/senet.svg", { grid: { ...grid, cellNames: houses } }),
    ...starts.map((name) => ({ name, width: 80, height: 80, shape: "round", weight: "heavy", faces: [{ name, art: "ur/start.svg" }] })),
    heavy("Board of Ur", width, height, "ur/ur.svg", { grid: { ...grid, cellNames: cells } }),
    heavy("Light’s discs", tray.width, tray.height, "ur/tray.svg", zone(400, "Light disc")),
    heavy("Dark’s discs", tray.width, tray.height, "ur/tray.svg", zone(400, "Dark disc")),
    heavy("Light’s goal", tray.width, tray.height, "ur/tray.svg", done("Light disc", "Cone")),
    heavy("Dark’s goal", tray.width, tray.height, "ur/tray.svg", done("Dark disc", "Spool")),
    heavy("Mat", 1200, 1060, "ur/mat.svg", zone(270, "Binary die", "Throwing stick")),
    heavy("Throw", 1200, 440, "ur/throw.svg", throws("Binary die"), "Throw the dice"),
    heavy("Throw sticks", 1200, 440, "ur/throw.svg", throws("Throwing stick")),
    ...drawers.map(({ name }) => heavy(name, 1000, 480, `ur/${name.split(" ").at(-1)}.svg`, { container: { draws: "top" } })),
    { name: "Light disc", ...small, faces: [{ name: "Light disc", art: "ur/light.svg" }] },
    { name: "Dark disc", ...small, faces: [{ name: "Dark disc", art: "ur/dark.svg" }] },
    { name: "Cone", ...small, faces: [{ name: "Light cone", art: "ur/cone.svg" }] },
    { name: "Spool", ...small, faces: [{ name: "Dark spool", art: "ur/spool.svg" }] },
    { name: "Binary die", width: 260, height: 260, shape: "rect", weight: "light", die: { cooldown: 600 }, faces: [{ name: "1", art: "ur/die-1.svg" }, { name: "0", art: "ur/die-0.svg" }] },
    { name: "Throwing stick", width: 170, height: 880, shape: "rect", weight: "light", die: { cooldown: 600 }, faces: [{ name: "Light side", art: "ur/stick-light.svg" }, { name: "Dark side", art: "ur/stick-dark.svg" }] },
  ],
  pieces: [
    { kind: "Board of senet", x: 0, y: 0, pinned: true, locked: true },
    ...starts.map((kind, i) => ({ kind, x: Math.round(-4.5 * cell) + i * cell, y: -cell, pinned: true, locked: true })),
    { kind: "Board of Ur", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Light’s goal", x: 1465, y: 1460, pinned: true },
    { kind: "Dark’s goal", x: 1465, y: -1460, pinned: true },
    { kind: "Light’s discs", x: -1465, y: 1460, pinned: true },
    { kind: "Dark’s discs", x: -1465, y: -1460, pinned: true },
    { kind: "Mat", x: 3650, y: -300, pinned: true },
    { kind: "Throw", x: 3650, y: 560, pinned: true },
    { kind: "Throw sticks", x: 3650, y: 560, pinned: true },
    ...drawers.map(({ name, of, n }, i) => ({ kind: name, x: -3650, y: (i - 1) * 500, pinned: true, holds: Array.from({ length: n }, () => of) })),
    ...[["Light disc", 1460], ["Dark disc", -1460]].flatMap(([kind, y]) => Array.from({ length: 7 }, (_, i) => ({ kind, x: -1465 + (i - 3) * 400, y }))),
    ...[0, 1, 0, 1].map((face, i) => ({ kind: "Binary die", x: 3650 + Math.round((i - 1.5) * 270), y: -300, face })),
  ],
};
