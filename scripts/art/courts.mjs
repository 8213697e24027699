// Kings, queens and jacks, who are otters, and the jokers. A figure is the upper half of the
// picture of a card, around the middle of the card: x from -179 to 179, y from -371 down to a
// slanting line through 0, 0. The card shows it twice, the second time upside down.

import { word } from "./glyphs.mjs";
import { edge, otter } from "./otter.mjs";
import { circle, d, dots, el, ellipse, file, g, move, path, rect, use } from "./svg.mjs";

const gold = "#e9b949";
const upper = "M-179-371H179V-46L-179 46Z";

/** The cloth of the robe: each suit has its own pattern. */
function cloth(suit) {
  const drawn = {
    stripe: path("M12 0V44", { stroke: suit.lining, stroke_width: 7 }),
    chevron: path("M0 8L22 28L44 8M0 30L22 50L44 30M0-14L22 6L44-14", { fill: "none", stroke: suit.lining, stroke_width: 5 }),
    lozenge: path("M22 4L34 22L22 40L10 22Z", { fill: suit.lining }) + path("M0 0L44 44M44 0L0 44", { stroke: "#000", stroke_opacity: ".25", stroke_width: 3 }),
    dot: circle(11, 11, 6, { fill: suit.lining }) + circle(33, 33, 6, { fill: suit.lining }),
  }[suit.pattern];
  return el("pattern", { id: "c", width: 44, height: 44, patternUnits: "userSpaceOnUse" }, rect(0, 0, 44, 44, { fill: suit.robe }), drawn);
}

const steel = "#dfe5ea";
const staff = (x, top, colour) => [path(`M${x} 60V${top}`, { stroke: edge, stroke_width: 14 }), path(`M${x} 60V${top}`, { stroke: colour, stroke_width: 8 })];

/** What kings hold in their left hand and jacks in their right. */
const regalia = {
  sceptre: (suit) => [
    staff(134, -262, gold),
    circle(134, -280, 21, { fill: suit.accent }),
    path("M113-280H155M134-301V-322M124-312H144", { stroke: gold, stroke_width: 5 }),
  ],
  sword: (suit) => [
    path("M125-96V-312L134-334L143-312V-96Z", { fill: steel }),
    path("M134-306V-104", { stroke_width: 2 }),
    path("M104-104Q134-88 164-104L160-92Q134-76 108-92Z", { fill: gold }),
    path("M129-60H139V-30H129Z", { fill: suit.accent }),
    circle(134, -22, 11, { fill: gold }),
  ],
  axe: () => [
    staff(134, -300, "#a9743f"),
    path("M128-296C104-314 92-300 88-270C92-246 104-232 128-248ZM140-296L164-306V-238L140-248Z", { fill: steel }),
    path("M134-300V-328", { stroke: edge, stroke_width: 8 }),
  ],
  trident: () => [
    path("M134 60V-326M110-322V-290Q110-266 134-266T158-290V-322", { stroke: edge, stroke_width: 15, fill: "none" }),
    path("M134 60V-326M110-322V-290Q110-266 134-266T158-290V-322", { stroke: gold, stroke_width: 8, fill: "none" }),
  ],
  halberd: () => [
    staff(-134, -300, "#a9743f"),
    path("M-134-350L-120-306L-134-290L-148-306Z", { fill: steel }),
    path("M-134-286C-104-296-96-276-98-252C-110-264-122-264-134-258ZM-134-286L-158-272L-134-258Z", { fill: steel }),
  ],
  fish: (suit) => [
    path("M-134-96L-158-58L-134-66L-110-58Z", { fill: suit.accent }),
    path("M-134-258C-106-224-104-150-134-84C-164-150-162-224-134-258Z", { fill: "#9fc3cf" }),
    path("M-155-212Q-134-196-113-212M-150-164Q-142-156-134-164Q-126-156-118-164M-148-140Q-141-132-134-140Q-127-132-120-140", { fill: "none", stroke_width: 2.5 }),
    dots([[-142, -230], [-126, -230]], 4, { fill: edge, stroke: "none" }),
  ],
};

