// A document for tests of what the page makes of elements. Only the focus is kept track of.

const GLOBALS = /** @type {any} */ (globalThis);

/** An element that keeps what it is given, and shows nothing. */
export class Element extends EventTarget {
  /** @type {any[]} */
  children = [];
  /** @type {Map<string, string>} */
  attributes = new Map();
  dataset = {};
  value = '';
  hidden = false;
  readOnly = false;
  textContent = '';
  style = {};
  classList = { add() {}, remove() {}, toggle() {} };

  /** @param {any[]} more */
  append(...more) {
    this.children.push(...more);
    if (typeof more[0] === 'string') this.textContent += more[0];
  }

  /** @param {any[]} more */
  replaceChildren(...more) {
    this.children = more;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, value);
    if (name === 'value') this.value = value;
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.attributes.delete(name);
  }

  /** @param {string} name */
  hasAttribute(name) {
    return this.attributes.has(name);
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /** @param {any} other @returns {boolean} */
  contains(other) {
    return other === this || this.children.some((child) => child.contains?.(other));
  }

  after() {}

  prepend() {}

  remove() {}

  focus() {
    GLOBALS.document.activeElement = this;
  }
}

/** Makes the document. */
export function makeDocument() {
  const make = () => new Element();
  GLOBALS.document = { createElement: make, createElementNS: make, activeElement: null };
}

/** Removes it, as tests of other files expect. */
export function removeDocument() {
  delete GLOBALS.document;
}

/** Returns the element that has the focus. */
export const focused = () => GLOBALS.document.activeElement;
