// What a tarock pack has besides cards of the French pack: 21 tarocks, the fool and four knights.

import { word } from "./glyphs.mjs";
import { edge, otter } from "./otter.mjs";
import { circle, d, dots, el, ellipse, file, g, move, path, rect, use } from "./svg.mjs";
import { suits } from "./suits.mjs";

const [wide, high] = [635, 889];
const turnedRound = { transform: `rotate(180 ${wide / 2} ${high / 2})` };
const paper = rect(1.5, 1.5, wide - 3, high - 3, { rx: 35, fill: "#fffdf7", stroke: "#b9b2a3", stroke_width: 3 });
const [gold, cream, red, green, blue, brown, steel] = ["#e9b949", "#fff3d4", "#c4262e", "#3d7f55", "#3b6ea5", "#8a5a33", "#dfe5ea"];
const open = { fill: "none" };

/** Pictures of about 240 by 240 around 0, 0, by the number of the tarock. */
const scenes = {
  1: () => [path("M-92 110C-96 60-60 40 0 40S96 60 92 110Z", { fill: red }), path("M0 40V110", { stroke: gold, stroke_width: 10 }), g({ transform: "translate(0 -16) scale(1.1)" }, otter({ fur: "#8a5a3c" })), path("M-64-54Q0-104 64-54L52-92L20-74L0-116L-20-74L-52-92Z", { fill: gold })],
  2: () => [path("M-112 0C-60-70 40-70 76 0C40 70-60 70-112 0Z", { fill: blue }), path("M66 0L114-50V50Z", { fill: gold }), path("M-52-36Q-26 0-52 36M-6-30Q14 0-6 30M30-22Q44 0 30 22", open), circle(-78, -8, 8, { fill: cream })],
  3: () => [path("M0-112C76-62 76 50 0 100C-76 50-76-62 0-112Z", { fill: green }), path("M0-76V118M0-30L36-56M0-30L-36-56M0 14L44-14M0 14L-44-14M0 54L36 30M0 54L-36 30", open)],
  4: () => [path("M-20 90L-104-20A108 108 0 0 1 104-20L20 90Z", { fill: "#efb59a" }), path("M0 84V-92M-10 84L-60-76M10 84L60-76M-16 86L-92-42M16 86L92-42", open), path("M-34 90H34L26 112H-26Z", { fill: gold })],
  5: () => [path("M-30 108C-20 50-22 20-30 0H30C22 20 20 50 30 108Z", { fill: cream }), path("M-110 8C-104-66-54-108 0-108S104-66 110 8C60 26-60 26-110 8Z", { fill: red }), dots([[-54, -40], [6, -64], [56, -30], [-6, -14]], 15, { fill: cream })],
  6: () => [path("M-112 44H112L80 98H-80Z", { fill: brown }), path("M0 44V-108", { stroke_width: 9 }), path("M10-104C60-80 84-30 84 26H10ZM-10-90V26H-76C-64-30-40-66-10-90Z", { fill: cream }), path("M-112 108q28-18 56 0t56 0t56 0t56 0", open)],
  7: () => [path("M-60 110V-36H60V110Z", { fill: "#d9c9a8" }), path("M-78-30L0-112L78-30Z", { fill: red }), path("M-20 110V62A20 20 0 0 1 20 62V110Z", { fill: brown }), circle(0, 0, 18, { fill: blue })],
  8: () => [path("M-14 112V70H14V112Z", { fill: brown }), path("M-96 78L-40 14H-72L-28-42H-52L0-112L52-42H28L72 14H40L96 78Z", { fill: green })],
  9: () => [circle(0, -60, 48, { fill: gold }), circle(0, -60, 20, { fill: cream }), path("M-11-12H11V112H-11Z", { fill: gold }), path("M11 56H52V78H34V94H11Z", { fill: gold })],
  10: () => [path("M-96 66C-60 40-70-20-56-60C-44-92 44-92 56-60C70-20 60 40 96 66Z", { fill: gold }), path("M-102 62H102V84H-102Z", { fill: brown }), circle(0, 98, 16, { fill: steel }), circle(0, -96, 14, { fill: steel })],
  11: () => [path("M-50-62H50L70 70H-70Z", { fill: cream }), path("M-62-62Q0-124 62-62ZM-80 70H80V98H-80Z", { fill: blue }), path("M0-30C36 8 24 54 0 56C-24 54-36 8 0-30Z", { fill: red }), circle(0, -104, 12, { fill: gold })],
  12: () => [circle(0, -88, 24, { ...open, stroke_width: 14 }), path("M0-64V96M-52-34H52M-96 30C-92 84-44 106 0 106S92 84 96 30", { ...open, stroke_width: 18 }), path("M-112 44L-96 10L-72 42ZM112 44L96 10L72 42Z", { fill: edge })],
  13: () => [path("M-66-100H66C66-40 12-22 12 0S66 40 66 100H-66C-66 40-12 22-12 0S-66-40-66-100Z", { fill: "#dcecf2" }), path("M-44-52H44C36-30 12-16 0-4C-12-16-36-30-44-52ZM-58 92C-50 60-20 48 0 40C20 48 50 60 58 92Z", { fill: gold }), path("M-82-112H82V-94H-82ZM-82 94H82V112H-82Z", { fill: brown })],
  14: () => [circle(0, 0, 106, { fill: brown }), circle(0, 0, 80, { fill: cream }), path("M0-80V80M-80 0H80M-57-57L57 57M57-57L-57 57", { stroke: brown, stroke_width: 14 }), circle(0, 0, 26, { fill: gold })],
  15: () => [path("M-116 96L-40-60L4 22L44-40L116 96Z", { fill: "#7d8f9c" }), path("M-40-60L-66-6L-44-16L-30 0L-10-6ZM44-40L22-6L40-12L54 0L66-2Z", { fill: "#fff" }), circle(72, -82, 24, { fill: gold })],
  16: () => [path("M-76-100H76C76-26 44 10 16 20V64C40 70 54 84 56 108H-56C-54 84-40 70-16 64V20C-44 10-76-26-76-100Z", { fill: gold }), path("M-76-80C-122-80-116-14-56-18M76-80C122-80 116-14 56-18", { ...open, stroke_width: 12 }), path("M0-78L11-50L42-50L17-30L26 0L0-18L-26 0L-17-30L-42-50L-11-50Z", { fill: cream })],
  17: () => [path("M-96 70L-112-56L-54 4L0-96L54 4L112-56L96 70Z", { fill: gold }), path("M-98 70H98V102H-98Z", { fill: red }), dots([[-112, -66], [0, -106], [112, -66]], 13, { fill: red }), dots([[-56, 86], [0, 86], [56, 86]], 9, { fill: cream })],
  18: () => [path("M24-116L-70 18H-10L-36 116L74-32H10L52-116Z", { fill: gold }), path("M-104-64C-112-100-60-112-50-88C-30-112 12-96 0-66H-84C-96-66-102-60-104-64Z", { fill: steel })],
  19: () => [path("M0-116L27-37L110-36L43 14L68 94L0 46L-68 94L-43 14L-110-36L-27-37Z", { fill: gold }), circle(0, 0, 22, { fill: cream })],
  20: () => [path(Array.from({ length: 12 }, (_, i) => { const a = (i * Math.PI) / 6; const p = (r, b) => d`${r * Math.sin(a + b)} ${-r * Math.cos(a + b)}`; return `M${p(62, -0.22)}L${p(118, 0)}L${p(62, 0.22)}Z`; }).join(""), { fill: red }), circle(0, 0, 66, { fill: gold }), dots([[-22, -12], [22, -12]], 8, { fill: edge, stroke: "none" }), path("M-28 18Q0 42 28 18", open)],
  21: () => [circle(0, 0, 108, { fill: "#27365f" }), path("M-8-92A92 92 0 1 0 86 30A74 74 0 1 1-8-92Z", { fill: gold }), dots([[40, -50], [68, -10], [20, -6]], 9, { fill: cream })],
};

