// The tab for decks: rows as in a spreadsheet, and beside them the cards as they will look. A deck
// comes from rows, a CSV, a sheet or pictures, and goes to the table as a whole.

import { el, setText } from '../../../view/dom.js';
import { addIcons, icon } from '../../../view/icons.js';
import { kindNamed } from '../../../view/catalog.js';
import { labelled, newId, numberField, textField, whyOf } from '../form.js';
import { MOST_NAME } from '../kinds.js';
import { createBusy } from './busy.js';
import { LEAST_CARD, MOST_CARD, pictureNamed } from './cards.js';
import {
  USES, baseOf, cell, filled, freeFile, hasHeadings, isEmpty, knowsHeadings, newDeck, pasteBlock,
  readTable, setPicture, size, tableOf, takePictures,
} from './deck.js';
import { readDrafts, writeDrafts } from './drafts.js';
import { PICTURES, SIZES, SIZE_NAMES, createBack, createFronts } from './look.js';
import { msg } from './msg.js';
import { ALSO, picturesOf } from './opened.js';
import { addPicture, openSheet } from './pictures.js';
import { putDeck } from './put.js';
import { createRows } from './rows.js';
import { createSheet } from './sheet.js';
import { createViews } from './views.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('../../../bars/say.js').Voice} Voice */
/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./deck.js').Row} Row */

/** From how many pixels on, each way, a single picture is a sheet at first. */
const SHEET = 1400;

/** How long nothing may change before the cards follow, in ms. */
const REST = 80;

/** The most bytes of a table of a spreadsheet. */
const MOST_TEXT = 8 << 20;

addIcons({
  rowUp: 'M6 15l6-6 6 6',
  rowDown: 'M6 9l6 6 6-6',
  csvFile: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6M12 10v8',
  sheetFile: 'M4 4h16v16H4zM9.3 4v16M14.6 4v16M4 12h16',
  deckAdd: 'M12 5v14M5 12h14',
  csvSave: 'M12 4v10M8 10l4 4 4-4M5 19h14',
});

/** Reports whether a file is a table of a spreadsheet. @param {File} file */
const isTable = (file) => /\.(csv|tsv|txt)$/i.test(file.name) || file.type === 'text/csv';

const headings = () => /** @type {Record<typeof USES[number], string>} */ (
  Object.fromEntries(USES.map((use) => [use, msg(`decks.heading.${use}`)])));
const heading = (/** @type {number} */ n) => msg('decks.further', { n });

/**
 * Makes the tab.
 * @param {State} s
 * @param {Voice} voice
 * @param {() => void} put called when a deck is on the table
 * @returns {import('../panel.js').Content}
 */
export function createDecks(s, voice, put) {
  /** @type {import('./pictures.js').Pictures} */
  const pictures = new Map();
  /** @type {Deck[]} */
  const all = [];
  const named = () => {
    const isUsed = (/** @type {string} */ name) =>
      all.some((one) => one.name === name) || kindNamed(s.catalog, name) !== undefined;
    const name = msg('decks.new');
    for (let n = 1; ; n++) {
      const one = n === 1 ? name : msg('decks.numbered', { name, n });
      if (!isUsed(one)) return one;
    }
  };
  all.push(...draftsOf(s));
  if (all.length === 0) all.push(newDeck(named(), headings()));
  let deck = all[all.length - 1];
  const root = el('div', { class: 'decks' });
  /** What shows the deck that is chosen. @type {ReturnType<typeof createEditor>|null} */
  let editor = null;
  const show = (/** @type {Deck} */ one) => {
    deck = one;
    editor?.close();
    editor = createEditor(s, voice, deck, pictures, {
      put, others: all, choose: show, changed: () => keepDrafts(s, all),
      begin: () => {
        all.push(newDeck(named(), headings()));
        show(all[all.length - 1]);
        editor?.focus();
      },
    });
    root.replaceChildren(editor.root);
  };
  return {
    root,
    draw: () => {
      if (!editor) show(deck);
    },
    back: () => editor?.back() ?? false,
    wants: (file, files) => isTable(file) || files.length > 1,
    takeFile: (file, files) => editor?.takeFiles(files.length > 0 ? files : [file]),
  };
}

/** @param {State} s */
const keyOf = ({ table }) => `holt.decks.${table}`;

/** Returns the decks that were being made before the page was loaded again. @param {State} s */
function draftsOf(s) {
  try {
    return readDrafts(sessionStorage.getItem(keyOf(s)));
  } catch {
    return []; // the browser has no store
  }
}

