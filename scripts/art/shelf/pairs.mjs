// Pairs: 32 pictures of things that nobody mistakes for each other, each of them twice.

import { emblem } from "../otter.mjs";
import { players, press, tray, written } from "../parlour.mjs";
import { circle, el, file, g, path, rect, use } from "../svg.mjs";
import { when } from "../steps.mjs";

const [red, orange, yellow, green, teal, blue, violet, brown, cream, grey, dark] = [
  "#c8382f", "#e07b2c", "#f2c14b", "#3f8f4f", "#2f8f8f", "#3467ad", "#7a4c96", "#8a5a34", "#fff3d6", "#9aa3ab", "#2b2320",
];
const tints = ["#dcebdc", "#f8e3c8", "#d6e6f2", "#f5dcd6", "#e6def0", "#f6efc9"];

/** The pictures: parts of a drawing of 100 by 100, each a path and what fills it. */
const pictures = {
  Fish: [["M14 50C28 24 58 24 74 46L90 32V68L74 54C58 76 28 76 14 50Z", orange], ["M44 33Q54 50 44 67", 0], ["M28 44v4", 0]],
  Moon: [["M62 14A38 38 0 1 0 84 66A32 32 0 1 1 62 14Z", yellow], ["M72 26l3 7 7 3-7 3-3 7-3-7-7-3 7-3Z", cream]],
  Sun: [["M50 6L57 22H43ZM50 94L57 78H43ZM6 50L22 43V57ZM94 50L78 43V57ZM19 19L35 25L25 35ZM81 19L75 35L65 25ZM19 81L25 65L35 75ZM81 81L65 75L75 65Z", orange], ["M50 26A24 24 0 1 1 49.9 26Z", yellow], ["M42 46v3M58 46v3M40 57q10 9 20 0", 0]],
  Star: [["M50 10L62 37L91 40L69 60L75 89L50 74L25 89L31 60L9 40L38 37Z", yellow], ["M42 48v4M58 48v4M43 60q7 6 14 0", 0]],
  Leaf: [["M18 84C10 40 36 14 86 14C88 62 64 88 26 76Z", green], ["M14 90L70 32M40 62V44M40 62H60M54 48V34M54 48H68", 0]],
  Flower: [["M50 56V92M50 80C60 66 74 66 80 70C74 82 62 86 50 84", green], ["M50 12C62 2 74 14 66 26C82 24 88 40 74 46C82 58 70 70 58 62C56 76 42 76 42 62C30 70 18 58 26 46C12 40 18 24 34 26C26 14 38 2 50 12Z", violet], ["M50 27A12 12 0 1 1 49.9 27Z", yellow]],
  Mushroom: [["M38 52H62C58 64 66 84 70 90H30C34 84 42 64 38 52Z", cream], ["M10 54C10 24 32 12 50 12S90 24 90 54C76 60 24 60 10 54Z", red], ["M34 28a7 7 0 1 1-.1 0ZM62 22a6 6 0 1 1-.1 0ZM70 40a6 6 0 1 1-.1 0ZM50 40a5 5 0 1 1-.1 0ZM24 44a4 4 0 1 1-.1 0Z", cream]],
  Apple: [["M50 32C36 20 14 30 16 56C18 80 36 94 50 86C64 94 82 80 84 56C86 30 64 20 50 32Z", red], ["M50 32C49 22 52 14 58 8", 0], ["M56 20C62 8 76 8 82 12C78 24 66 28 56 20Z", green]],
  Pear: [["M50 20C62 20 62 36 66 46C72 56 82 62 78 78C74 92 58 92 50 92S26 92 22 78C18 62 28 56 34 46C38 36 38 20 50 20Z", yellow], ["M50 20C50 14 52 10 56 6", 0], ["M52 18C60 8 72 10 78 16C70 24 60 24 52 18Z", green], ["M32 70q2 10 12 12", 0]],
  Cherries: [["M30 62C34 40 46 22 66 12C64 30 70 48 72 58", 0], ["M66 12C76 8 88 14 92 24C80 28 70 24 66 12Z", green], ["M28 54A18 18 0 1 1 27.9 54ZM70 52A18 18 0 1 1 69.9 52Z", red], ["M19 66q2-5 7-5M61 64q2-5 7-5", 0]],
  Fir: [["M43 78H57V92H43Z", brown], ["M50 8L70 34H62L78 56H68L86 80H14L32 56H22L38 34H30Z", green], ["M46 26q4 4 8 0M38 48q12 7 24 0M30 71q20 9 40 0", 0]],
  House: [["M20 46H80V88H20Z", cream], ["M50 12L92 50H8Z", red], ["M42 88V64H58V88Z", brown], ["M27 56H37V68H27ZM63 56H73V68H63Z", blue]],
  Boat: [["M46 12V66H18Z", cream], ["M54 22V66H82Z", orange], ["M8 70H92C88 84 78 90 68 90H32C22 90 12 84 8 70Z", brown], ["M50 8V70", 0]],
  Anchor: [["M44 34H32V26H44V22A12 12 0 1 1 56 22V26H68V34H56V80C68 78 76 70 78 60L70 64L84 46L94 64L86 62C82 82 66 92 50 94C34 92 18 82 14 62L6 64L16 46L30 64L22 60C24 70 32 78 44 80ZM50 9A5 5 0 1 0 50.1 9Z", blue]],
  Key: [["M34 12A22 22 0 0 1 52 46L86 80L78 90L70 84L64 90L56 82L62 74L42 56A22 22 0 1 1 34 12ZM30 24A9 9 0 1 0 30.1 24Z", yellow]],
  Bell: [["M50 78A10 10 0 0 1 40 78H60A10 10 0 0 1 50 88Z", brown], ["M50 10C56 10 58 14 57 18C74 24 76 42 78 56C80 68 84 70 90 78H10C16 70 20 68 22 56C24 42 26 24 43 18C42 14 44 10 50 10Z", yellow], ["M21 64H79", 0]],
  Umbrella: [["M50 50V80C50 94 32 94 32 82", 0], ["M8 54C8 26 28 12 50 12S92 26 92 54C84 46 74 46 66 54C60 46 40 46 34 54C26 46 16 46 8 54Z", teal], ["M50 12V6M50 12C40 22 34 36 34 54M50 12C60 22 66 36 66 54", 0]],
  Cup: [["M72 46C94 42 94 74 68 72", 0], ["M18 36H74V60C74 78 64 86 46 86S18 78 18 60Z", blue], ["M18 36C18 28 74 28 74 36S18 44 18 36Z", brown], ["M36 24C30 16 42 14 36 6M54 24C48 16 60 14 54 6", 0]],
  Lantern: [["M50 16V6M40 10A10 10 0 0 1 60 10", 0], ["M34 26L42 14H58L66 26Z", grey], ["M32 26H68L72 78H28Z", yellow], ["M24 78H76V88H24Z", grey], ["M50 42C58 54 60 60 56 66C53 70 47 70 44 66C40 60 46 54 50 42Z", orange]],
  Balloon: [["M50 68C48 78 56 84 50 96", 0], ["M50 6C72 6 80 24 78 38C76 54 62 66 55 68L58 74H42L45 68C38 66 24 54 22 38C20 24 28 6 50 6Z", red], ["M34 34C34 24 38 18 46 16", 0]],
  Kite: [["M60 70C50 78 62 84 52 90C44 95 36 86 26 92", 0], ["M60 8L86 36L60 70L30 36Z", violet], ["M60 8L60 70L30 36Z", teal], ["M60 8V70M30 36H86", 0], ["M48 76l12 4-10 6ZM34 82l4 12 6-10Z", orange]],
  Hat: [["M28 66C28 40 32 20 36 16C42 10 58 10 64 16C68 20 72 40 72 66Z", brown], ["M27 54C40 62 60 62 73 54L74 68H26Z", red], ["M6 68C20 60 24 66 50 68S80 60 94 68C90 84 10 84 6 68Z", brown]],
  Boot: [["M34 10H66V50C72 58 90 60 90 78V84H34Z", brown], ["M30 82H92V92H58V88H52V92H30Z", dark], ["M32 8H68V20H32Z", cream], ["M50 34H66M50 44H66", 0]],
  Heart: [["M50 88C38 72 8 54 10 30C12 10 40 6 50 28C60 6 88 10 90 30C92 54 62 72 50 88Z", red], ["M22 34C22 26 26 22 33 21", 0]],
  Cloud: [["M24 60C8 60 6 38 24 38C24 16 56 12 60 32C78 24 94 38 84 50C94 54 92 64 80 64H24Z", cream], ["M30 72l-6 12M46 72l-6 18M62 72l-6 12M78 72l-6 18", blue]],
  Snail: [["M8 80C10 58 14 40 14 26M26 28C24 40 28 50 34 58", 0], ["M8 84C6 62 10 46 20 44C30 46 28 66 40 70L88 78C94 80 92 86 86 86H12Z", yellow], ["M60 28A26 26 0 1 1 59.9 28Z", orange], ["M60 54C60 46 70 48 70 56C70 66 54 68 50 56C46 42 62 36 72 44", 0]],
  Butterfly: [["M48 48C36 20 10 12 10 32C10 48 26 52 46 54C30 56 18 66 24 80C32 92 46 76 50 58C54 76 68 92 76 80C82 66 70 56 54 54C74 52 90 48 90 32C90 12 64 20 52 48Z", teal], ["M24 30a6 6 0 1 1-.1 0ZM76 30a6 6 0 1 1-.1 0ZM34 70a4 4 0 1 1-.1 0ZM66 70a4 4 0 1 1-.1 0Z", yellow], ["M50 40V72M50 40C48 30 44 24 38 22M50 40C52 30 56 24 62 22", 0]],
  Duck: [["M10 58C16 50 26 54 34 54C40 50 44 46 42 40C38 24 50 12 62 14C76 16 82 30 74 42C70 48 88 50 88 66C88 82 72 88 52 88C30 88 14 82 10 58Z", yellow], ["M74 26L94 30C92 38 82 40 76 38Z", orange], ["M64 26v3M42 66C52 60 62 64 66 74", 0]],
  Cat: [["M20 14L40 28H60L80 14C84 34 88 46 84 60C80 78 66 88 50 88S20 78 16 60C12 46 16 34 20 14Z", grey], ["M44 58H56L50 65Z", red], ["M50 65V70M50 70q-7 8-14 2M50 70q7 8 14 2M34 44v6M66 44v6M8 58L28 61M8 70L28 67M92 58L72 61M92 70L72 67", 0]],
  Acorn: [["M24 44H76C78 66 66 84 50 94C34 84 22 66 24 44Z", orange], ["M16 46C12 28 30 20 50 20S88 28 84 46C70 52 30 52 16 46Z", brown], ["M50 20C50 14 52 10 58 6M34 24L26 48M50 21V50M66 24L74 48M17 36H83", 0]],
  Crown: [["M12 26L30 48L50 14L70 48L88 26L80 78H20Z", yellow], ["M20 78H80V90H20Z", orange], ["M50 52l7 9-7 9-7-9ZM28 60a4 4 0 1 1-.1 0ZM72 60a4 4 0 1 1-.1 0ZM50 7a5 5 0 1 1-.1 0ZM12 19a5 5 0 1 1-.1 0ZM88 19a5 5 0 1 1-.1 0Z", red]],
  Otter: [],
};

