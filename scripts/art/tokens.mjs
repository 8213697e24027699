// What lies on a card table besides the cards: chips, the dealer's button, and the places for the
// pack, the discard pile and hands.

import { word } from "./glyphs.mjs";
import { emblem } from "./otter.mjs";
import { circle, d, el, file, g, gradient, move, path, rect } from "./svg.mjs";
import { frame, grain } from "./wood.mjs";

const sheen = gradient("linear", "s", { x2: "0.8", y2: "1" }, [[0, "#fff", 0.35], [0.45, "#fff", 0], [1, "#000", 0.28]]);
const lettering = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

/**
 * A heap of chips, 100 by 100: three on each other, with six spots on the edge. The uppermost shows
 * their value. Tables that were made with it still show it.
 */
function chips() {
  const [body, spot] = ["#b92b32", "#fbf4e4"];
  const spots = [0, 60, 120, 180, 240, 300].map((turn) => path("M41 3.5Q50 1.4 59 3.5L56.4 13Q50 11.6 43.6 13Z", { transform: turn ? `rotate(${turn} 50 46)` : undefined }));
  const edge = (y) => [circle(50, y, 44, { fill: body, stroke: "#14100c", stroke_width: 1.6 }), path(d`M43 ${y + 43.5}Q50 ${y + 44.6} 57 ${y + 43.5}L57 ${y + 41}H43ZM10.5 ${y + 18.5}L14 ${y + 25}L16 ${y + 22}ZM89.5 ${y + 18.5}L86 ${y + 25}L84 ${y + 22}Z`, { fill: spot })];
  return file(
    100,
    100,
    el("defs", {}, sheen),
    edge(54),
    edge(50),
    circle(50, 46, 44, { fill: body, stroke: "#14100c", stroke_width: 1.6 }),
    g({ fill: spot }, spots),
    circle(50, 46, 32, { fill: "#fffdf7", stroke: "#14100c", stroke_opacity: ".4", stroke_width: 1 }),
    circle(50, 46, 29, { fill: "none", stroke: body, stroke_width: 1.4, stroke_dasharray: "3.4 2.2" }),
    circle(50, 46, 44, { fill: "url(#s)" }),
  );
}

/** The colours of chips: the body, the spots on its edge, and the lines. */
const colours = {
  white: ["#ece6d8", "#8a8478", "#6d675c"],
  red: ["#b92b32", "#fbf4e4", "#14100c"],
  blue: ["#2a5caa", "#fbf4e4", "#0c1220"],
  green: ["#2c7d4f", "#fbf4e4", "#0a1a11"],
  black: ["#2b2b30", "#e8c877", "#050506"],
};

/** A chip of one colour, 100 by 100. The page draws as many under it as the heap is high. */
function chip([body, spot, line]) {
  const spots = [0, 60, 120, 180, 240, 300].map((turn) => path("M40 4Q50 1.6 60 4L57 15Q50 13.4 43 15Z", { transform: turn ? `rotate(${turn} 50 50)` : undefined }));
  return file(
    100,
    100,
    el("defs", {}, sheen),
    circle(50, 50, 48, { fill: body, stroke: line, stroke_width: 1.8 }),
    g({ fill: spot }, spots),
    circle(50, 50, 34, { fill: "#fffdf7", stroke: line, stroke_opacity: ".45", stroke_width: 1.2 }),
    circle(50, 50, 30.5, { fill: "none", stroke: body, stroke_width: 1.6, stroke_dasharray: "3.4 2.2" }),
    circle(50, 50, 48, { fill: "url(#s)" }),
  );
}

/** The dealer's button, 100 by 100. */
const button = () =>
  file(
    100,
    100,
    el("defs", {}, sheen),
    circle(50, 50, 48, { fill: "#fffdf7", stroke: "#14100c", stroke_width: 1.6 }),
    circle(50, 50, 42, { fill: "none", stroke: "#1f5161", stroke_width: 2.5 }),
    g({ transform: "translate(50 37) scale(.3)" }, emblem("#1f5161", "#fffdf7")),
    path(word("DEALER", 26), { ...lettering, transform: "translate(50 61.5) scale(.135)", stroke: "#1f5161", stroke_width: 20 }),
    circle(50, 50, 48, { fill: "url(#s)" }),
  );