/** @param {State} s @param {Deck[]} decks */
function keepDrafts(s, decks) {
  try {
    const text = writeDrafts(decks);
    if (text !== null) sessionStorage.setItem(keyOf(s), text);
  } catch {
    // they are forgotten with the page
  }
}

/**
 * Makes what shows a deck.
 * @param {State} s
 * @param {Voice} voice
 * @param {Deck} deck
 * @param {import('./pictures.js').Pictures} pictures
 * @param {{
 *   put: () => void, others: Deck[], choose: (deck: Deck) => void, begin: () => void,
 *   changed: () => void,
 * }} runs
 */
function createEditor(s, voice, deck, pictures, { put, others, choose, begin, changed: keepIt }) {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const news = el('p', { class: 'deck-news', role: 'status' });
  const busy = createBusy();
  /** What happens: it stands where this person is. */
  const status = el('div', { class: 'deck-status' }, busy.root, news, problem);
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const action = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
    el('button', { class: 'plain deck-undo', onclick }, text);
  /**
   * Says what was done, with what takes it back.
   * @param {string} text
   * @param {() => void} [undo]
   */
  const report = (text, undo) => {
    tell('');
    news.replaceChildren(text, ...(undo ? [' ', action(msg('decks.undo'), () => {
      undo();
      report(msg('decks.undone'));
      draw();
    })] : []));
  };
  /** What brings back the rows as they are now. */
  const keep = () => {
    const { columns, own, uses, rows, back } = deck;
    const was = {
      columns: [...columns], own, uses: { ...uses }, rows: rows.map((row) => [...row]),
    };
    const picture = back.picture;
    return () => {
      Object.assign(deck, was);
      back.picture = picture;
    };
  };

  const nameField = textField(msg('decks.name'), deck.name, MOST_NAME, (text) => {
    deck.name = text;
    changed();
  });
  nameField.input.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter' || e.isComposing) return;
    e.preventDefault(); // else it would put the deck on the table
    rows.focus(deck.rows[0], deck.uses.name);
  });
  const bounds = { min: LEAST_CARD, max: MOST_CARD, step: /** @type {const} */ ('any') };
  const own = (/** @type {'width'|'height'} */ key) =>
    numberField(msg(`decks.mm.${key}`), deck[key], bounds, (n) => {
      deck[key] = n;
      changed();
    });
  const width = own('width');
  const height = own('height');
  const sizeOf = () => Object.entries(SIZES)
    .find(([, [w, h]]) => w === deck.width && h === deck.height)?.[0] ?? 'own';
  const sizes = el('select', {
    id: newId(), onchange: () => {
      const given = SIZES[/** @type {keyof typeof SIZES} */ (sizes.value)];
      if (given) [deck.width, deck.height] = given;
      width.input.value = String(deck.width);
      height.input.value = String(deck.height);
      ofSize.hidden = sizes.value !== 'own';
      changed();
    },
  }, ...SIZE_NAMES.map((id) => el(
    'option', { value: id, selected: id === sizeOf() }, msg(`decks.size.${id}`),
  )));
  const ofSize = el('div', { class: 'edit-row', hidden: sizeOf() !== 'own' }, width.root,
    height.root);

  const views = createViews(s, () => deck, pictures, (row) => {
    if (row) rows.focus(row, deck.uses.name);
    else openPart(back.root);
  });
  const rows = createRows(() => deck, {
    changed: () => changed(),
    paste: (row, column, text) => void paste(row, column, text),
    say: (text) => voice.whisper(text),
    picture: (row, file) => void work(async (signal, progress) => {
      progress(msg('decks.reading', { name: file.name }), 0, 1);
      const [one] = await picturesOf(file, { signal });
      const undo = keep();
      const { name } = await addPicture(pictures, one.name, one.blob);
      setPicture(deck, row, name, headings().picture);
      draw();
      report(msg('decks.took', { n: 1 }), undo);
    }),
  });
  const fronts = createFronts(deck, (isOfColumns) => {
    if (isOfColumns) rows.draw();
    changed();
  });
  const back = createBack(deck, {
    changed: () => changed(),
    take: (file) => void work(async (signal, progress) => {
      const [one] = await picturesOf(file, { signal });
      progress(msg('decks.reading', { name: one.name }), 0, 1);
      deck.back.picture = (await addPicture(pictures, one.name, one.blob)).name;
      back.draw();
      draw();
    }),
  });
  const openPart = (/** @type {HTMLDetailsElement} */ part) => {
    part.open = true;
    part.querySelector('summary')?.focus();
    part.scrollIntoView({ block: 'nearest' });
  };

  const shuffles = el('input', { type: 'checkbox', checked: true });
  const send = el('button', { class: 'primary', type: 'submit' });
  const total = el('h3', { class: 'deck-total' });
  let timer = 0;
  const changed = () => {
    tell('');
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (deck.width > 0 && deck.height > 0) views.draw();
      keepIt();
    }, REST);
    save.disabled = filled(deck).length === 0;
    const n = size(deck);
    setText(total, msg('decks.total', { n }));
    setText(send, n > 0 ? msg('decks.put', { n }) : msg('decks.putNone'));
    const lacking = filled(deck).map((row) => cell(deck, row, 'picture'))
      .filter((name) => name !== '' && !pictureNamed(pictures, name));
    lacks.hidden = lacking.length === 0;
    setText(lacks, lacking.length === 0 ? '' : msg('decks.lacks', {
      n: lacking.length, name: lacking[0],
    }));
  };
  const lacks = el('p', { class: 'quiet deck-lacks', hidden: true });
  const draw = () => {
    rows.draw();
    fronts.draw();
    back.draw();
    rows.offer([...pictures.values()].map(({ name }) => name));
    changed();
  };

  /**
   * Does something that may take long, and says what is wrong.
   * @param {(signal: AbortSignal, progress: import('./busy.js').Progress) => Promise<void>} task
   */
  const work = (task) => busy.during(async (signal, progress) => {
    tell('');
    try {
      await task(signal, progress);
    } catch (error) {
      tell(signal.aborted ? msg('decks.cancelled') : whyOf(error));
    }
  });
  /** @param {number} row @param {number} column @param {string} text */
  const paste = async (row, column, text) => {
    const csv = await s.load('csv').catch(() => null);
    if (!csv) {
      tell(msg('decks.noCsv'));
      return;
    }
    const { rows: block } = csv.read(text, text.includes('\t') ? '\t' : '');
    const undo = keep();
    const isWhole = deck.rows.every(isEmpty);
    const known = new Set(deck.columns.map((one) => one.toLowerCase()));
    const isHeaded = isWhole && block.length > 1 &&
      block[0].filter((one) => known.has(one.trim().toLowerCase())).length > 1;
    const why = isHeaded ? readTable(deck, block, headings(), heading)
      : pasteBlock(deck, row, column, block, heading);
    if (why) tell(msg(`decks.unfit.${why}`));
    else report(msg('decks.pasted', { n: block.length - Number(isHeaded) }), undo);
    draw();
  };
  /** @param {File} file */
  const readCsv = (file) => work(async () => {
    if (file.size > MOST_TEXT) {
      tell(msg('decks.unfit.file'));
      return;
    }
    const [csv, text] = await Promise.all([
      s.load('csv').catch(() => null), textOf(file),
    ]);
    if (!csv || text === null) {
      tell(msg(csv ? 'decks.unfit.text' : 'decks.noCsv'));
      return;
    }
    const { rows: table, open } = csv.read(text);
    if (open > 0) {
      tell(msg('decks.open', { n: open }));
      return;
    }
    const undo = keep();
    const hadRows = !deck.rows.every(isEmpty);
    const isSure = knowsHeadings(table, deck);
    const isHeaded = hasHeadings(table, deck);
    const why = readTable(deck, table, headings(), heading);
    if (why) {
      tell(msg(`decks.unfit.${why}`));
      return;
    }
    draw();
    const told = () => report(msg('decks.read', { n: deck.rows.length, name: file.name }),
      hadRows ? undo : undefined);
    told();
    if (isSure || !isHeaded) return;
    news.append(' ', action(msg('decks.firstToo'), () => {
      undo();
      readTable(deck, table, headings(), heading, false);
      told();
      draw();
    }));
  });
  const saveCsv = async () => {
    const csv = await s.load('csv').catch(() => null);
    if (!csv) {
      tell(msg('decks.noCsv'));
      return;
    }
    const href = URL.createObjectURL(new Blob([csv.write(tableOf(deck))], { type: 'text/csv' }));
    const name = deck.name.trim().replace(/[^\p{L}\p{N} _-]/gu, '') || msg('decks.new');
    el('a', { href, download: `${name}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  };
  /**
   * Takes pictures: those that rows name already, and else a row for each.
   * @param {File[]} files
   * @param {boolean} mayBeSheet whether a large one, if it is alone, is a sheet
   */
  const takePicturesOf = (files, mayBeSheet) => work(async (signal, progress) => {
    /** @type {{name: string, count: number}[]} */
    const taken = [];
    /** A large picture that is alone. @type {{name: string, blob: Blob}|null} */
    let alone = null;
    /** @type {string[]} */
    const bad = [];
    const undo = keep();
    for (const [i, file] of files.entries()) {
      signal.throwIfAborted();
      progress(msg('decks.reading', { name: file.name }), i, files.length);
      try {
        const all = await picturesOf(file, {
          signal,
          progress: (done, of) => progress(msg('decks.reading', { name: file.name }), done, of),
        });
        for (const { name: given, blob } of all) {
          signal.throwIfAborted();
          const name = freeFile(given, taken.map((one) => one.name));
          const { picture } = await addPicture(pictures, name, blob);
          taken.push({ name, count: 1 });
          if (mayBeSheet && picture.width >= SHEET && picture.height >= SHEET && !rowsName(name))
            alone = { name, blob };
        }
      } catch (error) {
        signal.throwIfAborted();
        bad.push(msg('decks.badFile', { name: file.name, why: whyOf(error) }));
      }
    }
    if (alone && files.length === 1 && taken.length === 1) {
      await cut(alone);
      return;
    }
    if (taken.length > 0) {
      takePictures(deck, taken, false, headings().picture);
      draw();
      report(msg('decks.took', { n: taken.length }), undo);
    }
    if (bad.length > 0) tell(bad.slice(0, 3).join(' '));
  });
  /** Whether a row names a picture. @param {string} name */
  const rowsName = (name) => deck.rows.some((row) =>
    baseOf(cell(deck, row, 'picture')) === baseOf(name));

  /** The form that cuts a sheet; null: none is open. @type {ReturnType<typeof createSheet>|null} */
  let sheet = null;
  const place = el('div', { class: 'deck-place', hidden: true });
  const leave = () => {
    sheet?.close();
    sheet = null;
    form.querySelector('.deck-send')?.prepend(status);
    place.replaceChildren();
    place.hidden = true;
    form.hidden = false;
    draw();
  };
  /** @param {{name: string, blob: Blob}} picture */
  const cut = async ({ name, blob }) => {
    const opened = await openSheet(name, blob);
    const form2 = createSheet(opened, deck, {
      leave: () => {
        leave();
        cutButton.focus();
      },
      one: () => {
        leave();
        void takePicturesOf([new File([blob], name, { type: blob.type })], false);
      },
      take: (what) => void work((signal, progress) => takeCut(opened, what, signal, progress)),
    });
    sheet = form2;
    place.replaceChildren(form2.root, status);
    place.hidden = false;
    form.hidden = true;
    root.parentElement?.parentElement?.scrollTo(0, 0);
    form2.focus();
  };
  /**
   * @param {import('./pictures.js').Sheet} opened
   * @param {import('./sheet.js').Cut} what
   * @param {AbortSignal} signal
   * @param {import('./busy.js').Progress} progress
   */
  const takeCut = async (opened, { cards, back: ofBack, inOrder }, signal, progress) => {
    const undo = keep();
    const parts = [...cards, ...(ofBack ? [ofBack] : [])];
    for (const [i, part] of parts.entries()) {
      signal.throwIfAborted();
      progress(msg('decks.cutting', { n: i + 1, of: parts.length }), i, parts.length);
      await opened.cut(pictures, part.name, part.place);
    }
    takePictures(deck, cards, inOrder, headings().picture);
    if (ofBack) deck.back.picture = ofBack.name;
    leave();
    report(msg('decks.took', { n: cards.length }), undo);
    add.focus({ preventScroll: true });
  };

  const chooser = (
    /** @type {string} */ takes, /** @type {string} */ accept, /** @type {boolean} */ multiple,
    /** @type {(files: File[]) => void} */ take,
  ) => {
    const file = el('input', {
      type: 'file', hidden: true, accept, multiple, 'data-takes': takes, onchange: () => {
        const files = [...file.files ?? []];
        file.value = '';
        if (files.length > 0) take(files);
      },
    });
    return file;
  };
  const csvFile = chooser('csv', '.csv,.tsv,.txt,text/csv', false, ([file]) => void readCsv(file));
  const sheetFile = chooser('sheet', PICTURES, false, ([file]) =>
    void work(() => cut({ name: file.name, blob: file })));
  const pictureFiles = chooser('pictures', PICTURES + ALSO, true, (files) =>
    void takePicturesOf(files, false));
  const tool = (
    /** @type {string} */ sign, /** @type {string} */ text, /** @type {() => void} */ onclick,
  ) => el('button', { class: 'secondary deck-tool', onclick }, icon(sign), text);
  const cutButton = tool('sheetFile', msg('decks.cut'), () => sheetFile.click());
  const save = tool('csvSave', msg('decks.save'), () => void saveCsv());
  const add = tool('deckAdd', msg('decks.addRow'), () => rows.add());

  const choices = el('select', {
    id: newId(), onchange: () => {
      const one = others[Number(choices.value)];
      if (one) choose(one);
    },
  }, ...others.map((one, i) => el('option', { value: i, selected: one === deck }, one.name)));
  const which = labelled(choices, msg('decks.which'));
  which.root.hidden = others.length < 2;

  const form = el(
    'form', {
      class: 'edit-form deck-form', novalidate: true, onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        void submit();
      },
    },
    el(
      'div', { class: 'edit-row deck-head' }, which.root, nameField.root,
      labelled(sizes, msg('decks.size')).root, ofSize,
    ),
    el(
      'div', { class: 'deck-both' },
      el(
        'div', { class: 'deck-left' },
        el('div', { class: 'deck-tools' },
          tool('csvFile', msg('decks.readCsv'), () => csvFile.click()), cutButton,
          tool('picture', msg('decks.pictures'), () => pictureFiles.click()), save,
          csvFile, sheetFile, pictureFiles),
        rows.root,
        el('div', { class: 'deck-tools' }, add, el('p', { class: 'quiet deck-hint' },
          msg('decks.hint'), ' ', el('span', { class: 'deck-keys' }, msg('decks.keys')))),
        fronts.root, back.root,
      ),
      el('div', { class: 'deck-right' }, total, lacks, views.root),
    ),
    el('div', { class: 'edit-send deck-send' }, status,
      el('div', { class: 'deck-last' },
        el('label', { class: 'deck-check' }, shuffles, msg('decks.shuffle')), send)),
  );
  const after = el('div', { class: 'edit-saved', hidden: true });
  const submit = async () => {
    tell('');
    const cards = size(deck);
    const failed = await busy.during((signal, progress) => {
      send.disabled = true;
      return putDeck(s, deck, pictures, shuffles.checked, signal, progress);
    }).finally(() => {
      send.disabled = false;
    });
    if (failed) {
      tell(failed.text);
      if (failed.row) rows.focus(failed.row, deck.uses.name);
      else if (failed.field === 'name') nameField.input.focus();
      else if (failed.field === 'size') (ofSize.hidden ? sizes : width.input).focus();
      return;
    }
    const text = msg('decks.isPut', { name: deck.name.trim(), n: cards });
    voice.notice(text);
    after.replaceChildren(...[
      el('p', {}, text),
      !shuffles.checked && el('p', { class: 'quiet' }, msg('decks.isPut.about')),
      el('div', { class: 'deck-tools' },
        el('button', { class: 'secondary', onclick: () => again() }, msg('decks.again')),
        el('button', { class: 'secondary', onclick: begin }, msg('decks.begin'))),
    ].filter((one) => one !== false));
    form.hidden = true;
    after.hidden = false;
    after.querySelector('button')?.focus();
    put();
  };
  const again = () => {
    after.hidden = true;
    form.hidden = false;
    nameField.input.focus();
  };
  const root = el('div', { class: 'deck-editor' }, place, form, after);
  draw();
  return {
    root,
    focus: () => nameField.input.focus({ preventScroll: true }),
    close: () => {
      sheet?.close();
      views.close();
      clearTimeout(timer);
    },
    back: () => {
      if (sheet) leave();
      else if (form.hidden) again();
      else return false;
      return true;
    },
    /** @param {File[]} files */
    takeFiles: (files) => {
      const table = files.find(isTable);
      const rest = files.filter((file) => !isTable(file));
      if (sheet) leave();
      if (form.hidden) again();
      void (async () => {
        if (table) await readCsv(table);
        if (rest.length > 0) await takePicturesOf(rest, !table);
      })();
    },
  };
}

/** Reads a text, also of an old program; null: it is none. @param {File} file */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const label = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le'
    : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return bytes.includes(0) ? null : new TextDecoder('windows-1252').decode(bytes);
  }
}
