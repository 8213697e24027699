// The form with which a kind of the table is changed (T104): it shows the kind as it is, and asks
// for what can be different.

import { picturesOf, unfold } from '../../view/catalog.js';
import { el, setAttr, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { waitWhile } from '../../wait.js';
import {
  changedKinds, changesWith, fileKind, lookOf, ownSides, picturesIn, resized, withLook,
} from './change.js';
import { creditFields } from './credit.js';
import { colourField, labelled, newId, numberField, textField, whyOf } from './form.js';
import {
  LAYS, LEAST_SIZE, MOST_NAME, MOST_NUMBER, MOST_SIZE, MOST_TEXT, wellFormed,
} from './kinds.js';
import { msg } from './msg.js';
import { encode, readPicture } from './picture.js';
import { drawPreview } from './preview.js';
import { addKinds } from './send.js';
import { buttonOf, doesOf } from './sentences/does.js';
import { createField } from './sentences/field.js';
import { msg as says } from './sentences/msg.js';
import { press } from './sentences/press.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./picture.js').Picture} Picture */
/** @typedef {import('./change.js').FileKind} FileKind */
/**
 * A change that was made, which can be taken back.
 * @typedef {{name: string, numbers: number[], were: FileKind[]}} Change
 */

/** Table units in a millimetre. */
const UNITS = 10;

/** How often a change is sent again because others have changed other kinds meanwhile. */
const ATTEMPTS = 4;

/** For how long the catalogue with a change may take to come before it is tried, in ms. */
const LATE = 5000;

/**
 * Fetches the kinds of the table in the language of its game.
 * @param {State} s
 */
async function kindsOf({ catalog: { base, hash } }) {
  const answer = await fetch(base + hash);
  if (!answer.ok) throw new Error(`catalogue: status ${answer.status}`);
  const doc = await answer.json();
  return { hash, kinds: doc.format === 'holt.catalog/1' ? doc.kinds : unfold(doc) };
}

/**
 * Makes the form for a kind. Throws if its catalogue cannot be fetched.
 * @param {State} s
 * @param {Voice} voice
 * @param {number} n the number of the kind
 * @param {(change: Change|null, isTried: boolean) => void} done called when it is changed, and
 *   whether this person wants to see the table, and goes on editing
 */
