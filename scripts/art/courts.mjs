// Kings, queens and jacks, who are otters, and the jokers. A figure is the upper half of the picture of a
// card, around the middle of the card: x from -179 to 179, y from -371 down to a slanting line through 0, 0.
// The card shows it twice, the second time on its head.

import { word } from "./glyphs.mjs";
import { edge, otter } from "./otter.mjs";
import { circle, d, el, ellipse, file, g, move, path, rect, use } from "./svg.mjs";

const gold = "#e9b949";
const upper = "M-179-371H179V-46L-179 46Z";

/** The cloth of the robe: a pattern of the suit's own. */
function cloth(suit) {
  const drawn = {
    stripe: path("M12 0V44", { stroke: suit.lining, stroke_width: 7 }),
    chevron: path("M0 8L22 28L44 8M0 30L22 50L44 30M0-14L22 6L44-14", { fill: "none", stroke: suit.lining, stroke_width: 5 }),
    lozenge: path("M22 4L34 22L22 40L10 22Z", { fill: suit.lining }) + path("M0 0L44 44M44 0L0 44", { stroke: "#000", stroke_opacity: ".25", stroke_width: 3 }),
    dot: circle(11, 11, 6, { fill: suit.lining }) + circle(33, 33, 6, { fill: suit.lining }),
  }[suit.pattern];
  return el("pattern", { id: "c", width: 44, height: 44, patternUnits: "userSpaceOnUse" }, rect(0, 0, 44, 44, { fill: suit.robe }), drawn);
}

/** What a rank wears and holds; everything else the three have in common. */
const dress = {
  K: (suit) => ({
    face: otter({ fur: suit.fur, old: true }),
    behind: "",
    collar: [
      path("M-118-98Q0-18 118-98L96-160Q0-98-96-160Z", { fill: "#fbf4e4" }),
      path("M-84-112V-98M-46-88V-74M0-80V-66M46-88V-74M84-112V-98", { stroke_width: 6, fill: "none" }),
      path("M-34-150C-34-112-16-84 0-66C16-84 34-112 34-150Q0-132-34-150Z", { fill: "#f3ecdd" }),
      path("M-14-136Q-10-108 0-86M14-136Q10-108 0-86", { fill: "none", stroke_width: 2 }),
    ],
    hat: [
      path("M-60-246L-74-318L-38-290L0-336L38-290L74-318L60-246Q0-268-60-246Z", { fill: gold }),
      path("M-60-246Q0-268 60-246L57-228Q0-250-57-228Z", { fill: suit.accent }),
      [[-74, -322], [74, -322]].map(([x, y]) => circle(x, y, 7, { fill: suit.accent })),
      path("M0-362V-336M-12-350H12", { stroke_width: 7, stroke: edge }),
      path("M0-292L9-278L0-264L-9-278Z", { fill: suit.robe }),
    ],
    held: [
      path("M134 30V-262", { stroke: edge, stroke_width: 15 }),
      path("M134 30V-262", { stroke: gold, stroke_width: 9 }),
      circle(134, -280, 21, { fill: suit.accent }),
      path("M113-280H155M134-301V-322M124-312H144", { stroke: gold, stroke_width: 5 }),
    ],
  }),
  Q: (suit) => ({
    face: otter({ fur: suit.fur, lashes: true }),
    behind: path("M-84-210C-100-290-50-300 0-300S100-290 84-210C92-160 108-140 124-104L-124-104C-108-140-92-160-84-210Z", { fill: suit.accent }),
    collar: [
      path("M-104-92C-84-64-60-84-52-66C-34-44-16-66 0-46C16-66 34-44 52-66C60-84 84-64 104-92L78-152Q0-104-78-152Z", { fill: "#fbf4e4" }),
      [-56, -30, 0, 30, 56].map((x) => circle(x, -101 + (56 - Math.abs(x)) * 0.32, 8, { fill: "#fff", stroke_width: 2 })),
      circle(0, -64, 10, { fill: suit.accent }),
    ],
    hat: [
      path("M-62-244Q-66-276-52-304Q-36-284-26-280Q-16-306 0-324Q16-306 26-280Q36-284 52-304Q66-276 62-244Q0-266-62-244Z", { fill: gold }),
      [[-52, -308], [0, -330], [52, -308]].map(([x, y]) => circle(x, y, 9, { fill: "#fff" })),
      use("p", { transform: move(0, -280, "scale(.26)"), fill: suit.ink, stroke: "none" }),
      path("M-60-251Q0-273 60-251", { stroke: suit.accent, stroke_width: 6, fill: "none" }),
    ],
    held: [
      path("M134 30C128-60 142-150 132-236", { stroke: edge, stroke_width: 11, fill: "none" }),
      path("M134 30C128-60 142-150 132-236", { stroke: "#5d8a4a", stroke_width: 6, fill: "none" }),
      path("M135-150C160-152 166-176 164-190C146-186 136-172 135-150Z", { fill: "#5d8a4a" }),
      [0, 72, 144, 216, 288].map((turn) => ellipse(0, -19, 13, 17, { fill: suit.lining, transform: `translate(132 -262) rotate(${turn})` })),
      circle(132, -262, 10, { fill: suit.accent }),
    ],
  }),
  J: (suit) => ({
    face: otter({ fur: suit.fur }),
    behind: "",
    collar: [
      path("M-100-104L-72-66L-46-84L-24-46L0-70L24-46L46-84L72-66L100-104L70-154Q0-108-70-154Z", { fill: suit.lining }),
      circle(0, -98, 9, { fill: suit.accent }),
    ],
    hat: [
      path("M44-270C76-340 126-360 158-344C150-300 112-268 56-258Z", { fill: suit.lining }),
      path("M52-262C84-296 110-318 146-338", { fill: "none", stroke_width: 2.5 }),
      path("M-82-238C-90-300-40-318 4-314C52-310 84-286 78-240Q0-264-82-238Z", { fill: suit.accent }),
      path("M-88-234Q0-264 86-236L82-218Q0-244-84-216Z", { fill: suit.robe }),
      circle(52, -252, 11, { fill: gold }),
    ],
    held: [
      path("M-134 60V-300", { stroke: edge, stroke_width: 13 }),
      path("M-134 60V-300", { stroke: "#a9743f", stroke_width: 7 }),
      path("M-134-350L-120-306L-134-290L-148-306Z", { fill: "#dfe5ea" }),
      path("M-134-286C-104-296-96-276-98-252C-110-264-122-264-134-258ZM-134-286L-158-272L-134-258Z", { fill: "#dfe5ea" }),
    ],
  }),
};

