// The game of the goose: a spiral of 63 spaces round a pond. Below it lies a board for snakes and
// ladders, which the set-up of that name uses.

import { cream, field, gold, ink, label, light, plank, plate, polygon, sixFaces, words } from "../inlay.mjs";
import { colours, pawnOf } from "../pawns.mjs";
import { circle, d, ellipse, el, file, g, gradient, move, path, rect, use } from "../svg.mjs";

const size = 5700;
const mid = size / 2;

// The spiral begins in the south and winds inwards against the clock. All spaces are equally long.
const pitch = 525; // between two turns
const outside = 2400; // the radius where it begins
const radius = (turn) => outside - (pitch * turn) / (2 * Math.PI);
const starts = [0];
while (starts.length < 65) {
  const last = starts.at(-1);
  starts.push(last + 478 / radius(last + 0.1));
}
// Its turns become smaller, so its middle is not that of the board.
const heart = mid - pitch / 4;
/** A point of the spiral, `out` further from the middle. */
const at = (turn, out = 0) => [heart + (radius(turn) + out) * Math.sin(turn), heart + (radius(turn) + out) * Math.cos(turn)];
/** One turn of the spiral, closed, which ends at `end`. */
const loop = (end, out) => polygon(Array.from({ length: 60 }, (_, i) => at(end - (i * 2 * Math.PI) / 59, out)));
const middle = (n) => (starts[n - 1] + starts[n]) / 2;

const geese = [5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59];
const icons = {
  6: "bridge", 19: "inn", 31: "well", 42: "maze", 52: "prison", 58: "fox",
};
const tints = ["#f4e6c4", "#dce5c3", "#cfe0dd"];
const special = "#e9b96a";

/** A goose that looks to the right, 100 wide and high. */
const goose = [
  path("M46 86V98L54 97M58 85V97L66 96", { fill: "none", stroke: "#b2581b", stroke_width: 4, stroke_linecap: "round", stroke_linejoin: "round" }),
  path("M80 11L99 22L81 27Z", { fill: "#e08a2c", stroke: "#7c3f0e", stroke_width: 2.5, stroke_linejoin: "round" }),
  path("M6 56C14 62 20 60 26 56C36 48 50 48 58 52C64 44 58 32 60 20C62 6 80 2 84 16C86 26 78 32 78 42C80 62 84 86 50 88C28 89 14 74 6 56Z", { fill: "#fffdf6", stroke: "#4a3a22", stroke_width: 3.2, stroke_linejoin: "round" }),
  path("M30 62C42 56 56 58 64 66C56 80 38 78 30 62ZM42 66Q50 68 54 72", { fill: "#e2d8c2", stroke: "#4a3a22", stroke_width: 2.4, stroke_linejoin: "round" }),
  circle(74, 16, 2.8, { fill: "#2a1a0a" }),
];

const pictures = {
  bridge: [path("M2 70Q50 16 98 70V84H84Q50 36 16 84H2Z", { fill: "#9a6440" }), path("M2 58Q50 4 98 58M20 58V46M50 46V26M80 58V46", { fill: "none" }), path("M2 92q12-8 24 0t24 0 24 0 24 0", { fill: "none", stroke: "#2f5f8f" })],
  inn: [path("M18 28H66V88Q42 96 18 88Z", { fill: "#d39a22" }), path("M66 42H82Q90 42 90 52V64Q90 76 78 76H66", { fill: "none" }), path("M14 28C6 20 16 8 26 14C32 2 50 2 54 14C66 6 76 20 66 28Z", { fill: "#fffdf6" }), path("M32 44V78M50 44V78", { fill: "none", stroke_opacity: ".6" })],
  well: [path("M14 56H86V90H14Z", { fill: "#9aa3a6" }), path("M14 72H86M38 56V72M62 56V72M26 72V90M50 72V90M74 72V90", { fill: "none", stroke_opacity: ".6" }), path("M22 56V26M78 56V26", { fill: "none", stroke_width: 5 }), path("M10 28L50 4L90 28Z", { fill: "#8f3a2c" }), path("M50 28V42M43 42H57V54H43Z", { fill: "#d39a22" })],
  maze: [path("M50 50C50 42 62 42 62 52C62 66 38 66 38 50C38 32 74 32 74 54C74 80 26 78 26 50C26 20 86 20 86 54C86 92 14 92 14 50C14 22 32 8 50 8", { fill: "none", stroke: "#2c6b3f", stroke_width: 5 })],
  prison: [path("M16 92V34Q16 8 50 8T84 34V92Z", { fill: "#9aa3a6" }), path("M26 92V38Q26 20 50 20T74 38V92Z", { fill: "#33302c" }), path("M38 24V92M50 20V92M62 24V92M26 60H74", { fill: "none", stroke: "#d6d9da", stroke_width: 5 })],
  fox: [path("M8 12L36 32H64L92 12L88 58L50 94L12 58Z", { fill: "#c9601f" }), path("M12 58C26 50 42 60 50 94C58 60 74 50 88 58L50 94Z", { fill: "#fffdf6", stroke_width: 2 }), path("M44 84H56L50 93Z", { fill: "#2a1a0a" }), path("M28 46L38 50M72 46L62 50", { fill: "none", stroke_width: 5 })],
};
const picture = (name, id) => g({ id, stroke: "#3a2a16", stroke_width: 3.4, stroke_linejoin: "round", stroke_linecap: "round" }, pictures[name]);

