// A map for role play: a country under a grid of squares or of hexagons, heroes and monsters, dice,
// an order of initiative and notes.

import { press, tray, written } from "../parlour.mjs";
import { circle, el, ellipse, file, g, gradient, move, path, random, rect, use } from "../svg.mjs";
import { frame, grain } from "../wood.mjs";

const [wide, deep, border] = [7500, 5000, 160];
const [outerWide, outerDeep] = [wide + 2 * border, deep + 2 * border];
const cell = 250;
const [columns, rows] = [wide / cell, deep / cell];
const ink = "#5a4326";
const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

const columnNames = Array.from({ length: columns }, (_, i) => (i < 26 ? "" : "A") + String.fromCharCode(65 + (i % 26)));

// Hexagons that stand on a corner: their width, and from row to row.
const hex = { wide: 330, step: 285.75, x: 120, y: 23, columns: 22, rows: 17 };

function* hexagons() {
  for (let y = 0; y < hex.rows; y++) {
    for (let x = 0; x < hex.columns - (y % 2); x++) {
      yield {
        x: Math.round(border + hex.x + hex.wide * (x + 0.5 + 0.5 * (y % 2))),
        y: Math.round(border + hex.y + hex.step * (y + 2 / 3)),
        name: columnNames[x] + (y + 1),
      };
    }
  }
}

const grids = {
  squares() {
    let lines = "";
    for (let i = 1; i < columns; i++) lines += `M${cell * i} 0v${deep}`;
    for (let i = 1; i < rows; i++) lines += `M0 ${cell * i}h${wide}`;
    return path(lines, { ...line, stroke: ink, stroke_opacity: ".4", stroke_width: 8 });
  },
  hexagons() {
    const [w, s] = [hex.wide, hex.step];
    return [
      el("pattern", { id: "h", x: hex.x, y: hex.y, width: w, height: String(2 * s), patternUnits: "userSpaceOnUse" },
        path(`M0 ${s / 3}L${w / 2} 0L${w} ${s / 3}V${s}L${w / 2} ${(s * 4) / 3}L0 ${s}ZM${w / 2} ${(s * 4) / 3}V${2 * s}`, { ...line, stroke: ink, stroke_opacity: ".4", stroke_width: 8 })),
      rect(hex.x - 4, hex.y - 4, w * hex.columns + 8, Math.round(s * (hex.rows + 1 / 3)) + 8, { fill: "url(#h)" }),
    ];
  },
};

/** Places of n signs around x, y, the lower ones last, so that they stand before the others. */
function crowd(id, n, x, y, w, h, seed) {
  const next = random(seed);
  const all = [];
  for (let tries = 0; all.length < n && tries < 400; tries++) {
    const [a, r] = [next() * 2 * Math.PI, Math.sqrt(next())];
    const at = [Math.round(x + w * r * Math.cos(a)), Math.round(y + h * r * Math.sin(a))];
    if (all.every(([px, py]) => Math.hypot(px - at[0], 1.4 * (py - at[1])) > 150)) all.push(at);
  }
  return all.sort((a, b) => a[1] - b[1]).map(([px, py]) => use(id, { x: px, y: py }));
}

const coast = "M0 0H1500C1380 260 1620 420 1540 700S1180 1000 1210 1330 1540 1700 1480 2050 1120 2380 1180 2760 1420 3100 1300 3480 900 3800 960 4200 1160 4700 1040 5000H0Z";
const river = "M6260 900C5900 1150 5980 1500 5560 1660S4900 1640 4620 1980 4300 2560 3840 2620 3200 2380 2760 2560 2100 2900 1250 2850";
const road = "M2300 1500C2750 1700 2950 2050 3330 2300L3400 2700C3600 3150 4300 3200 4700 3420S5700 3900 6250 3650";