/** The upper half of a court card, and what must be defined for it. */
export function figure(suit, rank) {
  const { face, behind, collar, hat, held } = dress[rank](suit);
  const hand = rank === "J" ? -1 : 1;
  return {
    defs: [cloth(suit), el("clipPath", { id: "u" }, path(upper))],
    half: g(
      { clip_path: "url(#u)" },
      path(upper, { fill: "#fbf3e0" }),
      g(
        { stroke: edge, stroke_width: 3.5 },
        behind,
        path("M-168 70C-172-60-150-120-84-152L84-152C150-120 172-60 168 70Z", { fill: "url(#c)" }),
        path("M-46 60L-34-120H34L46 60Z", { fill: suit.accent }),
        [-52, 4].map((y) => use("p", { transform: move(0, y + 6, "scale(.4)"), fill: suit.lining, stroke: "none" })),
        collar.slice(0, rank === "K" ? 2 : collar.length),
        g({ transform: move(0, -196, "scale(1.04)") }, face),
        rank === "K" ? collar.slice(2) : "",
        hat,
        held,
        ellipse(hand * 132, -72, 25, 20, { fill: suit.fur }),
        path(d`M${hand * 132 - 10}-88V-74M${hand * 132}-90V-74M${hand * 132 + 10}-88V-74`, { stroke_width: 2.5, fill: "none" }),
        path("M-179 46L179-46", { stroke: suit.ink, stroke_width: 5 }),
      ),
      use("p", { transform: move(rank === "J" ? 130 : -130, -312, "scale(.78)"), fill: suit.ink }),
    ),
  };
}

/** A joker: an otter in cap and bells, with a star and the word in both corners. */
export function joker(wide, high, paper, suit) {
  const [x, y] = [wide / 2, high / 2];
  const star = "M0-48L13-16L48-15L20 7L30 41L0 21L-30 41L-20 7L-48-15L-13-16Z";
  const red = suit.ink !== "#1b2130";
  const [a, b] = red ? ["#c4262e", gold] : ["#1b2130", "#d9d4c7"];
  const letters = [..."JOKER"].map((c, i) => path(word(c), { transform: move(0, i * 118 - 10) }));
  const bell = (bx, by) => circle(bx, by, 15, { fill: gold });
  const corner = [
    path(star, { transform: move(72, 84, "scale(.9)"), fill: suit.ink }),
    g({ transform: move(72, 158, "scale(.66)"), fill: "none", stroke: suit.ink, stroke_width: 17, stroke_linecap: "round", stroke_linejoin: "round" }, letters),
  ];
  return file(
    wide,
    high,
    el("defs", {}, g({ id: "i" }, corner)),
    paper,
    g(
      { transform: move(x, y + 10, "scale(1.3)"), stroke: edge, stroke_width: 3, stroke_linejoin: "round", stroke_linecap: "round" },
      path("M-134 150L-106 40L-62 78L-34 30L0 76L34 30L62 78L106 40L134 150Q0 210-134 150Z", { fill: a }),
      path("M-62 78L-34 30L0 76L34 30L62 78L40 176Q0 182-40 176Z", { fill: b }),
      [[-134, 152], [-40, 178], [40, 178], [134, 152]].map(([bx, by]) => bell(bx, by)),
      path("M-70-30C-92-120-150-130-168-60C-150-70-130-66-118-40C-110-16-90-6-70-6Z", { fill: a }),
      path("M70-30C92-120 150-130 168-60C150-70 130-66 118-40C110-16 90-6 70-6Z", { fill: b }),
      path("M-76-26C-70-110-40-150 0-186C40-150 70-110 76-26Q0-60-76-26Z", { fill: red ? "#27365f" : "#8c877b" }),
      bell(-168, -52),
      bell(168, -52),
      bell(0, -190),
      otter({ fur: red ? "#8a5a3c" : "#77726a" }),
      path("M-80-22Q0-70 80-22L76-4Q0-50-76-4Z", { fill: b }),
    ),
    use("i"),
    use("i", { transform: `rotate(180 ${x} ${y})` }),
  );
}