/** What a rank wears and holds. Everything else is the same for all three. */
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
      dots([[-74, -322], [74, -322]], 7, { fill: suit.accent }),
      path("M0-362V-336M-12-350H12", { stroke_width: 7, stroke: edge }),
      path("M0-292L9-278L0-264L-9-278Z", { fill: suit.robe }),
    ],
    held: regalia[suit.king](suit),
  }),
  Q: (suit) => ({
    face: otter({ fur: suit.fur, lashes: true }),
    behind: path("M-84-210C-100-290-50-300 0-300S100-290 84-210C92-160 108-140 124-104L-124-104C-108-140-92-160-84-210Z", { fill: suit.accent }),
    collar: [
      path("M-104-92C-84-64-60-84-52-66C-34-44-16-66 0-46C16-66 34-44 52-66C60-84 84-64 104-92L78-152Q0-104-78-152Z", { fill: "#fbf4e4" }),
      dots([[-56, -101], [-30, -93], [0, -83], [30, -93], [56, -101]], 8, { fill: "#fff", stroke_width: 2 }),
      circle(0, -64, 10, { fill: suit.accent }),
    ],
    hat: [
      path("M-62-244Q-66-276-52-304Q-36-284-26-280Q-16-306 0-324Q16-306 26-280Q36-284 52-304Q66-276 62-244Q0-266-62-244Z", { fill: gold }),
      dots([[-52, -308], [0, -330], [52, -308]], 9, { fill: "#fff" }),
      use("p", { transform: move(0, -280, "scale(.26)"), fill: suit.ink, stroke: "none" }),
      path("M-60-251Q0-273 60-251", { stroke: suit.accent, stroke_width: 6, fill: "none" }),
    ],
    held: [
      path("M134 30C128-60 142-150 132-236", { stroke: edge, stroke_width: 11, fill: "none" }),
      path("M134 30C128-60 142-150 132-236", { stroke: "#5d8a4a", stroke_width: 6, fill: "none" }),
      path("M135-150C160-152 166-176 164-190C146-186 136-172 135-150Z", { fill: "#5d8a4a" }),
      dots([[132, -283], [152, -268], [144, -245], [120, -245], [112, -268]], 13, { fill: suit.lining }),
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
      path("M36-262C22-312 34-352 84-362C92-326 82-286 58-254Z", { fill: suit.lining }),
      path("M48-262C46-300 54-330 78-354", { fill: "none", stroke_width: 2.5 }),
      path("M-82-238C-90-300-40-318 4-314C52-310 84-286 78-240Q0-264-82-238Z", { fill: suit.accent }),
      path("M-88-234Q0-264 86-236L82-218Q0-244-84-216Z", { fill: suit.robe }),
      circle(52, -252, 11, { fill: gold }),
    ],
    held: regalia[suit.jack](suit),
  }),
};

/** The upper half of a court card, and its definitions. */
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
export function joker(wide, high, paper, { ink, cap, horns, bust, moon, fur }) {
  const [x, y] = [wide / 2, high / 2];
  const star = "M0-48L13-16L48-15L20 7L30 41L0 21L-30 41L-20 7L-48-15L-13-16Z";
  const letters = [..."JOKER"].map((c, i) => path(word(c), { transform: move(0, i * 124) }));
  const bell = (bx, by) => circle(bx, by, 14, { fill: gold });
  const corner = [
    path(star, { transform: move(76, 86, "scale(.95)"), fill: ink }),
    g({ transform: move(76, 160, "scale(.62)"), fill: "none", stroke: ink, stroke_width: 18, stroke_linecap: "round", stroke_linejoin: "round" }, letters),
  ];
  return file(
    wide,
    high,
    el("defs", {}, g({ id: "i" }, corner), el("clipPath", { id: "m" }, path("M-180 0V-400H180V0A180 180 0 0 1-180 0Z"))),
    paper,
    g(
      { transform: move(x, y + 28, "scale(1.06)"), stroke: edge, stroke_width: 3, stroke_linejoin: "round", stroke_linecap: "round" },
      circle(0, 0, 180, { fill: moon, stroke: ink, stroke_width: 5 }),
      g(
        { clip_path: "url(#m)" },
        path("M-150 220C-150 120-110 70-70 50H70C110 70 150 120 150 220Z", { fill: bust[0] }),
        path("M0 60V220H150C150 120 110 70 70 50Z", { fill: bust[1] }),
        path("M-118 112L-88 58L-56 104L-26 62L0 112L26 62L56 104L88 58L118 112L82 40H-82Z", { fill: cap }),
      ),
      [-118, 0, 118].map((bx) => bell(bx, 120)),
      path("M-66-20C-92-130-166-124-172-34C-152-52-132-46-120-22C-110-2-88 0-66 4Z", { fill: horns[0] }),
      path("M66-20C92-130 166-124 172-34C152-52 132-46 120-22C110-2 88 0 66 4Z", { fill: horns[1] }),
      path("M-78-26C-72-124-44-176 0-222C44-176 72-124 78-26Q0-66-78-26Z", { fill: cap }),
      bell(-172, -26),
      bell(172, -26),
      bell(0, -228),
      otter({ fur }),
      path("M-80-20Q0-72 80-20L76 0Q0-50-76 0Z", { fill: bust[1] }),
    ),
    use("i"),
    use("i", { transform: `rotate(180 ${x} ${y})` }),
  );
}
