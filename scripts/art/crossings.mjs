// Boards of lines on which men stand on the crossings, the stones for them, and the bowls and lids
// in which these lie.

import { word } from "./glyphs.mjs";
import { circle, d, dots, el, file, g, gradient, move, path, rect, use } from "./svg.mjs";
import { frame, grain } from "./wood.mjs";

export const kaya = { plank: "#e4be7c", grain: "#b98a48", glow: "#f6dda6", line: "#3a2510" };

/** A word, its capitals `height` high and its middle at x, y. */
export const label = (text, x, y, height, attributes) =>
  path(word(text), { transform: move(x, y - height / 2, d`scale(${height / 100})`), ...attributes });

/** How words are written on the dark frame. */
export const gilt = {
  fill: "none", stroke: "#ecd2a4", stroke_width: 12, stroke_linecap: "round", stroke_linejoin: "round", stroke_opacity: ".85",
};

/** Words that both players read: as they are, and once more for who sits opposite. */
export const forBoth = (width, height, attributes, words) => {
  const other = g({ transform: d`rotate(180 ${width / 2} ${height / 2})` }, words(true));
  return g(attributes, words(false), other);
};

/**
 * A board in a dark frame with a golden line: a field of one wood, what is drawn on it, and what is
 * written on the frame. `define` is what else belongs to the definitions.
 */