/** A number large in two corners. */
const index = (text, ink, narrow) =>
  path(word(text, 30), { transform: move(78, 44, narrow), fill: "none", stroke: ink, stroke_width: 17, stroke_linecap: "round", stroke_linejoin: "round" });

const grounds = ["#dcebd9", "#dbe6f1", "#f6e3c5"];
const lines = ["#235740", "#24406e", "#8c2c14"];

/** A tarock: its picture twice, on a ground that says whether it is low, middle or high. */
function tarock(n) {
  const band = Math.floor((n - 1) / 7);
  const [ground, line] = [grounds[band], lines[band]];
  return file(
    wide,
    high,
    el("defs", {}, g({ id: "i" }, index(String(n), "#1b2130", n > 9 ? "scale(.84 1.5)" : "scale(1.5)")), g({ id: "s", stroke: edge, stroke_width: 6, stroke_linejoin: "round", stroke_linecap: "round" }, scenes[n]())),
    paper,
    rect(150, 56, 335, 777, { rx: 26, fill: ground, stroke: line, stroke_width: 6 }),
    rect(164, 70, 307, 749, { rx: 16, fill: "none", stroke: line, stroke_width: 2.5 }),
    path("M164 488L471 401", { stroke: line, stroke_width: 5 }),
    dots([[202, 106], [433, 106], [202, 783], [433, 783]], 9, { fill: line }),
    use("s", { transform: "translate(317.5 252)" }),
    use("s", { transform: "translate(317.5 637) rotate(180)" }),
    use("i"),
    use("i", turnedRound),
  );
}

