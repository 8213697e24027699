// The form of something that is being made: a name, a size, how it looks, and what only this sort
// of piece needs, with a picture of it that follows.

import { kindNamed } from '../../view/catalog.js';
import { el, setAttr, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import {
  LAYS, LEAST_SIZE, MOST_NAME, MOST_NUMBER, MOST_SIDES, MOST_SIZE, MOST_TEXT, faultOf, kindsOf,
  readSides, startOf, withSides,
} from './kinds.js';
import { msg } from './msg.js';
import { ACCEPTED, isBundle } from './bundles.js';
import { creditFields } from './credit.js';
import { Unusable, encode, readPicture } from './picture.js';
import { drawPreview } from './preview.js';
import { isGivenUp, progressPlace } from './progress.js';
import { addKinds, hasKind } from './send.js';
import { createField } from './sentences/field.js';
import { msg as says } from './sentences/msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./kinds.js').Recipe} Recipe */
/** @typedef {import('./kinds.js').Values} Values */
/** @typedef {import('./picture.js').Picture} Picture */

/** What has the ratio of its picture. */
const FITTING = new Set(['board', 'token', 'tile']);

/**
 * Makes a form.
 * @param {State} s
 * @param {Voice} voice
 * @param {Recipe} recipe
 * @param {(kind: number, isTried: boolean) => void} done called when the piece is on the table,
 *   and whether it is to be tried there
 * @param {(file: File) => void} open called with a file that has several pictures
 */