function country() {
  return {
    defs: [
      ...[["wood", "#6f8f58"], ["rock", "#8f7a55"]].map(([id, colour]) => gradient("radial", id, {}, [[0, colour, 0.42], [0.6, colour, 0.26], [1, colour, 0]])),
      g({ id: "tree" }, path("M0 0V-50", { ...line, stroke: ink, stroke_width: 16 }), path("M0-200C60-190 92-140 74-94 68-52 30-36 0-36S-68-52-74-94C-92-140-60-190 0-200Z", { fill: "#7f9b62", stroke: "#43542f", stroke_width: 9 }), path("M-30-150C-14-166 10-168 26-158", { ...line, stroke: "#c9d7a8", stroke_width: 9 })),
      g({ id: "fir" }, path("M0 0V-40", { ...line, stroke: ink, stroke_width: 16 }), path("M0-240L44-160H24L66-92H36L80-34H-80L-36-92H-66L-24-160H-44Z", { fill: "#5f8266", stroke: "#2f4a37", stroke_width: 9, stroke_linejoin: "round" })),
      g({ id: "peak" }, path("M-260 0L-90-300L-40-250L40-400L270 0Z", { fill: "#b7a88d", stroke: ink, stroke_width: 12, stroke_linejoin: "round" }), path("M40-400L270 0H80L30-180 70-250Z", { fill: "#8b7b62", fill_opacity: ".7" }), path("M-16-294L40-400L98-300L66-318L40-286L10-312Z", { fill: "#fbf6ea", stroke: ink, stroke_width: 7, stroke_linejoin: "round" })),
      g({ id: "hill" }, path("M-150 0C-110-130 60-150 150 0", { fill: "#c9bd84", stroke: ink, stroke_width: 10, stroke_linecap: "round" }), path("M-40-40C-20-70 20-76 50-60", { ...line, stroke: ink, stroke_opacity: ".5", stroke_width: 7 })),
      g({ id: "house" }, path("M-70 0V-70H70V0Z", { fill: "#ecdcb8", stroke: ink, stroke_width: 9 }), path("M-92-64L0-150L92-64Z", { fill: "#a8503a", stroke: ink, stroke_width: 9, stroke_linejoin: "round" }), rect(-16, -48, 32, 48, { fill: ink })),
      g({ id: "wave" }, path("M-90 0Q-60-36-30 0T30 0 90 0", { ...line, stroke: "#47788c", stroke_opacity: ".6", stroke_width: 11 })),
    ],
    ground: [
      ellipse(6150, 1050, 1700, 1250, { fill: "url(#rock)" }),
      ellipse(4450, 800, 1450, 900, { fill: "url(#wood)" }),
      ellipse(2850, 4050, 1650, 980, { fill: "url(#wood)" }),
      path(coast, { fill: "#86b0bf", stroke: "#e9d8ae", stroke_width: 150 }),
      path(coast, { fill: "#86b0bf", stroke: "#3d6577", stroke_width: 16 }),
      path(coast, { fill: "none", stroke: "#47788c", stroke_opacity: ".35", stroke_width: 12, transform: "translate(-110 0)" }),
      path(coast, { fill: "none", stroke: "#47788c", stroke_opacity: ".22", stroke_width: 12, transform: "translate(-220 0)" }),
      crowd("wave", 16, 480, 2500, 420, 2300, 3),
      path(river, { ...line, stroke: "#3d6577", stroke_width: 112 }),
      path(river, { ...line, stroke: "#86b0bf", stroke_width: 84 }),
      ellipse(5450, 4250, 700, 330, { fill: "#86b0bf", stroke: "#3d6577", stroke_width: 14 }),
      crowd("wave", 6, 5450, 4250, 520, 200, 9),
      path(road, { ...line, stroke: "#f4e7c6", stroke_width: 76 }),
      path(road, { ...line, stroke: "#8a6b3c", stroke_width: 60, stroke_dasharray: "90 60", stroke_opacity: ".55", stroke_linecap: "butt" }),
      g({ transform: "translate(3370 2505) rotate(-12)" }, rect(-80, -120, 160, 240, { fill: "#a98654", stroke: ink, stroke_width: 12 }), path("M-80-70H80M-80-20H80M-80 30H80M-80 80H80", { stroke: ink, stroke_width: 8 })),
    ],
    above: [
      crowd("peak", 12, 6150, 1050, 1000, 700, 11),
      crowd("hill", 7, 6500, 2500, 800, 380, 4),
      crowd("fir", 26, 4450, 900, 1000, 560, 7),
      crowd("tree", 34, 2850, 4150, 1200, 640, 5),
      crowd("tree", 7, 4900, 2700, 700, 220, 8),
      crowd("house", 8, 2150, 1380, 430, 300, 6),
      crowd("house", 3, 6500, 3700, 260, 130, 12),
      g({ transform: "translate(3250 1000)", stroke: ink, stroke_width: 12, stroke_linejoin: "round" },
        path("M-230 60V-140H-200V-180H-160V-140H-120V-180H-80V-140H80V-180H120V-140H160V-180H200V-140H230V60Z", { fill: "#c8bfae" }),
        path("M-290 70V-270H-330V-330H-280V-300H-250V-330H-200V-300H-170V-330H-130V-270H-160V70ZM160 70V-270H130V-330H170V-300H200V-330H250V-300H280V-330H330V-270H290V70Z", { fill: "#ddd5c4" }),
        path("M-70 64V-40A70 70 0 0 1 70-40V64Z", { fill: "#4a3620" }),
        path("M-230-330V-470L-110-430L-230-390M230-330V-470L350-430L230-390", { fill: "#a3262b" })),
      g({ transform: "translate(7100 4560)", ...line, stroke: ink, stroke_width: 14 },
        circle(0, 0, 230, { stroke_width: 8 }),
        path("M0-300L50-50L300 0L50 50L0 300L-50 50L-300 0L-50-50Z", { fill: "#f4e7c6" }),
        path("M0-300V300M-300 0H300", { stroke_width: 7 }),
        path("M0-300L50-50L0 0Z M300 0L50 50L0 0Z M0 300L-50 50L0 0Z M-300 0L-50-50L0 0Z", { fill: ink, stroke: "none" })),
    ],
  };
}