/** The fool, with cap and bells, and a star in the corners. */
function fool() {
  const star = "M0-52L15-18L52-16L22 8L33 45L0 23L-33 45L-22 8L-52-16L-15-18Z";
  const [cap, other] = [red, "#27365f"];
  return file(
    wide,
    high,
    el("defs", {}, g({ id: "i" }, path(star, { transform: "translate(78 104)", fill: red }))),
    paper,
    rect(150, 56, 335, 777, { rx: 26, fill: "#fbedcb", stroke: red, stroke_width: 6 }),
    rect(164, 70, 307, 749, { rx: 16, fill: "none", stroke: red, stroke_width: 2.5 }),
    g({ stroke: edge, stroke_width: 5, stroke_linejoin: "round", stroke_linecap: "round" },
      g({ transform: "translate(317.5 380) scale(1.35)" },
        path("M-100 296C-110 160-90 96-50 62H50C90 96 110 160 100 296Z", { fill: cap }),
        path("M0 62H50C90 96 110 160 100 296H0Z", { fill: other }),
        path("M-84 100L-62 56L-36 96L-14 58L0 100L14 58L36 96L62 56L84 100L60 40H-60Z", { fill: gold }),
        dots([[0, 140], [0, 184], [0, 228]], 9, { fill: gold }),
        path("M-66-20C-92-130-108-124-112-34C-104-52-100-46-96-22C-92-2-88 0-66 4Z", { fill: other }),
        path("M66-20C92-130 108-124 112-34C104-52 100-46 96-22C92-2 88 0 66 4Z", { fill: cap }),
        path("M-78-26C-72-124-44-156 0-192C44-156 72-124 78-26Q0-66-78-26Z", { fill: cap }),
        path("M0-192C44-156 72-124 78-26Q40-46 0-46Z", { fill: other }),
        dots([[-112, -26], [112, -26], [0, -196]], 12, { fill: gold }),
        otter({ fur: "#8a5a3c" }),
        path("M-80-20Q0-72 80-20L76 0Q0-50-76 0Z", { fill: gold }))),
    use("i"),
    use("i", turnedRound),
  );
}

const upper = "M-179-371H179V-46L-179 46Z";

/** A knight: a rider with a helmet, and the head of the horse. As other courts, it is drawn twice. */
function knight(suit) {
  const half = g(
    { clip_path: "url(#u)", stroke: edge, stroke_width: 3.5, stroke_linejoin: "round", stroke_linecap: "round" },
    path(upper, { fill: "#fbf3e0", stroke: "none" }),
    path("M-148 70C-150-60-130-120-74-152L94-152C150-120 172-60 168 70Z", { fill: suit.robe }),
    path("M-36 60L-24-120H44L56 60Z", { fill: suit.lining }),
    path("M-80-104L-52-66L-26-84L-4-46L20-70L44-46L66-84L92-66L110-104L80-154Q10-108-60-154Z", { fill: suit.accent }),
    g({ transform: "translate(12 -196) scale(1.04)" }, otter({ fur: suit.fur })),
    path("M-66-226C-66-330 90-330 90-226Q12-262-66-226Z", { fill: steel }),
    path("M-70-230Q12-266 94-230L90-212Q12-246-66-212Z", { fill: gold }),
    path("M12-302C4-352 66-376 140-340C122-330 104-322 96-300C76-318 40-322 12-302Z", { fill: suit.accent }),
    path("M-179 90V-40C-172-92-146-126-112-134L-98-164L-84-132C-50-122-26-76-24-52L-46-38C-64-46-78-46-92-40C-98-10-80 20-60 50Z", { fill: "#e9e2d4" }),
    path("M-179 70V-40C-172-92-146-126-112-134C-146-96-160-40-150 60Z", { fill: suit.robe }),
    circle(-88, -98, 6, { fill: edge, stroke: "none" }),
    path("M-92-40L-56-82M-84-92L-76-128M-140-18Q-110-24-92-40", { ...open, stroke: suit.accent, stroke_width: 8 }),
    path("M134 60V-280", { stroke_width: 14 }),
    path("M134 60V-280", { stroke: brown, stroke_width: 8 }),
    path("M134-344L148-296L134-272L120-296Z", { fill: steel }),
    ellipse(132, -72, 25, 20, { fill: suit.fur }),
    path("M-179 46L179-46", { stroke: suit.ink, stroke_width: 5 }),
    use("p", { transform: "translate(-130 -312) scale(.78)", fill: suit.ink, stroke: "none" }),
  );
  const corner = [
    path(word("N"), { transform: move(78, 46, "scale(1.3)"), fill: "none", stroke: suit.ink, stroke_width: 18, stroke_linecap: "round", stroke_linejoin: "round" }),
    use("p", { transform: move(78, 262, "scale(.94)"), fill: suit.ink }),
  ];
  return file(
    wide,
    high,
    el("defs", {}, path(suit.pip, { id: "p" }), g({ id: "i" }, corner), el("clipPath", { id: "u" }, path(upper)), g({ id: "f" }, half)),
    paper,
    g({ transform: move(wide / 2, high / 2) }, use("f"), use("f", { transform: "rotate(180)" }), rect(-179, -371, 358, 742, { rx: 18, fill: "none", stroke: suit.ink, stroke_width: 4 })),
    use("i"),
    use("i", turnedRound),
  );
}

export function* tarockArt() {
  for (let n = 1; n <= 21; n++) yield [`tarock/${n}.svg`, tarock(n)];
  yield ["tarock/fool.svg", fool()];
  for (const [name, suit] of Object.entries(suits)) yield [`tarock/${name}-knight.svg`, knight(suit)];
}