export function framed(width, height, border, wood, { drawn = "", written = "", define = "" }) {
  const [w, h] = [width - 2 * border, height - 2 * border];
  const inset = (by, attributes) => rect(border - by, border - by, w + 2 * by, h + 2 * by, attributes);
  const mitre = d`M0 0L${border} ${border}M${width} 0L${width - border} ${border}M0 ${height}L${border} ${height - border}M${width} ${height}L${width - border} ${height - border}`;
  const posts = d`M0 0L${border} ${border}V${height - border}L0 ${height}ZM${width} 0L${width - border} ${border}V${height - border}L${width} ${height}Z`;
  return file(
    width,
    height,
    el(
      "defs",
      {},
      gradient("radial", "light", { cx: "0.35", cy: "0.25", r: "0.95" }, [[0, "#fff", 0.18], [0.55, "#fff", 0], [1, "#2a1200", 0.2]]),
      el("clipPath", { id: "round" }, rect(0, 0, width, height, { rx: 70 })),
      define,
    ),
    g(
      { clip_path: "url(#round)" },
      rect(0, 0, width, height, { fill: frame.plank }),
      path(posts, { fill: frame.glow, fill_opacity: ".5" }),
      g(
        { fill: "none", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".5" },
        path(grain(width, border, 6, 3)),
        path(grain(width, border, 5, 4), { transform: `translate(0 ${height - border})` }),
        path(mitre),
      ),
      rect(10, 10, width - 20, height - 20, { rx: 62, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
      inset(34, { fill: "none", stroke: "#d9b26a", stroke_width: 14 }),
      inset(14, { fill: "#2c180b" }),
      el("svg", { x: border, y: border, width: w, height: h, viewBox: d`0 0 ${w} ${h}` },
        rect(0, 0, w, h, { fill: wood.plank }),
        path(grain(w, h, Math.round(h / 90), 17, 26), { fill: "none", stroke: wood.grain, stroke_width: 9, stroke_opacity: ".33" }),
        path(grain(w, h, Math.round(h / 330), 29, 34), { fill: "none", stroke: wood.glow, stroke_width: 44, stroke_opacity: ".4" })),
      drawn,
      rect(0, 0, width, height, { fill: "url(#light)" }),
      written,
    ),
  );
}

/** The lines of a grid of `columns` by `rows` crossings from x, y on, as a path. */
export function lines(x, y, stepX, stepY, columns, rows) {
  const [w, h] = [(columns - 1) * stepX, (rows - 1) * stepY];
  let data = "";
  for (let i = 0; i < columns; i++) data += d`M${x + i * stepX} ${y}v${h}`;
  for (let i = 0; i < rows; i++) data += d`M${x} ${y + i * stepY}h${w}`;
  return data;
}

/**
 * The names of columns and rows on the frame of a board: letters below and numbers on the left, for
 * each of two players. The first row is the one at the bottom.
 */
export function coordinates({ letters, rows = letters.length, at, stepX, stepY, width, height, border }) {
  const n = letters.length;
  const across = (i, turned) => label(letters[turned ? n - 1 - i : i], at + i * stepX, height - border / 2 + 2, 96);
  const up = (i, turned) => label(String(turned ? i + 1 : rows - i), border / 2 - 8, at + i * stepY, 96);
  const all = (count, one, turned) => Array.from({ length: count }, (_, i) => one(i, turned));
  return forBoth(width, height, { ...gilt, stroke_width: 14 }, (turned) => [...all(n, across, turned), ...all(rows, up, turned)].join(""));
}

/**
 * A board for stones: `columns` letters and as many rows, the first crossing `border` and `margin`
 * from the edges. It has a size, a grid, and what draws it with dots on the given crossings.
 */
export function goban({ letters, stepX, stepY, border, margin }) {
  const n = letters.length;
  const at = border + margin;
  const width = (n - 1) * stepX + 2 * at;
  const height = (n - 1) * stepY + 2 * at;
  return {
    width, height,
    grid: {
      x: at, y: at, stepX, stepY, columns: n, rows: n,
      columnNames: [...letters],
      rowNames: Array.from({ length: n }, (_, i) => String(n - i)),
    },
    draw: (marked) => framed(width, height, border, kaya, {
      drawn: [
        path(lines(at, at, stepX, stepY, n, n), { fill: "none", stroke: kaya.line, stroke_width: 9 }),
        rect(at, at, (n - 1) * stepX, (n - 1) * stepY, { fill: "none", stroke: kaya.line, stroke_width: 18 }),
        dots(marked.map(([x, y]) => [at + x * stepX, at + y * stepY]), 30, { fill: kaya.line }),
      ],
      written: coordinates({ letters, at, stepX, stepY, width, height, border }),
    }),
  };
}

/** The colours of stones: dark slate and pale shell. */
const sets = {
  black: { lit: "#7a7f88", body: "#2c2f35", shade: "#0b0c0f", edge: "#000" },
  white: { lit: "#ffffff", body: "#f4efe4", shade: "#b7ab92", edge: "#6d6552" },
};

const round = (id, { lit, body, shade }) => gradient("radial", id, { cx: "0.36", cy: "0.3", r: "0.75" }, [[0, lit], [0.4, body], [1, shade]]);

/** The grain of shell on white stones, by which they are known without their colour. */
const shell = (attributes) => path("M14 36Q50 6 86 36M9 49Q50 19 91 49M10 62Q50 32 90 62M15 75Q50 45 85 75", { fill: "none", stroke: "#b39f75", stroke_width: 1.6, ...attributes });

/** A stone, 100 by 100. */
export function stone(colour) {
  const set = sets[colour];
  return file(
    100,
    100,
    el("defs", {}, round("up", set)),
    circle(50, 50, 47.5, { fill: "url(#up)", stroke: set.edge, stroke_width: 2.4 }),
    colour === "white" ? shell({ stroke_opacity: ".5" }) : path("M22 36Q30 19 48 15", { fill: "none", stroke: "#fff", stroke_width: 5, stroke_linecap: "round", stroke_opacity: ".28" }),
  );
}

/** A turned bowl, 200 by 200, full of stones, or its lid. */
export function bowl(colour, isLid) {
  const set = sets[colour];
  const heap = [[62, 76], [100, 58], [138, 76], [52, 112], [148, 112], [72, 146], [112, 152], [84, 100], [124, 112], [100, 128], [104, 88]];
  const rings = [
    circle(100, 100, 97, { fill: frame.plank, stroke: "#2c180b", stroke_width: 5 }),
    circle(100, 100, 90, { fill: "none", stroke: "#fff", stroke_opacity: ".2", stroke_width: 3 }),
    circle(100, 100, 83, { fill: "none", stroke: "#d9b26a", stroke_width: 3 }),
    circle(100, 100, 78, { fill: isLid ? frame.glow : frame.grain }),
  ];
  const mark = g({ fill: set.body, stroke: set.edge, stroke_width: 2 }, [45, 135, 225, 315].map((a) => circle(100, 10.5, 4.5, { transform: `rotate(${a} 100 100)` })));
  const inside = isLid
    ? [62, 44, 26].map((r) => circle(100, 100, r, { fill: "none", stroke: frame.grain, stroke_width: 2.5, stroke_opacity: ".45" }))
    : heap.map(([x, y]) => use("s", { x, y }));
  const one = isLid ? "" : g({ id: "s" }, circle(0, 0, 22, { fill: "url(#up)", stroke: set.edge, stroke_width: 1.6 }), colour === "white" ? path("M-17 -4Q0 -18 17 -4M-17 6Q0 -8 17 6", { fill: "none", stroke: "#b39f75", stroke_opacity: ".5" }) : "");
  return file(
    200,
    200,
    el("defs", {}, gradient("radial", "deep", {}, [[0, "#000", 0], [0.8, "#000", 0.12], [1, "#000", 0.6]]), isLid ? "" : round("up", set), one),
    rings,
    inside,
    circle(100, 100, 78, { fill: "url(#deep)" }),
    mark,
  );
}