export async function createChange(s, voice, n, done) {
  let { kinds } = await kindsOf(s);
  const was = fileKind(kinds, n);
  const cards = changesWith(kinds, n).length - 1;
  const sides = ownSides(kinds, n);
  const values = {
    name: was.name, width: was.width / UNITS, height: was.height / UNITS, lay: was.zone?.lay,
    gap: (was.zone?.gap ?? 0) / UNITS,
    counter: { ...was.counter }, text: was.text?.initial ?? '',
    minutes: (was.clock?.initial ?? 0) / 60_000, increment: (was.clock?.increment ?? 0) / 1000,
  };
  /** What was changed of a side, by its number. @type {Map<number, Side>} */
  const looks = new Map();
  /** @typedef {{colour: string, text: string, picture: Picture|null, name: string}} Side */
  /** What a button does; null: no button, or one that does what a newer server knows. */
  const does = was.button ? doesOf(was.button) : null;
  let isChanged = false;
  let side = sides[0];

  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const credit = creditFields(textField);
  const preview = el('div', {
    class: 'edit-preview', role: 'img', 'aria-label': msg('edit.preview', { what: was.name }),
  });
  /** Returns the kind as it is filled in. @param {(of: Side, n: number) => string} art */
  const filled = (art) => {
    const { width, height, name } = values;
    const units = (/** @type {number} */ of) => Math.round(of * UNITS);
    const isRound = was.shape === 'round';
    let kind = resized({ ...was, name: wellFormed(name) }, units(width),
      units(isRound ? width : height));
    if (was.counter) kind = { ...kind, counter: { ...was.counter, ...values.counter } };
    if (was.text) kind = { ...kind, text: { ...was.text, initial: wellFormed(values.text) } };
    if (was.zone) {
      const gap = units(values.gap);
      const { gap: _, down: __, ...zone } = kind.zone;
      const isSpaced = values.lay !== 'pile' && values.lay !== 'free';
      kind = { ...kind, zone: { ...zone, lay: values.lay, ...(isSpaced && { gap }) } };
    }
    if (was.clock) kind = { ...kind, clock: {
      ...kind.clock, initial: Math.round(values.minutes * 60_000),
      increment: Math.round(values.increment * 1000),
    } };
    if (does) kind = { ...kind, button: buttonOf(does) };
    const faces = kind.faces.map((/** @type {any} */ face, /** @type {number} */ i) => {
      const look = looks.get(i);
      if (!look) return face;
      const named = { ...face, name: look.name };
      const isSame = !look.picture && lookOf(face).colour === look.colour &&
        lookOf(face).text === look.text;
      if (isSame) return named;
      const of = look.picture ? { art: art(look, i), isExact: !look.picture.isSvg } : {};
      return withLook(named, kind, { colour: look.colour, text: look.text, ...of });
    });
    return { ...kind, faces };
  };
  const changed = () => {
    isChanged = true;
    tell('');
    credit.root.hidden = ![...looks.values()].some(({ picture }) => picture);
    if (!isSound()) return;
    const kind = filled((_, i) => `side ${i}`);
    const urls = Object.fromEntries([...looks].flatMap(([i, { picture }]) =>
      (picture ? [[`side ${i}`, picture.shown]] : [])));
    void sourcesOf(s, kind).then((known) => drawPreview(s, preview, {
      ...kind, faces: [kind.faces[side]],
    }, { ...known, ...urls }));
  };
  const isSound = () => {
    const isSize = (/** @type {number} */ of) => of >= LEAST_SIZE && of <= MOST_SIZE;
    const { name, width, height, counter: { min, max, initial } } = values;
    const isNumber = (/** @type {number} */ of) => Number.isInteger(of) &&
      Math.abs(of) <= MOST_NUMBER;
    const isRange = !was.counter || [min, max, initial].every(isNumber) && min < max &&
      min <= initial && initial <= max;
    return name.trim() !== '' && isSize(width) && isSize(height) && isRange;
  };

  const name = textField(msg('edit.field.name'), values.name, MOST_NAME, (text) => {
    values.name = text;
    changed();
  });
  const size = was.secret ? null : sizeFields(was.shape, values, changed);
  const look = lookFields({
    sides: sides.map((i) => ({ i, name: was.faces[i].name })),
    of: (i) => {
      const { colour, text, hasPicture } = lookOf(was.faces[i]);
      const known = looks.get(i);
      return known ? { ...known, hasPicture: false }
        : { colour, text, picture: null, name: was.faces[i].name, hasPicture };
    },
    choose: (i) => {
      side = i;
      changed();
    },
    set: (i, of) => {
      looks.set(i, of);
      changed();
    },
    tell,
  });
  const field = does && createField(s, voice, does, changed);
  const attempt = field && el('button', {
    class: 'secondary', onclick: () => void submit(true),
  }, icon('tryIt'), says('sentences.try'));
  const heading = el('h3', { tabindex: '-1' }, msg('edit.changing', { name: was.name }));
  const save = el('button', { class: 'primary', type: 'submit' }, msg('edit.saveChange'));
  const root = el(
    'form', {
      class: 'edit-form', novalidate: true,
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        void submit();
      },
    },
    heading,
    cards > 0 && el('p', { class: 'quiet' }, msg('edit.changeBack', { n: cards })),
    was.secret && el('p', { class: 'quiet' }, msg('edit.changeCard', { back: was.mask })),
    el('div', { class: 'edit-top' }, preview, el('div', { class: 'edit-fields' }, name.root, size)),
    field?.root ?? null,
    was.button && !field && el('p', { class: 'quiet' }, says('sentences.newer')),
    look, credit.root, ...ownFields(was, values, changed), problem,
    el('div', { class: 'edit-send' }, save, attempt),
  );
  /** Presses the button. */
  const tryIt = async () => {
    done(null, true);
    await press(s, voice, n);
  };
  /** Changes it. @param {boolean} [isTried] whether it is pressed then */
  const submit = async (isTried = false) => {
    if (!isSound()) {
      tell(msg(values.name.trim() ? 'edit.fault.numbers' : 'edit.fault.name'));
      if (!values.name.trim()) name.input.focus();
      return;
    }
    const wrong = field?.check();
    if (wrong) {
      tell(wrong);
      return;
    }
    if (save.disabled) return;
    save.disabled = true;
    try {
      if (isTried && !isChanged) {
        await tryIt();
        return;
      }
      setText(save, msg('edit.saving'));
      const { hash: before } = s.catalog;
      const { sha256 } = await s.load('fairness');
      /** @type {Map<string, Uint8Array>} */
      const own = new Map();
      /** @type {Map<number, string>} */
      const hashes = new Map();
      for (const [i, { picture }] of looks) {
        if (!picture) continue;
        const bytes = await encode(picture, values.width,
          was.shape === 'round' ? values.width : values.height);
        const hash = hexOf(sha256(bytes));
        own.set(hash, bytes);
        hashes.set(i, hash);
      }
      const numbers = changesWith(kinds, n);
      const to = changedKinds(kinds, n, filled((_, i) => hashes.get(i) ?? ''));
      const were = numbers.map((i) => fileKind(kinds, i));
      const madeBy = own.size > 0 ? credit.take() : {};
      const refused = await send(s, numbers, were, to, own, {
        refuse: field?.refuse, credit: madeBy,
      });
      if (refused === '') {
        isChanged = false;
        voice.notice(msg('edit.isChanged', { name: values.name.trim() }));
        done({ name: values.name.trim(), numbers, were }, isTried);
        if (!isTried) return;
        await waitWhile(() => s.catalog.hash === before, LATE);
        ({ kinds } = await kindsOf(s));
        await press(s, voice, n);
      } else tell(refused);
    } catch (error) {
      tell(whyOf(error));
    } finally {
      save.disabled = false;
      setText(save, msg('edit.saveChange'));
    }
  };
  changed();
  isChanged = false;
  return {
    root,
    focus: () => {
      heading.focus({ preventScroll: true });
    },
    /** Shows what the table has now. */
    refresh: () => field?.refresh(),
    /** Presses the button, which has just been put on the table. */
    tryIt: () => {
      attempt?.focus({ preventScroll: true });
      return tryIt();
    },
  };
}

