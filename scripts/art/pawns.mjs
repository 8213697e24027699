// The colours of race games for up to six players, each with the sign of the token of that colour,
// and pawns in them.

import { circle, el, ellipse, file, gradient, path } from "./svg.mjs";

/** A colour: its body, lit and in shade, a pale tint for fields, and its sign in a square of 100. */
export const colours = {
  Red: { sign: "star", colour: "#b92b32", lit: "#f08d82", deep: "#5e1017", tint: "#d9837a", token: "M50 24L57.6 41.5L76.6 43.4L62.3 56L66.5 74.6L50 64.8L33.5 74.6L37.7 56L23.4 43.4L42.4 41.5Z", ink: "#fff8e8" },
  Blue: { sign: "square", colour: "#2f5596", lit: "#8fb1e6", deep: "#12274e", tint: "#7f9cc9", token: "M31 31H69V69H31Z", ink: "#fff8e8" },
  Green: { sign: "triangle", colour: "#1f7a54", lit: "#7fcfa6", deep: "#093522", tint: "#7bb796", token: "M50 25L74 68H26Z", ink: "#fff8e8" },
  Yellow: { sign: "diamond", colour: "#d39a22", lit: "#ffe79c", deep: "#6d4a06", tint: "#e8c46c", token: "M50 23L73 50L50 77L27 50Z", ink: "#fff8e8" },
  Black: { sign: "ring", colour: "#2c2f38", lit: "#8b8f9c", deep: "#08090c", tint: "#8a8377", token: "M50 26A24 24 0 1 0 50.1 26ZM50 40A10 10 0 1 1 49.9 40Z", ink: "#fff8e8" },
  White: { sign: "cross", colour: "#e6dcc4", lit: "#ffffff", deep: "#8b7c5c", tint: "#f6ecd4", token: "M42 26H58V42H74V58H58V74H42V58H26V42H42Z", ink: "#3b3324" },
};

/** A pawn of turned wood that stands upright, with its sign on it. */
export const pawn = ({ colour, lit, deep, token, ink }) =>
  file(
    100,
    100,
    el("defs", {},
      gradient("linear", "a", { x1: "0.1", x2: "0.95", y2: "0.3" }, [[0, colour], [0.3, lit], [0.55, colour], [1, deep]]),
      gradient("radial", "b", { cx: "0.36", cy: "0.3", r: "0.75" }, [[0, lit], [0.45, colour], [1, deep]])),
    ellipse(54, 88, 38, 10, { fill: "#000", fill_opacity: ".28" }),
    path("M50 34C59 34 64 39 62 45L58 49C61 62 76 70 81 84C82 94 66 97 50 97S18 94 19 84C24 70 39 62 42 49L38 45C36 39 41 34 50 34Z", { fill: "url(#a)", stroke: deep, stroke_width: 2.6, stroke_linejoin: "round" }),
    path("M19 84C22 90 36 92 50 92S78 90 81 84", { fill: "none", stroke: deep, stroke_width: 1.6, stroke_opacity: ".6" }),
    circle(50, 22, 19.5, { fill: "url(#b)", stroke: deep, stroke_width: 2.6 }),
    path(token, { fill: ink, stroke: deep, stroke_width: 2.5, stroke_opacity: ".5", transform: "translate(27.5 51.5) scale(.45)" }),
  );

/** The path of a picture of a pawn, and what its kind says. */
export const pawnOf = (name, size) => ({
  name: `${name} pawn`, width: size, height: size, shape: "round", weight: "light", upright: true,
  faces: [{ name: `${name} pawn, ${colours[name].sign}`, art: `ludo/${name.toLowerCase()}.svg` }],
});