const front = (parts, i) =>
  file(
    100,
    100,
    rect(1, 1, 98, 98, { rx: 5, fill: "#fffdf7", stroke: "#b9b2a3", stroke_width: 1 }),
    rect(6, 6, 88, 88, { rx: 8, fill: tints[i % tints.length], stroke: "#d9b26a", stroke_width: 1.2 }),
    parts.length
      ? g({ transform: "translate(14 14) scale(.72)", stroke: dark, stroke_width: 3.2, stroke_linecap: "round", stroke_linejoin: "round" },
        parts.map(([data, fill]) => path(data, { fill: fill || "none", fill_rule: fill ? "evenodd" : undefined })))
      : g({ transform: "translate(50 52) scale(.42)", stroke: dark, stroke_width: 4 }, emblem(brown, cream)),
  );

/** The back: rings of water, the same from each side. */
function back() {
  const [ground, line] = ["#1f5161", "#efe2c6"];
  const corner = path("M0 0H34A34 34 0 0 1 0 34ZM0 0M0 26A26 26 0 0 0 26 0M0 18A18 18 0 0 0 18 0M0 10A10 10 0 0 0 10 0", { id: "q" });
  return file(
    100,
    100,
    el("defs", {}, corner),
    rect(1, 1, 98, 98, { rx: 5, fill: "#fffdf7", stroke: "#b9b2a3", stroke_width: 1 }),
    rect(5, 5, 90, 90, { rx: 5, fill: ground, stroke: "#163c49", stroke_width: 1 }),
    g({ fill: "none", stroke: line, stroke_width: 1.1, stroke_opacity: ".75" },
      [0, 90, 180, 270].map((turn) => use("q", { transform: `rotate(${turn} 50 50) translate(9 9)` })),
      [13, 19, 25].map((r) => circle(50, 50, r))),
    rect(9, 9, 82, 82, { rx: 3, fill: "none", stroke: line, stroke_width: 1.2 }),
    g({ transform: "translate(50 51) scale(.2)" }, emblem(line, ground)),
  );
}

