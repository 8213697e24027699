// Reads the text of a PDF that Chromium has made.

import { inflateSync } from 'node:zlib';

/**
 * Returns the number of pages of a PDF, and its text without spaces.
 * @param {Buffer} pdf
 */
export function readPdf(pdf) {
  const file = pdf.toString('latin1');
  const objects = new Map(
    [...file.matchAll(/^(\d+) 0 obj\s([\s\S]*?)^endobj/gm)].map(([, id, of]) => [id, of]),
  );
  const fonts = new Map();
  for (const [id, of] of objects) {
    const unicode = /\/ToUnicode (\d+) 0 R/.exec(of)?.[1];
    if (unicode) fonts.set(id, charactersIn(streamOf(objects.get(unicode) ?? '')));
  }
  const pages = [...objects.values()].filter((of) => /\/Type \/Page\b(?!s)/.test(of));
  const text = pages.map((page) => {
    const content = /\/Contents (\d+) 0 R/.exec(page)?.[1] ?? '';
    return textIn(streamOf(objects.get(content) ?? ''), fonts);
  });
  return { pages: pages.length, text: text.join('') };
}

/** Returns what is in the stream of an object. @param {string} object */
function streamOf(object) {
  const from = /stream\r?\n/.exec(object);
  if (!from) return '';
  const end = object.lastIndexOf('endstream');
  const bytes = Buffer.from(object.slice(from.index + from[0].length, end), 'latin1');
  return object.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1')
    : bytes.toString('latin1');
}

/** Reads the character of each glyph. @param {string} cmap */
function charactersIn(cmap) {
  /** @type {Map<number, string>} */
  const all = new Map();
  const hex = (/** @type {string} */ of) => Number.parseInt(of, 16);
  for (const [, block] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, glyph, is] of block.matchAll(/<(\w+)> <(\w+)>/g))
      all.set(hex(glyph), String.fromCharCode(hex(is)));
  }
  for (const [, block] of cmap.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, first, last, is] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let i = hex(first); i <= hex(last); i++)
        all.set(i, String.fromCharCode(hex(is) + i - hex(first)));
    }
  }
  return all;
}

/**
 * Returns what the operators of a page write. Chromium names a font after its object.
 * @param {string} content
 * @param {Map<string, Map<number, string>>} fonts
 */
function textIn(content, fonts) {
  let font = new Map();
  let text = '';
  for (const [, name, shown] of content.matchAll(/\/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name) font = fonts.get(name) ?? new Map();
    else
      for (const [glyph] of shown.matchAll(/..../g))
        text += font.get(Number.parseInt(glyph, 16)) ?? '';
  }
  return text.replace(/\s/g, '');
}