/** The wood, the meadow and the pond. */
function meadow() {
  const reeds = "M0 0C-4 -60 -14 -110 -34 -150M0 0C2 -70 0 -130 8 -190M0 0C8 -60 26 -100 52 -130";
  const end = starts[63];
  const flower = (x, y, s, colour) => g({ transform: move(x, y, `scale(${s})`) }, [0, 72, 144, 216, 288].map((turn) => ellipse(0, -34, 20, 30, { transform: turn ? `rotate(${turn})` : undefined, fill: colour })), circle(0, 0, 18, { fill: "#f6d169" }));
  const corner = [
    path("M-20 620C160 560 300 420 380 240C420 150 540 60 640 -10M240 470C300 500 380 500 430 470M380 240C350 190 350 130 380 80", { fill: "none", stroke: "#1e4d2f", stroke_width: 18, stroke_linecap: "round" }),
    path("M430 470C480 420 560 420 610 450C560 500 480 510 430 470ZM380 80C340 30 350 -30 390 -70C430 -20 430 40 380 80ZM120 570C90 510 100 450 140 410C180 460 180 520 120 570Z", { fill: "#3f8a55", stroke: "#1e4d2f", stroke_width: 8 }),
    flower(470, 160, 1.7, "#e9a3b4"), flower(220, 330, 1.4, "#fffdf6"), flower(130, 130, 2.1, "#d9837a"),
  ];
  return file(
    size,
    size,
    el("defs", {}, light,
      gradient("radial", "grass", { cx: "0.4", cy: "0.3", r: "0.9" }, [[0, "#5d9c62"], [1, "#2d6240"]]),
      gradient("radial", "water", { cx: "0.45", cy: "0.4", r: "0.7" }, [[0, "#a9dbe6"], [0.7, "#4d9bb5"], [1, "#2b6f8e"]]),
      g({ id: "c", transform: "translate(-360 -360)" }, corner), g({ id: "goose" }, goose.slice(1))), // it swims
    plank(size, size, 36, 8),
    field(230, 230, size - 460, size - 460, "url(#grass)"),
    [0, 90, 180, 270].map((turn) => use("c", { transform: `rotate(${turn} ${mid} ${mid}) translate(640 640)` })),
    path(loop(2 * Math.PI, pitch / 2 + 64), { fill: "#1d4029", fill_opacity: ".4" }),
    path(loop(end, -pitch / 2 + 14), { fill: "#d9c48c", stroke: "#1e4d2f", stroke_width: 14 }),
    path(loop(end, -pitch / 2 - 120), { fill: "url(#water)", stroke: "#20556d", stroke_width: 14, stroke_linejoin: "round" }),
    g({ transform: move(mid - 10, mid + 20) },
      path("M-480 380q60-40 120 0t120 0M-30 450q60-40 120 0t120 0M240 300q50-34 100 0t100 0M-560 -120q50-34 100 0t100 0M280 -330q50-34 100 0t100 0M-360 -400q50-34 100 0t100 0", { ...ink, stroke: "#fff", stroke_opacity: ".55", stroke_width: 14 }),
      use("goose", { transform: "translate(-400 -420) scale(7.4)" }),
      path("M-380 200q76-60 152 0t152 0 152 0 152 0 152 0", { ...ink, stroke: "#fff", stroke_opacity: ".7", stroke_width: 14 }),
      g({ ...ink, stroke: "#2c6b3f", stroke_width: 20 }, [[-420, 100], [470, 500], [610, -200]].map(([x, y]) => path(reeds, { transform: move(x, y) })))),
    rect(0, 0, size, size, { rx: 70, fill: "url(#light)" }),
  );
}