/** A map under a grid: the country, or nothing. */
function map(grid, { defs = [], ground = [], above = [] } = {}, labels = false) {
  const names = labels ? [
    ...columnNames.map((name, i) => [written(name, border + cell * (i + 0.5), 78, 74, { weight: 13 }), written(name, border + cell * (i + 0.5), outerDeep - 78, 74, { weight: 13 })]),
    ...Array.from({ length: rows }, (_, i) => [78, outerWide - 78].map((x) => written(String(i + 1), x, border + cell * (i + 0.5), 74, { weight: 13, wide: 100 }))),
  ] : [];
  return file(
    outerWide,
    outerDeep,
    el("defs", {}, gradient("radial", "p", { cx: "0.45", cy: "0.4", r: "0.8" }, [[0, "#f3e6c4"], [0.7, "#e6d3a4"], [1, "#c9ad75"]]), el("clipPath", { id: "in" }, rect(0, 0, wide, deep)), defs),
    rect(0, 0, outerWide, outerDeep, { rx: 80, fill: frame.plank }),
    path(grain(outerWide, outerDeep, 44, 8, 20), { ...line, stroke: frame.grain, stroke_width: 10, stroke_opacity: ".45" }),
    rect(12, 12, outerWide - 24, outerDeep - 24, { rx: 70, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 16 }),
    g({ transform: move(border, border) },
      g({ clip_path: "url(#in)" }, rect(0, 0, wide, deep, { fill: "url(#p)" }), ground, above, grid),
      rect(-8, -8, wide + 16, deep + 16, { fill: "none", stroke: "#2c180b", stroke_width: 18 }),
      rect(-22, -22, wide + 44, deep + 44, { fill: "none", stroke: "#d9b26a", stroke_width: 11 })),
    g({ stroke: "#ecd2a4", stroke_opacity: ".9" }, names),
  );
}

