// Letters and figures as strokes, so that no picture depends on a font. A capital or figure is 100
// high, from y 0 to 100. Each glyph is its width and its path.

const ring = (w, top) => `M${w / 2} ${top}C${w * 0.17} ${top} 0 ${top * 0.78 + 22} 0 ${(top + 100) / 2}S${w * 0.17} 100 ${w / 2} 100 ${w} ${100 - (100 - top) * 0.22} ${w} ${(top + 100) / 2} ${w * 0.83} ${top} ${w / 2} ${top}Z`;

const glyphs = {
  0: [52, ring(52, 0)],
  1: [26, "M0 20L26 0V100"],
  2: [54, "M2 26C2 -9 54 -9 54 26C54 50 6 70 1 100H56"],
  3: [56, "M4 0H52L25 39C44 38 56 50 56 68C56 88 43 100 27 100C14 100 4 93 0 82"],
  4: [60, "M44 100V0L0 72H60"],
  5: [56, "M50 0H9L5 44C12 38 19 36 28 36C45 36 56 49 56 67C56 87 44 100 27 100C14 100 4 94 0 84"],
  6: [56, "M46 0C20 18 0 42 0 69C0 88 13 100 28 100S56 88 56 69 44 40 29 40C15 40 3 49 0 65"],
  7: [54, "M0 0H54C36 28 24 60 21 100"],
  8: [56, "M28 46C13 46 5 36 5 23S14 0 28 0 51 10 51 23 43 46 28 46 0 56 0 72 12 100 28 100 56 89 56 72 43 46 28 46Z"],
  9: [56, "M10 100C36 82 56 58 56 31C56 12 43 0 28 0S0 12 0 31 12 60 27 60C41 60 53 51 56 35"],
  A: [60, "M0 100L30 0L60 100M11 66H49"],
  D: [54, "M0 0V100H18C42 100 54 80 54 50S42 0 18 0Z"],
  E: [44, "M44 0H0V100H44M0 49H36"],
  J: [44, "M16 0H44V70C44 90 34 100 21 100C8 100 0 90 0 76"],
  K: [56, "M0 0V100M54 0L0 62M20 42L56 100"],
  L: [42, "M0 0V100H42"],
  O: [62, ring(62, 0)],
  Q: [62, `${ring(62, 0)}M36 72L64 106`],
  R: [52, "M0 100V0H24C42 0 50 12 50 27S42 54 24 54H0M26 54L52 100"],
  a: [52, "M52 40V100M26 40A26 30 0 1 0 26 100A26 30 0 1 0 26 40"],
  b: [52, "M0 0V100M26 40A26 30 0 1 0 26 100A26 30 0 1 0 26 40"],
  c: [48, "M48 52A27 30 0 1 0 48 88"],
  d: [52, "M52 0V100M26 40A26 30 0 1 0 26 100A26 30 0 1 0 26 40"],
  e: [52, "M1 70H52A26 30 0 1 0 45 91"],
  f: [36, "M38 3C20 -4 14 8 14 24V100M0 43H34"],
  g: [52, "M52 40V108C52 128 18 132 5 119M26 40A26 30 0 1 0 26 100A26 30 0 1 0 26 40"],
  h: [48, "M0 0V100M0 64C8 32 48 30 48 64V100"],
};

/** How wide a word is, with `gap` between its glyphs. */
export const width = (word, gap = 24) => [...word].reduce((sum, c) => sum + glyphs[c][0] + gap, -gap);

/** The path of a word, its middle at x 0. */
export function word(text, gap = 24) {
  let x = -width(text, gap) / 2;
  let data = "";
  for (const c of text) {
    data += shift(glyphs[c][1], x);
    x += glyphs[c][0] + gap;
  }
  return data;
}

/** Moves an absolute path to the right. */
function shift(data, by) {
  return data.replace(/([MLHVCSAZ])([^MLHVCSAZ]*)/g, (_, command, rest) => {
    const numbers = rest.match(/-?[\d.]+/g)?.map(Number) ?? [];
    const horizontal = { H: () => true, V: () => false, A: (i) => i % 7 === 5 }[command] ?? ((i) => i % 2 === 0);
    return command + numbers.map((n, i) => Math.round((horizontal(i) ? n + by : n) * 10) / 10).join(" ");
  });
}