/**
 * Takes a change back.
 * @param {State} s
 * @param {Change} change
 * @returns {Promise<string>} why that failed; '': it is done
 */
export function takeBack(s, { numbers, were }) {
  return send(s, numbers, null, were, new Map());
}

/**
 * Sends what kinds become. If others have changed kinds meanwhile, but not these, it does so again.
 * @param {State} s
 * @param {number[]} numbers
 * @param {FileKind[]|null} were what they must still be; null: it does not matter
 * @param {FileKind[]} to
 * @param {Map<string, Uint8Array>} own new pictures, by their hashes
 * @param {object} [how]
 * @param {((detail: string) => string)|undefined} [how.refuse] says where something is wrong; ''
 *   if it cannot
 * @param {import('./credit.js').Credit} [how.credit] who made the new pictures
 * @returns {Promise<string>} why that failed; '': it is done
 */
async function send(s, numbers, were, to, own, { refuse = () => '', credit = {} } = {}) {
  const pictures = new Map(own);
  const known = picturesOf(s.catalog.kinds);
  for (const hash of picturesIn(to)) {
    if (pictures.has(hash) || known.has(hash)) continue; // the table has it (T108)
    const answer = await fetch(s.catalog.base + hash);
    if (!answer.ok) throw new Error(`picture ${hash}: status ${answer.status}`);
    pictures.set(hash, new Uint8Array(await answer.arrayBuffer()));
  }
  for (let i = 0; i < ATTEMPTS; i++) {
    const { hash, kinds } = await kindsOf(s);
    const now = numbers.map((n) => fileKind(kinds, n));
    if (were && JSON.stringify(now) !== JSON.stringify(were)) break;
    const answer = await addKinds(s, to, pictures, { credit, change: { numbers, was: hash } });
    if (Array.isArray(answer)) return '';
    if (answer.code !== 'kinds-changed') return refuse(answer.detail ?? '') || answer.text;
    await new Promise((done) => setTimeout(done, 300)); // the newest catalogue is on its way
  }
  return msg('edit.why.kinds-changed');
}

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');

/**
 * Returns the pictures of a kind as data: URLs, by their hashes: those that the page has.
 * @param {State} s
 * @param {FileKind} kind
 * @returns {Promise<Record<string, string>>}
 */
async function sourcesOf(s, kind) {
  /** @type {Record<string, string>} */
  const all = {};
  await Promise.all(picturesIn([kind]).filter((hash) => /^[0-9a-f]{64}$/.test(hash)).map(
    async (hash) => {
      const answer = await fetch(s.catalog.base + hash);
      if (answer.ok) all[hash] = await urlOf(await answer.blob());
    },
  )).catch(() => {}); // the form works without them
  return all;
}

/** @param {Blob} blob @returns {Promise<string>} */
const urlOf = (blob) => new Promise((done, failed) => {
  const reader = new FileReader();
  reader.onload = () => done(String(reader.result));
  reader.onerror = failed;
  reader.readAsDataURL(blob);
});

/**
 * @param {string} shape
 * @param {{width: number, height: number}} values
 * @param {() => void} changed
 */
function sizeFields(shape, values, changed) {
  const bounds = { min: LEAST_SIZE, max: MOST_SIZE, step: /** @type {const} */ ('any') };
  const isRound = shape === 'round';
  const width = numberField(msg(isRound ? 'edit.field.across' : 'edit.field.width'), values.width,
    bounds, (n) => {
      values.width = n;
      if (isRound) values.height = n;
      changed();
    });
  const height = numberField(msg('edit.field.height'), values.height, bounds, (n) => {
    values.height = n;
    changed();
  });
  return el('div', { class: 'edit-row' }, width.root, isRound ? null : height.root);
}