const s = (data, width = 5) => path(data, { ...line, stroke: "#fff6e0", stroke_width: width });
const f = (data) => path(data, { fill: "#fff6e0", stroke: "#fff6e0", stroke_width: 2, stroke_linejoin: "round" });
const hole = (x, y, r, ink) => circle(x, y, r, { fill: ink });

/** Signs about 0, 0, at most 26 from it. Each has the colours of its token. */
const heroes = {
  Knight: ["#9c2f2f", () => [f("M0-29L5-22V9H-5V-22Z"), s("M-14 9H14M0 9V22", 6), circle(0, 25, 4, { fill: "#fff6e0" })]],
  Archer: ["#2f6b3f", () => [s("M-8-25C18-18 18 18-8 25"), s("M-8-25V25", 2), s("M-22 0H22M12-7L22 0L12 7", 3.6)]],
  Wizard: ["#3a4b94", () => [f("M-24 18C-10 10 10 10 24 18C10 24-10 24-24 18Z"), f("M-12 12L2-27L14 12C6 9-6 9-12 12Z")]],
  Cleric: ["#8a6a1c", () => [f("M-6-26H6V-10H20V2H6V26H-6V2H-20V-10H-6Z")]],
  Rogue: ["#4a4a55", () => [f("M0-27L6-4H-6Z"), s("M-11-2H11M0 0V14", 5), f("M-7 14H7L4 26H-4Z")]],
  Bard: ["#8a4a86", () => [s("M-8 14V-20L18-26V8", 5), ellipse(-14, 15, 8, 6, { fill: "#fff6e0" }), ellipse(12, 9, 8, 6, { fill: "#fff6e0" })]],
  Druid: ["#5b7a2a", () => [f("M-22 20C-24-10-4-26 24-24C24 4 10 24-16 16Z"), path("M-22 24L12-12", { ...line, stroke: "#5b7a2a", stroke_width: 3 })]],
  Guardian: ["#2d6f79", () => [f("M0-26C8-20 16-18 23-18C24 4 16 18 0 27C-16 18-24 4-23-18C-16-18-8-20 0-26Z"), path("M0-17V17M-14-4H14", { ...line, stroke: "#2d6f79", stroke_width: 5 })]],
};
const monsters = {
  Skeleton: ["#3c3a40", (c) => [f("M0-25C-16-25-22-15-22-4C-22 4-18 8-13 10V19H13V10C18 8 22 4 22-4C22-15 16-25 0-25Z"), hole(-9, -3, 5.5, c), hole(9, -3, 5.5, c), path("M0 4L-3 9H3ZM-5 13V19M0 13V19M5 13V19", { fill: c, stroke: c, stroke_width: 2 })]],
  Wolf: ["#5a4a3c", () => [f("M-15 4C-8-6 8-6 15 4C20 12 16 20 8 19C4 18-4 18-8 19C-16 20-20 12-15 4Z"), [[-19, -8], [-8, -18], [8, -18], [19, -8]].map(([x, y]) => ellipse(x, y, 5.5, 8, { fill: "#fff6e0" }))]],
  Spider: ["#51305e", () => [circle(0, 6, 11, { fill: "#fff6e0" }), circle(0, -9, 6.5, { fill: "#fff6e0" }), s("M-8-2L-20-14L-25-4M8-2L20-14L25-4M-9 4L-24 4L-27 14M9 4L24 4L27 14M-8 10L-19 16L-19 26M8 10L19 16L19 26M-4-14L-8-25M4-14L8-25", 3.4)]],
  Goblin: ["#3f6b2c", (c) => [f("M-28-12L-14-10C-8-22 8-22 14-10L28-12L15 4C13 18 6 22 0 22S-13 18-15 4Z"), hole(-6, -3, 3.6, c), hole(6, -3, 3.6, c), path("M-8 9Q0 15 8 9", { ...line, stroke: c, stroke_width: 3 })]],
  Ghost: ["#4c6377", (c) => [f("M-18 24V-6C-18-32 18-32 18-6V24L9 16L0 24L-9 16Z"), hole(-6, -7, 4, c), hole(7, -7, 4, c)]],
  Bat: ["#6b2c3f", (c) => [f("M0-6L-5-15L-8-6C-16-14-24-14-29-8C-24-6-23 0-24 8C-18 4-13 6-11 12C-7 8-3 10 0 18C3 10 7 8 11 12C13 6 18 4 24 8C23 0 24-6 29-8C24-14 16-14 8-6L5-15Z"), hole(-3, -2, 1.6, c), hole(3, -2, 1.6, c)]],
  Guard: ["#74571f", (c) => [f("M-18 22V-6C-18-20-9-26 0-26S18-20 18-6V22L6 26V8H-6V26Z"), path("M-18-4H18M-13 4H-2M2 4H13", { ...line, stroke: c, stroke_width: 4 })]],
};
const big = {
  Dragon: ["#7c1f1f", (c) => [f("M-26 20C-20 2-10-2-2-4L-14-16L2-12L4-26L14-14C24-12 28-6 28 2L20 6L10 4C14 12 10 22-2 24C-10 25-18 24-26 20Z"), hole(15, -6, 2.6, c), s("M-20-6C-26-14-24-22-16-26C-18-18-14-12-8-8", 4)]],
  Giant: ["#5b4632", (c) => [circle(0, -18, 9, { fill: "#fff6e0" }), f("M-24 26V0C-24-8-14-10 0-10S24-8 24 0V26H15V6H11V26H3V12H-3V26H-11V6H-15V26Z"), hole(-3, -19, 1.6, c), hole(3, -19, 1.6, c)]],
};
const things = {
  Chest: ["#7a4f22", (c) => [f("M-24-6C-24-20-16-22-10-22H10C16-22 24-20 24-6Z"), f("M-24-2H24V22H-24Z"), circle(0, 4, 6, { fill: c })]],
  Campfire: ["#a14a17", (c) => [f("M0-28C4-14 18-8 14 8C12 16 4 18 0 18S-12 16-14 8C-16 0-8-6-8-14C-2-12-2-6-2-2C4-8 2-18 0-28Z"), s("M-22 26L22 16M-22 16L22 26", 5), hole(0, 10, 4, c)]],
};