/** A shelf of the rack in which the cards lie. */
const shelf = () => file(5960, 740, tray(5960, 740, "#24483b", 38));
const taken = () => file(900, 900, rect(14, 14, 872, 872, { rx: 70, fill: "#000", fill_opacity: ".14", stroke: "#fff", stroke_opacity: ".45", stroke_width: 12, stroke_dasharray: "52 34", stroke_linecap: "round" }), g({ fill: "none", stroke: "#fff", stroke_opacity: ".25", stroke_width: 14 }, rect(250, 270, 270, 270, { rx: 18, transform: "rotate(-10 385 405)" }), rect(390, 340, 270, 270, { rx: 18, transform: "rotate(7 525 475)" })), written("PAIRS", 450, 775, 72, { stroke: "#fff", stroke_opacity: ".6" }));
const box = () => file(900, 900, tray(900, 900, "#1f3d33", 76), g({ transform: "translate(450 462) scale(2)", opacity: ".28" }, emblem("#e8d9b4", "#1f3d33")));

const names = Object.keys(pictures);
const slug = (name) => name.toLowerCase();

export function* art() {
  for (const [i, name] of names.entries()) yield [`pairs/${slug(name)}.svg`, front(pictures[name], i)];
  yield ["pairs/back.svg", back()];
  yield ["pairs/row.svg", shelf()];
  yield ["pairs/taken.svg", taken()];
  yield ["pairs/box.svg", box()];
  yield ["pairs/new-game.svg", press("NEW GAME", 1250)];
}

