// Chess960: chess with back ranks in a random order, which the server draws. art/chess.mjs draws the
// men, and art/boards.mjs the board.
//
// It is a game of its own, beside chess: what the draw needs would be in the catalogue of each table
// of chess.

import { clockForTwo } from "../clocks.mjs";
import { gilt, label } from "../crossings.mjs";
import { when } from "../steps.mjs";
import { circle, dots, el, file, g, gradient, path, rect } from "../svg.mjs";
import { frame, grain } from "../wood.mjs";

const square = 500;
const colours = ["White", "Black"];
const letters = [..."abcdefgh"];
const lower = (text) => text.toLowerCase();

/** The middle of a file, from 0 for a. */
const middle = (file) => (file - 3.5) * square;

const man = (colour, shape) => ({
  name: `${colour} ${shape}`, width: 460, height: 460, shape: "round", weight: "light", upright: true,
  faces: [{ name: `${colour} ${shape}`, art: `chess/${lower(colour)}-${shape}.svg` }],
});

// On each side the men begin in the order Q R K R N N B B, from file a on. Then the queen goes to the right past so many of R K R as the draw
// says, one knight after the other goes to the left among these four, and at last the bishops go to
// the left to their files. All these are swaps of neighbours. A swap is a sort of two squares,
// which are zones on both sides: the kinds are listed so that what must go to the left comes first.
//
// What the draw says is where shuffled marks lie on a plate beside the board: one for the queen on
// one of 4 places, two for the knights on 2 of 6, and two for the bishops on one of 4 dark and one
// of 4 light files. These are 4 · 15 · 16 = 960 draws, one for each order that the rules allow. A
// step asks how many marks lie on the first places of the plate.

/** Beside the middles of the squares, so that nothing that is put on a square lies in a zone. */
const aside = 30;
const rank = 7 * square / 2 + aside;

const order = ["queen", "rook", "king", "rook", "knight", "knight", "bishop", "bishop"];
const sorted = ["bishop", "knight", "rook", "king", "queen"];
const pair = (n) => `Files ${letters[n - 1]} and ${letters[n]}`;
const first = (n) => `First ${n} of the draw`;

/** The plate: where it lies, and where its rows and the first place are, from its middle. */
const plate = { x: -3100, y: 0, width: 1100, height: 1240, step: 104, from: -320 };
const rows = { Bishop: -140, Knight: 130, Queen: 400 };
const place = (n) => plate.from + (n - 1) * plate.step;

const swap = (n) => ({ do: "sort", kind: pair(n) });
const marked = (mark, places, is, n, swapped) =>
  when({ of: "pieces", kind: `${mark} mark`, in: first(places), is, n }, [swap(swapped)]);
const down = (from, to) => Array.from({ length: from - to + 1 }, (_, i) => from - i);
const steps = [
  ...[1, 2, 3].map((n) => marked("Queen", n, "=", 0, n)),
  ...down(4, 1).map((n) => marked("Knight", n, ">=", 1, n)),
  ...down(5, 2).map((n) => marked("Knight", n, "=", 2, n)),
  ...down(6, 1).map((n) => marked("Bishop", n, ">=", 1, n)),
  ...down(7, 2).map((n) => marked("Bishop", n, "=", 2, n)),
];

/** A shuffled row of the plate: marks and blanks on every place, or on every second one. */
const shuffled = (mark, marks, places, from = 1, every = 1) => ({
  stack: [...Array(marks).fill(`${mark} mark`), ...Array(places - marks).fill("Blank")],
  x: plate.x + place(from), y: plate.y + rows[mark],
  step: { x: every * plate.step, y: 0 }, shuffled: true,
});

/** A face that shows nothing: pages leave its pieces out of what people reach (G23). */
const nothing = { layers: [{ colour: "" }] };

const zone = (name, width, height) => ({
  name, width, height, shape: "rect", weight: "heavy",
  zone: { lay: "row", gap: square, takes: ["Blank"] },
  faces: [{ name, ...nothing }],
});

const token = (name, size, art) => ({ name, width: size, height: size, shape: "round", weight: "light", faces: [{ name, art: `chess960/${art}.svg` }] });

const fixed = { pinned: true, locked: true };
const sevenFold = [1, 2, 3, 4, 5, 6, 7];