/**
 * Makes the fields for how the sides look, one side at a time.
 * @param {object} on
 * @param {{i: number, name: string}[]} on.sides
 * @param {(i: number) => {
 *   colour: string, text: string, picture: Picture|null, name: string, hasPicture: boolean
 * }} on.of
 * @param {(i: number) => void} on.choose
 * @param {(i: number, of: {
 *   colour: string, text: string, picture: Picture|null, name: string
 * }) => void} on.set
 * @param {(text: string) => void} on.tell
 */
function lookFields({ sides, of, choose, set, tell }) {
  let [{ i: now }] = sides;
  const put = (/** @type {Partial<ReturnType<typeof of>>} */ more) => {
    const { colour, text, picture, name } = { ...of(now), ...more };
    set(now, { colour, text, picture, name });
    setAttr(colourIs.root, 'hidden', picture ? '' : null);
    setAttr(text_.root, 'hidden', picture ? '' : null);
  };
  const named = textField(msg('edit.field.sideName'), of(now).name, MOST_NAME, (name) => {
    if (name.trim()) put({ name: wellFormed(name) });
  });
  const colourIs = colourField(of(now).colour, (colour) => put({ colour, picture: null }));
  const text_ = textField(msg('edit.field.text'), of(now).text, MOST_TEXT, (text) =>
    put({ text, picture: null }));
  const file = el('input', {
    type: 'file', hidden: true, accept: 'image/png,image/jpeg,image/webp,image/gif,image/svg+xml',
    onchange: async () => {
      const [one] = file.files ?? [];
      file.value = '';
      if (!one) return;
      tell('');
      try {
        put({ picture: await readPicture(one) });
      } catch (error) {
        tell(whyOf(error));
      }
    },
  });
  const pick = el('button', { class: 'secondary', type: 'button', onclick: () => file.click() },
    icon('picture'), msg('edit.picture.choose'));
  const select = el('select', {
    id: newId(),
    onchange: () => {
      now = Number(select.value);
      const { colour, text, name, picture } = of(now);
      named.input.value = name;
      colourIs.input.value = colour;
      text_.input.value = text;
      colourIs.root.hidden = text_.root.hidden = picture !== null;
      choose(now);
    },
  }, ...sides.map(({ i, name }) => el('option', { value: i }, name)));
  return el('fieldset', { class: 'edit-look' }, el('legend', {}, msg('edit.picture.title')),
    sides.length > 1 ? labelled(select, msg('edit.field.side')).root : null,
    sides.length > 1 ? named.root : null,
    el('div', { class: 'edit-row' }, pick, file),
    el('div', { class: 'edit-row' }, colourIs.root, text_.root));
}

/**
 * Makes the fields that only some kinds have.
 * @param {FileKind} was
 * @param {any} values
 * @param {() => void} changed
 */
function ownFields(was, values, changed) {
  const number = (
    /** @type {any} */ of, /** @type {string} */ key, /** @type {string} */ label,
    /** @type {{min: number, max: number, step?: number|'any'}} */ bounds,
  ) => numberField(label, of[key], bounds, (n) => {
    of[key] = n;
    changed();
  }).root;
  const any = { min: -MOST_NUMBER, max: MOST_NUMBER };
  const row = (/** @type {HTMLElement[]} */ ...all) => el('div', { class: 'edit-row' }, ...all);
  if (was.counter) return [row(
    number(values.counter, 'min', msg('edit.field.from'), any),
    number(values.counter, 'max', msg('edit.field.to'), any),
    number(values.counter, 'initial', msg('edit.field.start'), any),
  )];
  if (was.clock) return [row(
    number(values, 'minutes', msg('edit.field.minutes'), { min: 0, max: 1000, step: 'any' }),
    number(values, 'increment', msg('edit.field.increment'), { min: 0, max: 3600, step: 'any' }),
  )];
  if (was.text) return [textField(msg('edit.field.note'), values.text, MOST_TEXT, (text) => {
    values.text = text;
    changed();
  }).root];
  if (!was.zone) return [];
  const gap = number(values, 'gap', msg('edit.field.gap'),
    { min: LEAST_SIZE, max: MOST_SIZE, step: 'any' });
  const draw = () => {
    gap.hidden = values.lay === 'pile' || values.lay === 'free';
  };
  const lay = el('select', {
    id: newId(),
    onchange: () => {
      values.lay = lay.value;
      if (!values.gap) values.gap = values.width;
      draw();
      changed();
    },
  }, ...LAYS.map((one) => el(
    'option', { value: one, selected: one === values.lay }, msg(`edit.lay.${one}`),
  )));
  draw();
  return [labelled(lay, msg('edit.field.lay')).root, gap];
}