const token = ([colour, sign], rim) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.15", x2: "0.85", y2: "1" }, rim), gradient("radial", "b", { cx: "0.4", cy: "0.3", r: "0.8" }, [[0, "#fff", 0.22], [0.6, "#fff", 0], [1, "#000", 0.3]])),
    circle(50, 50, 48, { fill: "url(#a)", stroke: "#17110c", stroke_width: 2.2 }),
    circle(50, 50, 40, { fill: colour, stroke: "#17110c", stroke_width: 1.6 }),
    circle(50, 50, 39, { fill: "url(#b)" }),
    g({ transform: "translate(50 50) scale(1.08)" }, sign(colour)),
  );
const gold = [[0, "#fff0b8"], [0.4, "#e0b65a"], [1, "#7d5718"]];
const iron = [[0, "#d5d9dd"], [0.45, "#7d858c"], [1, "#33393f"]];

/** A number on a token, to tell monsters of a kind apart. */
const badge = (n) => file(100, 100, circle(79, 79, 18, { fill: "#fffaf0", stroke: "#17110c", stroke_width: 2.2 }), written(String(n), 79, 79, 21, { stroke: "#1b2130", weight: 17 }));

/** A tag for the order of initiative. */
const tag = () =>
  file(
    1300,
    300,
    el("defs", {}, gradient("linear", "b", { x2: "0.3", y2: "1" }, [[0, "#fff0b8"], [0.3, "#e0b65a"], [0.65, "#a87a28"], [1, "#6d4a14"]])),
    rect(5, 5, 1290, 290, { rx: 40, fill: "url(#b)", stroke: "#3a220e", stroke_width: 9 }),
    rect(150, 40, 1110, 220, { rx: 24, fill: "#fffaf0", stroke: "#4a3010", stroke_width: 7 }),
    path("M52 110L92 150L52 190", { ...line, stroke: "#4a3010", stroke_width: 18 }),
  );

