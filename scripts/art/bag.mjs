// A bag of tokens, and money: gold and gems.

import { circle, d, el, file, g, gradient, path, rect } from "./svg.mjs";

/** The tokens: each has a colour and a sign of its own. */
const tokens = {
  "red-star": { lit: "#e2665c", body: "#b92b32", deep: "#741820", sign: "M50 24L57.6 41.5L76.6 43.4L62.3 56L66.5 74.6L50 64.8L33.5 74.6L37.7 56L23.4 43.4L42.4 41.5Z" },
  "blue-square": { lit: "#5f86c4", body: "#2f5596", deep: "#1a3463", sign: "M31 31H69V69H31Z" },
  "green-triangle": { lit: "#47a97f", body: "#1f7a54", deep: "#0f4a32", sign: "M50 25L74 68H26Z" },
  "yellow-diamond": { lit: "#f6d169", body: "#d39a22", deep: "#855b0c", sign: "M50 23L73 50L50 77L27 50Z" },
  "black-ring": { lit: "#5a5d68", body: "#2c2f38", deep: "#111318", sign: "M50 26A24 24 0 1 0 50.1 26ZM50 40A10 10 0 1 1 49.9 40Z" },
  "white-cross": { lit: "#fffdf7", body: "#e6dcc4", deep: "#a8987a", sign: "M42 26H58V42H74V58H58V74H42V58H26V42H42Z", ink: "#3b3324" },
};

const token = ({ lit, body, deep, sign, ink = "#fff8e8" }) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.15", x2: "0.85", y2: "1" }, [[0, lit], [0.5, body], [1, deep]]), gradient("linear", "c", { x1: "0.15", x2: "0.85", y2: "1" }, [[0, deep], [0.5, body], [1, lit]])),
    circle(50, 50, 48, { fill: "url(#a)", stroke: "#17110c", stroke_width: 2.2 }),
    circle(50, 50, 39, { fill: body, stroke: "url(#c)", stroke_width: 3 }),
    path(sign, { fill: ink, stroke: ink, stroke_width: 2.4, stroke_linejoin: "round" }),
  );

/** A bag from above, 1100 across: folds of cloth run to its mouth, which a cord holds open. */
function bag() {
  const fold = (turn, from, to, bend) => {
    const at = (degrees, r) => {
      const a = (degrees * Math.PI) / 180;
      return d`${550 + r * Math.sin(a)} ${550 - r * Math.cos(a)}`;
    };
    return `M${at(turn, from)}Q${at(turn + bend, (from + to) / 2)} ${at(turn + bend / 2, to)}`;
  };
  const folds = Array.from({ length: 22 }, (_, i) => fold((360 * i) / 22 + 3 * (i % 3), 322, 470 + 18 * (i % 4), i % 2 ? 7 : -6)).join("");
  return file(
    1100,
    1100,
    el("defs", {},
      gradient("radial", "v", { cx: "0.4", cy: "0.32", r: "0.75" }, [[0, "#6a4a7f"], [0.62, "#452c58"], [1, "#241431"]]),
      gradient("radial", "m", { cx: "0.5", cy: "0.58", r: "0.6" }, [[0, "#2a1938"], [1, "#0b0510"]])),
    circle(550, 550, 538, { fill: "url(#v)", stroke: "#160b20", stroke_width: 12 }),
    path(folds, { fill: "none", stroke: "#1c0f28", stroke_opacity: ".6", stroke_width: 13, stroke_linecap: "round" }),
    path(folds, { fill: "none", stroke: "#a98bbd", stroke_opacity: ".28", stroke_width: 7, stroke_linecap: "round", transform: "rotate(4 550 550)" }),
    circle(550, 550, 306, { fill: "url(#m)", stroke: "#1c0f28", stroke_width: 26 }),
    circle(550, 550, 318, { fill: "none", stroke: "#7a5c15", stroke_width: 26 }),
    circle(550, 550, 318, { fill: "none", stroke: "#e0b65a", stroke_width: 20, stroke_dasharray: "34 9" }),
    g({ fill: "none", stroke: "#e0b65a", stroke_width: 18, stroke_linecap: "round" },
      path("M700 832C740 884 700 930 752 968M724 820C790 850 800 890 864 886")),
    g({ fill: "#e0b65a", stroke: "#7a5c15", stroke_width: 6 }, circle(712, 826, 26), circle(756, 976, 22), circle(872, 886, 22)),
  );
}

/** A heap of gold, 500 across: coins on coins. The value is shown on the uppermost. */
function gold() {
  const coin = (cx, cy, r) => [circle(cx, cy, r, { fill: "url(#g)", stroke: "#5e3f10", stroke_width: 9 }), circle(cx, cy, r - 18, { fill: "none", stroke: "#7d5718", stroke_opacity: ".7", stroke_width: 6, stroke_dasharray: "7 9" })];
  return file(
    500,
    500,
    el("defs", {}, gradient("linear", "g", { x1: "0.2", x2: "0.8", y2: "1" }, [[0, "#ffefb0"], [0.4, "#e3b650"], [1, "#a2742a"]])),
    [[140, 154], [356, 150], [132, 334], [368, 336], [250, 390]].map(([x, y]) => coin(x, y, 102)),
    coin(250, 244, 176),
    circle(250, 244, 136, { fill: "#fff8df", stroke: "#b98a35", stroke_width: 6 }),
  );
}

/** A heap of gems, 500 by 500. The value is shown in a window below. */
function gems() {
  const gem = (x, y, scale, turn, light, body, deep) =>
    g({ transform: `translate(${x} ${y}) rotate(${turn}) scale(${scale})`, stroke: deep, stroke_width: 5, stroke_linejoin: "round" },
      path("M-60 -62H60L110 -8L0 104L-110 -8Z", { fill: body }),
      path("M-60 -62H60L46 -8H-46Z", { fill: light }),
      path("M-110 -8H110M-46 -8L0 104L46 -8M-60 -62L-46 -8M60 -62L46 -8", { fill: "none", stroke: "#fff", stroke_opacity: ".5", stroke_width: 4 }));
  return file(
    500,
    500,
    gem(138, 190, 0.92, -14, "#a5e6d8", "#37a690", "#0f4f43"),
    gem(364, 186, 0.92, 13, "#f3a9bd", "#c93f66", "#661631"),
    gem(250, 136, 1.12, 0, "#bcd9f7", "#4a86cf", "#173f75"),
    rect(54, 262, 392, 216, { rx: 60, fill: "#fffdf7", stroke: "#4a3010", stroke_width: 10 }),
    rect(70, 278, 360, 184, { rx: 46, fill: "none", stroke: "#c9ab6a", stroke_width: 5 }),
  );
}

export function* bags() {
  yield ["tokens/bag.svg", bag()];
  yield ["tokens/gold.svg", gold()];
  yield ["tokens/gems.svg", gems()];
  for (const [name, look] of Object.entries(tokens)) {
    yield [`tokens/${name}.svg`, token(look)];
  }
}