/** The plate with the draw: a row for bishops, one for knights and one for the queen. */
function draw() {
  const { width: w, height: h } = plate;
  const at = (n, y) => [w / 2 + place(n), h / 2 + y];
  const line = { ...gilt, stroke_width: 9 };
  const holes = Object.entries({ Bishop: 8, Knight: 6, Queen: 4 }).flatMap(([mark, n]) => Array.from({ length: n }, (_, i) => at(i + 1, rows[mark])));
  return file(
    w,
    h,
    el("defs", {}, gradient("linear", "l", { x2: "0.4", y2: "1" }, [[0, "#fff", 0.14], [0.6, "#fff", 0], [1, "#000", 0.25]])),
    rect(0, 0, w, h, { rx: 60, fill: frame.plank }),
    path(grain(w, h, 14, 6, 20), { fill: "none", stroke: frame.grain, stroke_width: 8, stroke_opacity: ".5" }),
    rect(0, 0, w, h, { rx: 60, fill: "url(#l)" }),
    rect(34, 34, w - 68, h - 68, { rx: 40, fill: "none", stroke: "#d9b26a", stroke_width: 10 }),
    g({ ...line, stroke_width: 13 }, label("960", w / 2, 165, 120)),
    g(line, letters.map((letter, i) => label(letter, at(i + 1, 0)[0], h / 2 + rows.Bishop - 110, 56))),
    g({ ...line, stroke_width: 11 }, Object.entries({ B: rows.Bishop, N: rows.Knight, Q: rows.Queen }).map(([sign, y]) => label(sign, 128, h / 2 + y, 80))),
    dots(holes, 40, { fill: "#2c180b", fill_opacity: ".75" }),
  );
}

const mark = () =>
  file(100, 100,
    el("defs", {}, gradient("radial", "b", { cx: "0.36", cy: "0.3", r: "0.8" }, [[0, "#fff2bf"], [0.45, "#e6bb57"], [1, "#7d5416"]])),
    circle(50, 50, 46, { fill: "url(#b)", stroke: "#3b2506", stroke_width: 5 }));

export function* art() {
  yield ["chess960/draw.svg", draw()];
  yield ["chess960/mark.svg", mark()];
}

export const game = {
  name: "Chess960",
  summary: "Chess with the men behind the pawns in one of 960 random orders, the same on both sides.",
  order: 12,
  about: { players: [2, 2], minutes: [10, 60], genres: ["board"], rules: "rules/chess960.md" },
  table: { width: 8000, height: 5200, surface: "slate" },
  seats: [
    { name: "White", side: "south", colour: "#f2ead8" },
    { name: "Black", side: "north", colour: "#3a3330" },
  ],
  steps,
  kinds: [
    {
      name: "Chessboard", width: 4600, height: 4600, shape: "rect", weight: "heavy",
      grid: {
        x: 550, y: 550, stepX: square, stepY: square, columns: 8, rows: 8,
        columnNames: letters, rowNames: [..."87654321"], captures: true,
      },
      faces: [{ name: "Chessboard", art: "chess/board.svg" }],
    },
    {
      name: "Tray", width: 1200, height: 1450, shape: "rect", weight: "heavy",
      grid: { x: 320, y: 340, stepX: 280, stepY: 260, columns: 3, rows: 4, tray: true },
      faces: [{ name: "Tray for captured pieces", art: "common/short-tray.svg" }],
    },
    ...colours.flatMap((colour) => [...sorted, "pawn"].map((shape) => man(colour, shape))),
    clockForTwo("Chess clock", "Chess clock", 300000, 2000),
    ...sevenFold.map((n) => zone(pair(n), square, 10)),
    {
      name: "Draw of the back rank", width: plate.width, height: plate.height, shape: "card", weight: "heavy",
      faces: [{ name: "Draw of the back rank", art: "chess960/draw.svg" }],
    },
    ...sevenFold.map((n) => zone(first(n), n * plate.step, 640)),
    ...Object.keys(rows).map((mark) => token(`${mark} mark`, 84, "mark")),
    { ...token("Blank", 24, "mark"), faces: [{ name: "Blank", ...nothing }] },
  ],
  pieces: [
    { kind: "Chessboard", x: 0, y: 0, ...fixed },
    ...[-3100, 3100].flatMap((x) => [-1575, 1575].map((y) => ({ kind: "Tray", x, y, ...fixed }))),
    ...sevenFold.flatMap((n) => [-rank, rank].map((y) => ({ kind: pair(n), x: middle(n - 0.5), y, ...fixed }))),
    { kind: "Draw of the back rank", x: plate.x, y: plate.y, ...fixed },
    ...sevenFold.map((n) => ({ kind: first(n), x: plate.x + (place(1) + place(n)) / 2, y: plate.y + rows.Knight, ...fixed })),
    { kind: "Chess clock", x: 3100, y: 0, pinned: true },
    shuffled("Bishop", 1, 4, 1, 2),
    shuffled("Bishop", 1, 4, 2, 2),
    shuffled("Knight", 2, 6),
    shuffled("Queen", 1, 4),
    ...colours.flatMap((colour) => {
      const side = colour === "White" ? 1 : -1;
      return [
        ...order.map((shape, file) => ({ kind: `${colour} ${shape}`, x: middle(file), y: side * rank })),
        ...letters.map((_, file) => ({ kind: `${colour} pawn`, x: middle(file), y: side * 1250 })),
        { kind: `${colour} queen`, x: side * 3100, y: side * 1900 },
      ];
    }),
  ],
};