const order = (w, h) => file(w, h, tray(w, h, "#3a2a22", 80), written("INITIATIVE", w / 2, 190, 96, { stroke: "#f6e4bd" }));

const lower = (name) => name.toLowerCase();
const picture = (name) => `map/${lower(name)}.svg`;

export function* art() {
  yield [picture("squares"), map(grids.squares(), country(), true)];
  yield [picture("hexagons"), map(grids.hexagons(), country())];
  yield [picture("empty"), map(grids.squares(), {}, true)];
  for (const [name, look] of Object.entries(heroes)) yield [picture(name), token(look, gold)];
  for (const [name, look] of Object.entries({ ...monsters, ...big })) yield [picture(name), token(look, iron)];
  for (const [name, look] of Object.entries(things)) yield [picture(name), token(look, [[0, "#c99560"], [1, "#5d3a1c"]])];
  for (const n of [1, 2, 3, 4]) yield [picture(`number-${n}`), badge(n)];
  yield [picture("tag"), tag()];
  yield [picture("order"), order(1600, 3300)];
  yield [picture("tray"), file(1500, 2900, tray(1500, 2900, "#1f3d33", 80))];
  yield [picture("next-round"), press("NEXT ROUND", 1400)];
}

const heavy = { shape: "rect", weight: "heavy" };
const small = { width: 230, height: 230, shape: "round", weight: "light" };
const large = { width: 470, height: 470, shape: "round", weight: "light" };
const one = (name, size) => ({ name, ...size, faces: [{ name, art: picture(name) }] });
const words = ["", "", "", "", "four", "", "six", "", "eight", "", "ten", "", "twelve", "", "", "", "", "", "", "", "twenty"];
const die = (sides) => ({
  name: `${words[sides][0].toUpperCase()}${words[sides].slice(1)}-sided die`, width: sides === 6 ? 420 : 450, height: sides === 6 ? 420 : 450, shape: "rect", weight: "light", private: true, die: { cooldown: 1000 },
  faces: Array.from({ length: sides }, (_, i) => ({ name: String(i + 1), art: `dice/${words[sides]}-${i + 1}.svg` })),
});
const dice = [4, 6, 6, 8, 10, 12, 20];
const tops = { 4: 3, 6: 5, 8: 7, 10: 9, 12: 11, 20: 19 };
const rowOf = (y) => dice.map((sides, i) => ({ kind: die(sides).name, x: 600 * i - 1800, y, face: tops[sides] }));
const mapKind = (name, face) => ({ name, width: outerWide, height: outerDeep, ...heavy, faces: [{ name, art: picture(face) }] });
const grid = { x: border + cell / 2, y: border + cell / 2, stepX: cell, stepY: cell, columns, rows, columnNames, rowNames: Array.from({ length: rows }, (_, i) => String(i + 1)) };
const tags = Array.from({ length: 8 }, (_, i) => ({ kind: "Tag", x: 5250, y: -1405 + 330 * i }));