const fan = [-24, -8, 8, 24].map((turn) => rect(-95, -330, 190, 266, { rx: 18, transform: `rotate(${turn})` }));
const folds = [path("M-300 -330L-100 -290V-30L-300 -70Z"), path("M-100 -290L100 -330V-70L-100 -30Z"), path("M100 -330L300 -290V-30L100 -70Z")];

/**
 * A place for a hand: a dashed outline and, very faint, a fan of cards or a folding screen. The
 * lighter the table, the darker the shade.
 */
function hand(width, height, sign, shade) {
  return file(
    width,
    height,
    rect(16, 16, width - 32, height - 32, { rx: 90, fill: "#000", fill_opacity: shade }),
    rect(16, 16, width - 32, height - 32, { rx: 90, fill: "none", stroke: "#fff", stroke_opacity: ".55", stroke_width: 14, stroke_dasharray: "64 40", stroke_linecap: "round" }),
    g({ transform: move(width / 2, height / 2 + 190), opacity: ".2", fill: "#20332b", stroke: "#fff", stroke_width: 12 }, sign),
  );
}

/**
 * A box for the pack, 820 by 1080: a wooden frame with green cloth, which is visible when the pack
 * is drawn.
 */
const deck = () =>
  file(
    820,
    1080,
    el("defs", {}, gradient("linear", "deep", { x2: "0", y2: "1" }, [[0, "#000", 0.45], [0.08, "#000", 0.16], [1, "#000", 0.06]])),
    rect(0, 0, 820, 1080, { rx: 45, fill: frame.plank }),
    path(grain(820, 1080, 16, 9, 18), { fill: "none", stroke: frame.grain, stroke_width: 8, stroke_opacity: ".45" }),
    rect(8, 8, 804, 1064, { rx: 38, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 10 }),
    rect(66, 66, 688, 948, { rx: 44, fill: "#1f3d33" }),
    rect(66, 66, 688, 948, { rx: 44, fill: "url(#deep)", stroke: "#2c180b", stroke_width: 12 }),
    rect(54, 54, 712, 972, { rx: 54, fill: "none", stroke: "#d9b26a", stroke_width: 6 }),
    g({ transform: "translate(410 540) scale(1.9)", opacity: ".28" }, emblem("#e8d9b4", "#1f3d33")),
  );

/**
 * A place for played or discarded cards, 820 by 1080: a dashed outline and, very faint, an open
 * card.
 */
const discards = () =>
  file(
    820,
    1080,
    rect(12, 12, 796, 1056, { rx: 70, fill: "#000", fill_opacity: ".12" }),
    rect(12, 12, 796, 1056, { rx: 70, fill: "none", stroke: "#fff", stroke_opacity: ".45", stroke_width: 11, stroke_dasharray: "50 32", stroke_linecap: "round" }),
    g({ transform: "translate(410 540)", fill: "none", stroke: "#fff", stroke_opacity: ".2", stroke_width: 11, stroke_linejoin: "round" },
      rect(-132, -186, 264, 372, { rx: 24, transform: "rotate(-9)" }),
      rect(-132, -186, 264, 372, { rx: 24, transform: "rotate(7)", fill: "#20332b", fill_opacity: ".5" }),
      path("M0 -70C12 -42 70 -8 70 32C70 60 50 72 32 72C20 72 12 68 8 60C9 74 16 84 26 92H-26C-16 84 -9 74 -8 60C-12 68 -20 72 -32 72C-50 72 -70 60 -70 32C-70 -8 -12 -42 0 -70Z", { transform: "rotate(7)" })),
  );

export function* tokens() {
  yield ["cards/chips.svg", chips()];
  for (const [colour, look] of Object.entries(colours)) {
    yield [`cards/chips-${colour}.svg`, chip(look)];
  }
  yield ["cards/deck.svg", deck()];
  yield ["cards/discards.svg", discards()];
  yield ["cards/dealer.svg", button()];
  yield ["cards/hand.svg", hand(1900, 900, fan, ".12")];
  yield ["cards/hand-upright.svg", hand(900, 1900, fan, ".12")];
  yield ["tokens/screen.svg", hand(3200, 1000, folds, ".36")];
  yield ["tokens/screen-upright.svg", hand(1000, 3200, folds, ".36")];
}