/** The 63 spaces. */
function track() {
  const spaces = [];
  const marks = [];
  const numbers = [];
  const half = pitch / 2 - 12;
  for (let n = 1; n <= 63; n++) {
    const [from, to, turn] = [starts[n - 1] + 0.004, starts[n] - 0.004, middle(n)];
    const [a, b, c, e] = [at(from, half), at(to, half), at(to, -half), at(from, -half)];
    const bend = (out) => {
      const far = (radius(turn) + out) / Math.cos((to - from) / 2);
      return [heart + far * Math.sin(turn), heart + far * Math.cos(turn)];
    };
    const [o, i] = [bend(half), bend(-half)];
    const isGoose = geese.includes(n);
    const fill = n === 63 ? "#f0c24f" : icons[n] ? special : isGoose ? "#a9cf9a" : tints[n % 3];
    spaces.push(path(d`M${a[0]} ${a[1]}Q${o[0]} ${o[1]} ${b[0]} ${b[1]}L${c[0]} ${c[1]}Q${i[0]} ${i[1]} ${e[0]} ${e[1]}Z`, { fill }));
    const lean = Math.round(((-turn * 180) / Math.PI) % 360); // the foot of a space is outside
    const [x, y] = at(turn, 0);
    const inner = (scale, up) => move(x, y, `rotate(${lean})`, `translate(0 ${up})`, `scale(${scale}) translate(-50 -50)`);
    if (isGoose) marks.push(use("goose", { transform: inner(2.7, 40) }));
    else if (icons[n]) marks.push(use(icons[n], { transform: inner(2.6, 40) }));
    else if (n === 63) marks.push(path("M50 4L62 36L96 38L69 59L79 92L50 73L21 92L31 59L4 38L38 36Z", { transform: inner(2.6, 40), fill: "#fffdf6", stroke: "#7d5718", stroke_width: 4, stroke_linejoin: "round" }));
    const marked = isGoose || icons[n] || n === 63;
    const far = marked ? 160 : 0;
    const [nx, ny] = at(turn, -far);
    numbers.push(label(String(n), nx, ny, marked ? 92 : 150, lean));
  }
  const [sx, sy] = at(0, 0);
  return file(
    size,
    size,
    el("defs", {}, g({ id: "goose" }, goose), Object.keys(pictures).map((name) => picture(name, name))),
    g({ stroke: "#3a2a16", stroke_width: 13, stroke_linejoin: "round" }, spaces),
    g({ transform: move(sx - 190, sy) }, path("M-150 -50H20V-110L150 0L20 110V50H-150Z", { fill: gold, stroke: "#3a2a16", stroke_width: 13, stroke_linejoin: "round" })),
    marks,
    words(numbers, { stroke: "#3a2a16", stroke_width: 13 }),
  );
}

// Snakes and ladders.

const cell = 520;
const border = 250;
const spot = (n) => {
  const row = Math.floor((n - 1) / 10);
  const column = row % 2 ? 9 - ((n - 1) % 10) : (n - 1) % 10;
  return [border + (column + 0.5) * cell, border + (9.5 - row) * cell];
};
const ladders = [[2, 23], [8, 34], [20, 42], [28, 52], [43, 77], [50, 71], [66, 87], [80, 99]];
const snakes = [[17, 6], [31, 10], [37, 15], [56, 36], [73, 54], [85, 65], [89, 69], [97, 78]];

function ladder([from, to]) {
  const [[x1, y1], [x2, y2]] = [spot(from), spot(to)].map(([x, y]) => [x + 70, y + 50]);
  const long = Math.hypot(x2 - x1, y2 - y1);
  const turn = Math.round((Math.atan2(x2 - x1, y1 - y2) * 180) / Math.PI * 10) / 10;
  const rails = d`M-92 110V${-long - 110}M92 110V${-long - 110}`;
  let rungs = "";
  for (let y = 20; y > -long - 60; y -= 150) rungs += d`M-92 ${y}H92`;
  return g({ transform: move(x1, y1, `rotate(${turn})`) },
    path(rails + rungs, { stroke: "#2c180b", stroke_width: 52, stroke_opacity: ".85" }),
    path(rungs, { stroke: "#d8a765", stroke_width: 30 }),
    path(rails, { stroke: "#b57a3c", stroke_width: 34 }),
    path(rails, { stroke: "#f0cf96", stroke_opacity: ".7", stroke_width: 8, transform: "translate(-8 0)" }));
}