const size = { width: 640, height: 640, shape: "card", weight: "light" };
const zones = [[-1500, 3600], [1500, -3600], [-3600, 0], [3600, 0], [1500, 3600], [-1500, -3600]];
const rows = [4, 5, 3, 6, 2, 7, 1, 8].map((n) => `Row ${n}`);
const lay = (each, into) => [{ do: "shuffle", kind: "Box" }, ...into.map((to) => ({ do: "move", kind: "Box", n: each, to, face: 1 }))];

export const game = {
  name: "Pairs",
  summary: "Turn two cards up, and remember where their pictures are.",
  order: 380,
  about: { players: [1, 6], minutes: [10, 30], age: 4, rules: "rules/pairs.md" },
  table: { width: 8600, height: 8300, surface: "wood" },
  seats: Object.entries(players).map(([name, colour], i) => ({ name, side: "south", colour, pieces: [i] })),
  steps: lay(8, rows),
  setup: "32 pairs",
  setups: [
    { name: "24 pairs", without: names.slice(23, 31).concat(rows.slice(6)), steps: lay(8, rows.slice(0, 6)) },
    { name: "12 pairs, for children", without: names.slice(11, 31).concat(rows.slice(4)), steps: lay(6, rows.slice(0, 4)) },
  ],
  templates: [{ name: "Front", ...size, secret: true, mask: "Card", faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: "pairs/back.svg" }] }],
  decks: [{ name: "Pictures", template: "Front", rows: names.map((name) => ({ name, count: 2, picture: `pairs/${slug(name)}.svg` })) }],
  kinds: [
    { name: "Card", ...size, faces: [{ name: "Face down", art: "pairs/back.svg" }] },
    ...rows.toSorted().map((name) => ({ name, width: 5960, height: 740, shape: "rect", weight: "heavy", zone: { lay: "row", gap: 715, takes: ["Card"], most: 8, turns: "keep" }, faces: [{ name, art: "pairs/row.svg" }] })),
    { name: "Pairs", width: 900, height: 900, shape: "rect", weight: "heavy", zone: { lay: "pile", takes: ["Card"], turns: "up", count: true }, faces: [{ name: "Pairs of a player", art: "pairs/taken.svg" }] },
    { name: "Box", width: 900, height: 900, shape: "card", weight: "heavy", container: { draws: "top", takes: "Card" }, faces: [{ name: "Box", art: "pairs/box.svg" }] },
    { name: "Turns", width: 700, height: 420, shape: "rect", weight: "heavy", counter: { min: 0, max: 999, initial: 0 }, display: { x: 110, y: 70, width: 480, height: 280 }, faces: [{ name: "Turns, if you play alone", art: "common/counter.svg" }] },
    {
      name: "New game", width: 1250, height: 380, shape: "rect", weight: "heavy",
      button: { cooldown: 2000, steps: [
        { do: "recall", kind: "Box" },
        when({ of: "holds", kind: "Box", is: "=", n: 24 }, lay(6, rows.slice(0, 4)), lay(8, rows)),
        { do: "count", kind: "Turns", set: 0 },
      ] },
      faces: [{ name: "New game", art: "pairs/new-game.svg" }],
    },
  ],
  pieces: [
    ...zones.map(([x, y]) => ({ kind: "Pairs", x, y, pinned: true })),
    ...rows.toSorted().map((kind, i) => ({ kind, x: 0, y: 740 * i - 2590, pinned: true })),
    { kind: "Box", x: -3600, y: -3600, pinned: true, holds: [{ deck: "Pictures" }], shuffled: true },
    { kind: "Turns", x: -3600, y: 3600, pinned: true },
    { kind: "New game", x: 3500, y: 3600, pinned: true },
  ],
};