export function createForm(s, voice, recipe, done, open) {
  const { asks } = recipe;
  const makes = msg(`edit.makes.${recipe.id}`);
  const v = startOf(recipe, freeName(s, makes));
  /** The pictures of the sides. @type {{front: Picture|null, back: Picture|null}} */
  const pictures = { front: null, back: null };
  const has = (/** @type {Recipe['asks'][number]} */ what) => asks.includes(what);
  const preview = el('div', { class: 'edit-preview', role: 'img', 'aria-label': '' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const rest = msg(recipe.id === 'hand' ? 'edit.secretToken' : 'edit.plainToken');
  const words = () => ({
    rest,
    back: v.back.text.trim() || msg('edit.back.name', { name: v.name.trim() }),
  });
  let isPut = false;
  const credit = creditFields(textField);
  const busy = progressPlace();
  const changed = () => {
    tell('');
    credit.root.hidden = !pictures.front && !pictures.back;
    height.root.hidden = v.shape === 'round';
    setText(width.label, msg(v.shape === 'round' ? 'edit.field.across' : 'edit.field.width'));
    if (faultOf(recipe, v)) return;
    const marked = { ...v, front: { ...v.front }, back: { ...v.back } };
    for (const side of /** @type {const} */ (['front', 'back']))
      if (pictures[side]) marked[side].art = side;
    const [kind] = kindsOf(recipe, marked, words());
    setAttr(preview, 'aria-label', msg('edit.preview', { what: makes }));
    drawPreview(s, preview, kind, {
      front: pictures.front?.shown ?? '', back: pictures.back?.shown ?? '',
    });
  };

  const nameField = textField(msg('edit.field.name'), v.name, MOST_NAME, (text) => {
    v.name = text;
    changed();
  });
  const width = sizeField(v.width, (n) => {
    v.width = n;
    changed();
  }, msg('edit.field.width'));
  const height = sizeField(v.height, (n) => {
    v.height = n;
    changed();
  }, msg('edit.field.height'));

  /** Gives the piece the ratio of its picture. @param {Picture} picture */
  const fit = (picture) => {
    if (!FITTING.has(recipe.id) || v.shape === 'round') return;
    const longer = Math.max(v.width, v.height);
    const scale = longer / Math.max(picture.width, picture.height);
    v.width = Math.max(LEAST_SIZE, Math.round(picture.width * scale));
    v.height = Math.max(LEAST_SIZE, Math.round(picture.height * scale));
    width.input.value = String(v.width);
    height.input.value = String(v.height);
  };
  const lookField = (/** @type {'front'|'back'} */ side, /** @type {string} */ title) => {
    const colour = colourField(v[side].colour, (text) => {
      v[side].colour = text;
      changed();
    });
    const text = textField(msg('edit.field.text'), '', MOST_TEXT, (is) => {
      v[side].text = is;
      changed();
    });
    const file = el('input', {
      type: 'file', hidden: true, accept: ACCEPTED,
      onchange: () => {
        const [one] = file.files ?? [];
        file.value = '';
        if (one) void takeOrOpen(one);
      },
    });
    const pick = el('button', { class: 'secondary', onclick: () => file.click() },
      icon('picture'), msg('edit.picture.choose'));
    const remove = el('button', {
      class: 'secondary', hidden: true, 'aria-label': msg('edit.picture.removeIt'),
      onclick: () => {
        pictures[side] = null;
        draw();
        pick.focus();
      },
    }, icon('remove'), msg('edit.picture.remove'));
    const draw = () => {
      const isPicture = pictures[side] !== null;
      colour.root.hidden = isPicture;
      text.root.hidden = isPicture;
      remove.hidden = !isPicture;
      changed();
    };
    /** A file with several pictures has a view of its own. @param {File} one */
    const takeOrOpen = async (one) => {
      if (await isBundle(one)) open(one);
      else await take(one);
    };
    /** @param {Blob} one */
    const take = async (one) => {
      tell('');
      try {
        const picture = await readPicture(one);
        pictures[side] = picture;
        if (side === 'front') fit(picture);
        draw();
      } catch (error) {
        tell(whyOf(error));
      }
    };
    const root = el('fieldset', { class: 'edit-look' }, el('legend', {}, title),
      el('div', { class: 'edit-row' }, pick, remove, file), el(
        'div', { class: 'edit-row' }, colour.root, text.root,
      ));
    return { root, take };
  };
  const front = has('picture')
    ? lookField('front', msg(has('back') ? 'edit.picture.front' : 'edit.picture.title')) : null;
  const back = has('back') ? lookField('back', msg('edit.picture.back')) : null;
  const plain = front ? null : colourField(v.front.colour, (colour) => {
    v.front.colour = colour;
    changed();
  });
  const own = ownFields(recipe, v, changed);
  const does = has('steps') ? createField(s, voice, v.does, changed) : null;
  const heading = el('h3', { tabindex: '-1' }, makes);
  const put = el('button', { class: 'primary', type: 'submit' }, msg('edit.put'));
  const attempt = does && el('button', {
    class: 'secondary', onclick: () => void submit(true),
  }, icon('tryIt'), says('sentences.try'));
  const root = el(
    'form', { class: 'edit-form', novalidate: true, onsubmit: (/** @type {Event} */ e) => {
      e.preventDefault();
      void submit();
    } },
    heading,
    el('div', { class: 'edit-top' }, preview, el(
      'div', { class: 'edit-fields' }, nameField.root,
      has('shape') && shapeField(v, () => {
        if (pictures.front) fit(pictures.front);
        changed();
      }),
      el('div', { class: 'edit-row' }, width.root, height.root),
    )),
    does?.root ?? null, front?.root ?? null, back?.root ?? null, credit.root,
    plain?.root ?? null, ...own,
    recipe.id === 'hand' && el('p', { class: 'quiet' }, msg('edit.about.hand', { rest })),
    recipe.id === 'bag' && el('p', { class: 'quiet' }, msg('edit.about.bag', { rest })),
    problem, busy.root, el('div', { class: 'edit-send' }, put, attempt),
  );

  /** Puts what is filled in on the table. @param {boolean} [isTried] whether it is pressed then */
  const submit = async (isTried = false) => {
    const fault = faultOf(recipe, v);
    if (fault) {
      tell(msg(`edit.fault.${fault}`));
      if (fault === 'name') nameField.input.focus();
      if (fault === 'size') width.input.focus();
      return;
    }
    const wrong = does?.check();
    if (wrong) {
      tell(wrong);
      return;
    }
    if (put.disabled) return;
    put.disabled = true;
    setText(put, msg('edit.putting'));
    try {
      const made = await send();
      if (typeof made === 'number') {
        isPut = true;
        done(made, isTried);
      } else {
        tell(does?.refuse(made.detail ?? '') || made.text);
        if (isTaken(made)) nameField.input.select();
      }
    } catch (error) {
      if (!isGivenUp(error)) tell(whyOf(error));
    } finally {
      put.disabled = false;
      setText(put, msg('edit.put'));
    }
  };
  /** Makes the kind, and one piece of it. Returns its number, or why that failed. */
  const send = async () => {
    const [{ sha256 }, dialogs] = await Promise.all([s.load('fairness'), s.load('dialogs')]);
    /** @type {Map<string, Uint8Array>} */
    const art = new Map();
    const filled = { ...v, front: { ...v.front }, back: { ...v.back } };
    for (const side of /** @type {const} */ (['front', 'back'])) {
      const picture = pictures[side];
      if (!picture) continue;
      const bytes = await encode(picture, v.width, v.shape === 'round' ? v.width : v.height);
      const hash = [...sha256(bytes)].map((b) => b.toString(16).padStart(2, '0')).join('');
      art.set(hash, bytes);
      filled[side].art = hash;
      filled[side].isExact = !picture.isSvg;
    }
    const madeBy = art.size > 0 ? credit.take() : {};
    const add = (/** @type {ReturnType<typeof words>} */ names) =>
      busy.during(msg('edit.progress.sending'), (watching) =>
        addKinds(s, kindsOf(recipe, filled, names), art, { credit: madeBy, watching }));
    let answer = await add(words());
    // something else has the name of the kind that comes along
    if (isTaken(answer) && kindNamed(s.catalog, rest) && !kindNamed(s.catalog, v.name.trim()))
      answer = await add({ ...words(), rest: freeName(s, rest) });
    if (!Array.isArray(answer)) return answer;
    const [kind] = answer;
    if (!(await hasKind(s, kind))) return { code: '', text: msg('edit.late') };
    dialogs.addPiece(s, kind);
    voice.notice(msg('edit.isPut', { name: v.name.trim() }));
    return kind;
  };
  changed();
  return {
    root,
    recipe,
    takesPictures: front !== null,
    /** Whether what is filled in is kept for the next time, as it is more than a few words. */
    isKept: () => !isPut && v.does.sentences.length > 0,
    refresh: () => does?.refresh(),
    takeFile: async (/** @type {File} */ file) => front?.take(file),
    focus: () => {
      // On a phone the field would open the keyboard, which covers the form.
      if (s.input.touch) {
        heading.focus({ preventScroll: true });
        return;
      }
      nameField.input.focus({ preventScroll: true });
      nameField.input.select();
    },
  };
}

/** @param {number[]|import('./send.js').Refused} answer */
const isTaken = (answer) => !Array.isArray(answer) && answer.code === 'kind-taken';

/**
 * Returns a name that no kind of the table has: "Token", "Token 2".
 * @param {State} s
 * @param {string} name
 */
export function freeName(s, name) {
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : msg('edit.numbered', { name, number: n });
    if (!kindNamed(s.catalog, one)) return one;
  }
}

/** Says why a picture cannot be used. @param {unknown} error */
export function whyOf(error) {
  return error instanceof Unusable ? msg(`edit.unusable.${error.why}`) : msg('edit.failed');
}

/**
 * Makes the fields that only some pieces have.
 * @param {Recipe} recipe
 * @param {Values} v
 * @param {() => void} changed
 * @returns {HTMLElement[]}
 */
function ownFields({ asks }, v, changed) {
  const number = (
    /** @type {'from'|'to'|'start'|'gap'|'minutes'|'increment'} */ key,
    /** @type {string} */ label,
    /** @type {{min: number, max: number, step?: number|'any'}} */ bounds,
  ) => numberField(label, v[key], bounds, (n) => {
    v[key] = n;
    changed();
  }).root;
  const row = (/** @type {HTMLElement[]} */ ...all) => el('div', { class: 'edit-row' }, ...all);
  const any = { min: -MOST_NUMBER, max: MOST_NUMBER };
  return asks.flatMap((ask) => {
    switch (ask) {
      case 'sides':
        return sidesFields(v, changed);
      case 'range':
        return row(
          number('from', msg('edit.field.from'), any), number('to', msg('edit.field.to'), any),
          number('start', msg('edit.field.start'), any),
        );
      case 'lay':
        return layFields(v, changed, number('gap', msg('edit.field.gap'),
          { min: LEAST_SIZE, max: MOST_SIZE, step: 'any' }));
      case 'time':
        return row(
          number('minutes', msg('edit.field.minutes'), { min: 0, max: 1000, step: 'any' }),
          number('increment', msg('edit.field.increment'), { min: 0, max: 3600, step: 'any' }),
        );
      case 'note': {
        const area = el('textarea', {
          id: newId(), rows: 3, maxlength: MOST_TEXT,
          oninput: () => {
            v.note = area.value;
            changed();
          },
        });
        return labelled(area, msg('edit.field.note')).root;
      }
      default:
        return [];
    }
  });
}

/** @param {Values} v @param {() => void} changed */
function sidesFields(v, changed) {
  const on = textField(msg('edit.field.sides'), v.sides.join(', '), 2000, (text) => {
    v.sides = readSides(text);
    count.input.value = String(v.sides.length);
    changed();
  });
  const count = numberField(msg('edit.field.sideCount'), v.sides.length,
    { min: 2, max: MOST_SIDES }, (n) => {
      if (!Number.isInteger(n) || n < 1 || n > MOST_SIDES) return;
      v.sides = withSides(v.sides, n);
      on.input.value = v.sides.join(', ');
      changed();
    });
  return [count.root, on.root, el('p', { class: 'quiet edit-hint' }, msg('edit.sidesAbout'))];
}

/** @param {Values} v @param {() => void} changed @param {HTMLElement} gap */
function layFields(v, changed, gap) {
  const lay = el('select', {
    id: newId(),
    onchange: () => {
      const is = LAYS.find((one) => one === lay.value);
      if (is) v.lay = is;
      draw();
      changed();
    },
  }, ...LAYS.map((one) => el(
    'option', { value: one, selected: one === v.lay }, msg(`edit.lay.${one}`),
  )));
  const draw = () => {
    gap.hidden = v.lay === 'pile' || v.lay === 'free';
  };
  draw();
  return [labelled(lay, msg('edit.field.lay')).root, gap];
}

/** @param {Values} v @param {() => void} changed */
function shapeField(v, changed) {
  const group = newId();
  return el('fieldset', { class: 'edit-shapes' }, el('legend', {}, msg('edit.field.shape')),
    ...(/** @type {const} */ (['round', 'rect'])).map((shape) => el('label', {}, el('input', {
      type: 'radio', name: group, value: shape, checked: shape === v.shape,
      onchange: () => {
        v.shape = shape;
        changed();
      },
    }), msg(`edit.shape.${shape}`))));
}

let ids = 0;
export const newId = () => `edit-field-${++ids}`;

/**
 * Puts a label over a field.
 * @template {HTMLElement} T
 * @param {T} input
 * @param {string} text
 */
export function labelled(input, text) {
  const label = el('label', { for: input.id }, text);
  return { input, label, root: el('div', { class: 'edit-field' }, label, input) };
}

/**
 * Makes a field for a line of text.
 * @param {string} label
 * @param {string} value
 * @param {number} most characters
 * @param {(text: string) => void} take
 */
export function textField(label, value, most, take) {
  const input = el('input', {
    id: newId(), type: 'text', value, maxlength: most, autocomplete: 'off',
    oninput: () => take(input.value),
  });
  return labelled(input, label);
}

/**
 * @param {string} label
 * @param {number} value
 * @param {{min: number, max: number, step?: number|'any'}} bounds
 * @param {(n: number) => void} take gets NaN for no number
 */
export function numberField(label, value, { min, max, step = 1 }, take) {
  const input = el('input', {
    id: newId(), type: 'number', value, min, max, step, inputmode: min < 0 ? 'text' : 'decimal',
    oninput: () => take(input.value === '' ? Number.NaN : Number(input.value)),
  });
  return labelled(input, label);
}

/** @param {number} value @param {(n: number) => void} take @param {string} label */
function sizeField(value, take, label) {
  return numberField(label, value, { min: LEAST_SIZE, max: MOST_SIZE, step: 'any' }, take);
}

/** @param {string} value @param {(colour: string) => void} take */
export function colourField(value, take) {
  const input = el('input', {
    id: newId(), type: 'color', value, oninput: () => take(input.value),
  });
  return labelled(input, msg('edit.field.colour'));
}