const skins = [["#3f8a55", "#1a4a2a", "#c9e3a8"], ["#8a4fa0", "#48215a", "#e8c9f0"], ["#c0562b", "#632408", "#f7d49b"], ["#2f78a0", "#123f59", "#bfe3ee"]];
function snake([from, to], i) {
  const [[x1, y1], [x2, y2]] = [spot(from), spot(to)].map(([x, y]) => [x + 60, y + 60]);
  const [body, edge, spots] = skins[i % 4];
  const long = Math.hypot(x2 - x1, y2 - y1);
  const turn = Math.round((Math.atan2(x1 - x2, y2 - y1) * 180) / Math.PI * 10) / 10;
  const waves = Math.max(2, Math.round(long / 420));
  const bend = i % 2 ? 110 : -110;
  let way = "M0 40";
  for (let k = 0; k < waves; k++) {
    const side = k % 2 ? -bend : bend;
    way += d`Q${side * 1.5} ${40 + (long * (k + 0.5)) / waves} 0 ${40 + (long * (k + 1)) / waves}`;
  }
  return g({ transform: move(x1, y1, `rotate(${turn})`) },
    path(way, { stroke: edge, stroke_width: 118 }),
    path(way, { stroke: body, stroke_width: 92 }),
    path(way, { stroke: spots, stroke_width: 34, stroke_dasharray: i % 2 ? "2 92" : "46 60" }),
    path("M0 -110V-170M0 -166L-28 -204M0 -166L28 -204", { stroke: "#b92b32", stroke_width: 14 }),
    path("M0 -118C80 -118 96 -40 84 10C74 66 40 84 0 84S-74 66 -84 10C-96 -40 -80 -118 0 -118Z", { fill: body, stroke: edge, stroke_width: 14 }),
    g({ stroke: edge, stroke_width: 8, fill: "#fffdf6" }, circle(-42, -36, 26), circle(42, -36, 26)),
    g({ fill: "#1a120a" }, circle(-42, -44, 11), circle(42, -44, 11)));
}

function ladderBoard() {
  const numbers = [];
  const pale = ["#f4e6c4", "#cfe0dd", "#dce5c3", "#ecd0b4"];
  const squares = pale.map(() => "");
  for (let n = 1; n <= 100; n++) {
    const [x, y] = spot(n);
    const k = (((x - border) / cell) | 0) + 2 * (((y - border) / cell) | 0);
    squares[k % 4] += d`M${x - cell / 2} ${y - cell / 2}h${cell}v${cell}h${-cell}z`;
    numbers.push(label(String(n), x - cell / 2 + (n > 9 ? n > 99 ? 130 : 100 : 72), y - cell / 2 + 92, 84));
  }
  return file(
    size,
    size,
    el("defs", {}, light, g({ id: "n" }, numbers)),
    plank(size, size, 36, 12),
    field(border, border, 10 * cell, 10 * cell, pale[0]),
    g({ stroke: "#3a2a16", stroke_width: 9 }, squares.map((data, i) => path(data, { fill: pale[i] }))),
    path("M50 4L62 36L96 38L69 59L79 92L50 73L21 92L31 59L4 38L38 36Z", { transform: move(spot(100)[0], spot(100)[1] + 40, "scale(2.7) translate(-50 -50)"), fill: "#f0c24f", stroke: "#7d5718", stroke_width: 4, stroke_linejoin: "round" }),
    g({ ...ink }, ladders.map(ladder), snakes.map(snake)),
    use("n", { ...ink, stroke: "#fbf3df", stroke_width: 44, stroke_opacity: ".8" }),
    use("n", { ...ink, stroke: "#3a2a16", stroke_width: 14 }),
    rect(0, 0, size, size, { rx: 70, fill: "url(#light)" }),
  );
}

/** The place where the pawns wait. */
const startMat = () =>
  file(
    mat.width,
    mat.height,
    rect(10, 10, mat.width - 20, mat.height - 20, { rx: 80, fill: "#2d6240", fill_opacity: ".55", stroke: gold, stroke_width: 12 }),
    rect(44, 44, mat.width - 88, mat.height - 88, { rx: 56, fill: "none", stroke: cream, stroke_opacity: ".5", stroke_width: 8, stroke_dasharray: "36 26" }),
    label("START", mat.width / 2, 190, 130, 0, { ...ink, stroke: cream, stroke_width: 13 }),
  );