export const game = {
  name: "A map for role play",
  summary: "A country in squares or hexagons, with heroes, monsters, dice and notes.",
  order: 420,
  about: { players: [2, 7], minutes: [60, 240], age: 10, rules: "rules/map.md" },
  table: { width: 12600, height: 8200, surface: "wood" },
  seats: [
    { name: "Game master", side: "south", colour: "#3c3a40", hand: 0 },
    ...["#9c2f2f", "#2f6b3f", "#3a4b94", "#b8892c", "#8a4a86", "#2d8f99"].map((colour, i) => ({ name: `Player ${i + 1}`, side: "south", colour })),
  ],
  setup: "Squares",
  without: ["Map of hexagons", "Empty map of squares"],
  setups: [
    { name: "Hexagons", without: ["Map of squares", "Empty map of squares"] },
    { name: "Empty squares", without: ["Map of squares", "Map of hexagons"] },
  ],
  sheet: { title: "Heroes", columns: ["Player", "Health", "Armour", "Gold"], rows: Object.keys(heroes) },
  kinds: [
    { name: "Screen of the game master", width: 3200, height: 1000, ...heavy, hand: true, faces: [{ name: "Screen", art: "tokens/screen.svg" }] },
    { ...mapKind("Map of hexagons", "hexagons"), snaps: { reach: 160, points: [...hexagons()] } },
    { ...mapKind("Empty map of squares", "empty"), grid },
    { ...mapKind("Map of squares", "squares"), grid },
    { name: "Monsters", width: 1500, height: 2900, ...heavy, faces: [{ name: "Tray", art: picture("tray") }] },
    { name: "Initiative", width: 1600, height: 3300, ...heavy, zone: { lay: "column", gap: 330, takes: ["Tag"] }, faces: [{ name: "Order of initiative", art: picture("order") }] },
    { name: "Tag", width: 1300, height: 300, shape: "rect", weight: "light", text: { initial: "" }, display: { x: 170, y: 60, width: 1070, height: 180 }, faces: [{ name: "Tag", art: picture("tag") }] },
    ...Object.keys(heroes).map((name) => one(name, small)),
    ...Object.keys(monsters).flatMap((name) => [1, 2, 3, 4].map((n) => ({ name: `${name} ${n}`, ...small, faces: [{ name: `${name} ${n}`, layers: [{ art: picture(name) }, { art: picture(`number-${n}`) }] }] }))),
    ...Object.keys(big).map((name) => one(name, large)),
    ...Object.keys(things).map((name) => one(name, small)),
    ...[...new Set(dice)].map(die),
    { name: "Note", width: 1000, height: 1000, shape: "rect", weight: "light", private: true, text: { initial: "" }, display: { x: 70, y: 120, width: 860, height: 720 }, faces: [{ name: "Note", art: "common/note.svg" }] },
    { name: "Round", width: 700, height: 420, shape: "card", weight: "light", counter: { min: 1, max: 99, initial: 1 }, display: { x: 110, y: 70, width: 480, height: 280 }, faces: [{ name: "Round", art: "common/counter.svg" }] },
    { name: "Next round", width: 1400, height: 380, ...heavy, button: { cooldown: 800, steps: [{ do: "count", kind: "Round", add: 1 }] }, faces: [{ name: "Next round", art: picture("next-round") }] },
  ],
  pieces: [
    { kind: "Screen of the game master", x: 0, y: -3480, pinned: true },
    ...["Map of hexagons", "Empty map of squares", "Map of squares"].map((kind) => ({ kind, x: 0, y: 0, pinned: true, locked: true })),
    { kind: "Monsters", x: -5150, y: -300, pinned: true },
    { kind: "Initiative", x: 5250, y: -250, pinned: true },
    ...tags,
    ...Object.keys(monsters).flatMap((name, i) => [1, 2, 3, 4].map((n) => ({ kind: `${name} ${n}`, x: -5150 + 300 * (n - 2.5), y: -1480 + 300 * i }))),
    { kind: "Dragon", x: -5450, y: 770 },
    { kind: "Giant", x: -4900, y: 770 },
    { kind: "Chest", x: -4500 + 250, y: 3400 },
    { kind: "Campfire", x: -3950, y: 3400 },
    ...Object.keys(heroes).map((name, i) => ({ kind: name, x: -5750 + 300 * (i % 4), y: 3250 + 300 * (i >> 2) })),
    ...rowOf(3400),
    { kind: "Note", x: 3400, y: 3400 },
    { kind: "Note", x: -3400, y: -3480 },
    { kind: "Note", x: -4600, y: -3480 },
    { kind: "Twenty-sided die", x: 2000, y: -3480, face: 19 },
    { kind: "Six-sided die", x: 2550, y: -3480, face: 5 },
    { kind: "Round", x: 5250, y: 1800 },
    { kind: "Next round", x: 5250, y: 2350, pinned: true },
  ],
};
