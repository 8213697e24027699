// Wood: planks with grain, light and dark, drawn with few shapes.

import { d, el, g, gradient, path, random, rect, use } from "./svg.mjs";

export const maple = { plank: "#ecd2a4", grain: "#c99f63", glow: "#fbe9c6" };
export const walnut = { plank: "#9a6440", grain: "#6b3f22", glow: "#b98058" };
export const frame = { plank: "#5f3a22", grain: "#3d2312", glow: "#7d5233" };

/** Lines of grain that run across a field, each a slow wave. */
export function grain(width, height, lines, seed, wave = height / 40) {
  const next = random(seed);
  let data = "";
  for (let i = 0; i < lines; i++) {
    const y = Math.round(((i + 0.2 + 0.6 * next()) * height) / lines);
    const bend = () => Math.round((next() - 0.5) * 4 * wave);
    const thirds = [Math.round(width / 3), Math.round((2 * width) / 3)];
    data += `M0 ${y}C${thirds[0]} ${y + bend()} ${thirds[1]} ${y + bend()} ${width} ${y + bend()}`;
  }
  return data;
}

/**
 * The definitions of four pieces of each wood, `size` square, called `m0` to `m3` and `w0` to `w3`.
 */
export function veneers(size) {
  return [
    ["m", maple],
    ["w", walnut],
  ].flatMap(([name, wood], w) =>
    [0, 1, 2, 3].map((i) =>
      g(
        { id: name + i },
        path(grain(size, size, 7, 11 + i + 7 * w), { fill: "none", stroke: wood.grain, stroke_width: size / 70, stroke_opacity: ".38" }),
        path(grain(size, size, 3, 31 + i + 5 * w), { fill: "none", stroke: wood.glow, stroke_width: size / 24, stroke_opacity: ".45" }),
      ),
    ),
  );
}

/**
 * The squares of a board, `n` in each row. A square is dark where file + rank is odd, counted from
 * the upper left corner. Without chequers all squares are light, with lines between them.
 */
export function squares(x0, y0, size, n = 8, isChequered = true) {
  const next = random(5);
  let dark = "";
  let lines = "";
  const grained = [];
  for (let i = 1; i < n && !isChequered; i++) lines += `M${i * size} 0v${n * size}M0 ${i * size}h${n * size}`;
  for (let i = 0; i < n * n; i++) {
    const [column, row] = [i % n, Math.floor(i / n)];
    const isDark = isChequered && (column + row) % 2 === 1;
    if (isDark) {
      dark += `M${column * size} ${row * size}h${size}v${size}h-${size}z`;
    }
    grained.push(use((isDark ? "w" : "m") + Math.floor(next() * 4), { x: column * size || undefined, y: row * size || undefined }));
  }
  return g(
    { transform: `translate(${x0} ${y0})` },
    rect(0, 0, n * size, n * size, { fill: maple.plank }),
    dark && path(dark, { fill: walnut.plank }),
    grained,
    lines && path(lines, { fill: "none", stroke: "#5f3a22", stroke_width: 14 }),
  );
}

/**
 * A framed board, `outer` square with a border `border` wide, its squares, `n` in each row, and
 * everything written on the frame.
 */
export function board(outer, border, written, n = 8, isChequered = true) {
  const inner = outer - 2 * border;
  const corner = d`M0 0L${border} ${border}V${outer - border}L0 ${outer}Z`;
  const far = d`M${outer} 0L${outer - border} ${border}V${outer - border}L${outer} ${outer}Z`;
  return [
    el("defs", {}, veneers(inner / n), gradient("radial", "light", { cx: "0.35", cy: "0.25", r: "0.95" }, [[0, "#fff", 0.16], [0.55, "#fff", 0], [1, "#2a1200", 0.22]]), el("clipPath", { id: "round" }, rect(0, 0, outer, outer, { rx: 70 }))),
    g(
      { clip_path: "url(#round)" },
      rect(0, 0, outer, outer, { fill: frame.plank }),
      path(corner + far, { fill: frame.glow, fill_opacity: ".5" }),
      g(
        { fill: "none", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".5" },
        path(grain(outer, border, 6, 3)),
        path(grain(outer, border, 5, 4), { transform: `translate(0 ${outer - border})` }),
      ),
      path(d`M0 0L${border} ${border}M${outer} 0L${outer - border} ${border}M0 ${outer}L${border} ${outer - border}M${outer} ${outer}L${outer - border} ${outer - border}`, { stroke: frame.grain, stroke_width: 10 }),
      rect(10, 10, outer - 20, outer - 20, { rx: 62, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
      rect(border - 34, border - 34, inner + 68, inner + 68, { fill: "none", stroke: "#d9b26a", stroke_width: 14 }),
      rect(border - 14, border - 14, inner + 28, inner + 28, { fill: "#2c180b" }),
      squares(border, border, inner / n, n, isChequered),
      rect(0, 0, outer, outer, { fill: "url(#light)" }),
      written,
    ),
  ];
}