export function* art() {
  yield ["goose/meadow.svg", meadow()];
  yield ["goose/track.svg", track()];
  yield ["goose/ladders.svg", ladderBoard()];
  yield ["goose/start.svg", startMat()];
  yield ["goose/roll.svg", plate("ROLL", 960, 440)];
}

const spaces = Array.from({ length: 63 }, (_, i) => {
  const [x, y] = at(middle(i + 1)).map(Math.round);
  return { x, y, name: String(i + 1) };
});
// Four pawns have room in a square.
const corners = [[-115, -70], [115, -70], [-115, 115], [115, 115]];
const squares = Array.from({ length: 100 }, (_, i) => corners.map(([dx, dy], k) => {
  const [x, y] = spot(i + 1);
  return { x: x + dx, y: y + dy, name: `${i + 1}${["", " b", " c", " d"][k]}` };
})).flat();

const board = { width: size, height: size, shape: "rect", weight: "heavy" };
const names = Object.keys(colours);
const plateSize = { width: 960, height: 440, shape: "rect", weight: "heavy" };
const die = { width: 430, height: 430, shape: "rect", weight: "light", die: { cooldown: 600 }, faces: sixFaces };
// All that players need lies below the board, so that an upright phone shows it with the board.
const mat = { x: -1430, y: 2960, width: 2840, height: 1000 };
const boardAt = { x: 0, y: -620, pinned: true, locked: true };

export const game = {
  name: "Game of the goose",
  summary: "From goose to goose to the pond; the set-up snakes and ladders has its own board.",
  order: 220,
  about: { players: [2, 6], minutes: [15, 40], age: 5, rules: "rules/goose.md" },
  table: { width: 6300, height: 7300, surface: "wood" },
  seats: names.map((name) => ({ name, side: "south", colour: colours[name].colour })),
  setup: "Game of the goose",
  without: ["Snakes and ladders", "Roll the die"],
  setups: [{ name: "Snakes and ladders", without: ["Meadow with a pond", "Spaces of the goose", "Roll", "Second die"] }],
  kinds: [
    { name: "Snakes and ladders", ...board, snaps: { reach: 200, points: squares }, faces: [{ name: "Board of snakes and ladders", art: "goose/ladders.svg" }] },
    {
      name: "Meadow with a pond", ...board,
      // One cell in the middle: what lies beside the spaces never means a square of the board below.
      grid: { x: size / 6, y: size / 6, stepX: size / 3, stepY: size / 3, columns: 3, rows: 3, cellNames: ["", "", "", "", "pond", "", "", "", ""] },
      faces: [{ name: "Meadow with a pond", art: "goose/meadow.svg" }],
    },
    { name: "Spaces of the goose", ...board, snaps: { reach: 280, points: spaces }, faces: [{ name: "Spaces 1 to 63", art: "goose/track.svg" }] },
    { name: "Start", width: mat.width, height: mat.height, shape: "rect", weight: "heavy", faces: [{ name: "Start", art: "goose/start.svg" }] },
    { name: "Roll", ...plateSize, button: { cooldown: 600, steps: ["Die", "Second die"].map((kind) => ({ do: "roll", kind })) }, faces: [{ name: "Roll the dice", art: "goose/roll.svg" }] },
    { name: "Roll the die", ...plateSize, button: { cooldown: 600, steps: [{ do: "roll", kind: "Die" }] }, faces: [{ name: "Roll the die", art: "goose/roll.svg" }] },
    { name: "Die", ...die },
    { name: "Second die", ...die },
    ...names.map((name) => pawnOf(name, 360)),
  ],
  pieces: [
    { kind: "Snakes and ladders", ...boardAt },
    { kind: "Meadow with a pond", ...boardAt },
    { kind: "Spaces of the goose", ...boardAt },
    { kind: "Start", x: mat.x, y: mat.y, pinned: true },
    { kind: "Roll", x: 2250, y: mat.y, pinned: true },
    { kind: "Roll the die", x: 2250, y: mat.y, pinned: true },
    { kind: "Die", x: 1350, y: mat.y, face: 2 },
    { kind: "Second die", x: 720, y: mat.y, face: 4 },
    ...names.map((name, i) => ({ kind: `${name} pawn`, x: mat.x + 430 * (i - 2.5), y: mat.y + 140 })),
  ],
};
