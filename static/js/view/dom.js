// Creates and changes elements. Text enters as text, never as markup.

/**
 * Creates an element. Functions in `props` are listeners, and their names begin with "on". All
 * other props are attributes: false, null and undefined leave an attribute out, true makes it
 * empty. A button submits no form, unless its type says so.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string|number|boolean|null|undefined|((e: any) => void)>} [props]
 * @param {...(Node|string|null|false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  if (tag === 'button') e.setAttribute('type', 'button');
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') e.addEventListener(name.slice(2), value);
    else setAttr(e, name, value);
  }
  for (const child of children) if (child) e.append(child);
  return e;
}

/**
 * Sets an attribute if its value differs, so that the browser recomputes nothing without need.
 * False, null and undefined remove it.
 * @param {Element} e
 * @param {string} name
 * @param {string|number|boolean|null|undefined} value
 */
export function setAttr(e, name, value) {
  if (value === false || value === null || value === undefined) {
    if (e.hasAttribute(name)) e.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (e.getAttribute(name) !== text) e.setAttribute(name, text);
}

/**
 * Sets the text of an element if it differs.
 * @param {Element} e @param {string} text
 */
export function setText(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

/**
 * Adds a listener. Returns a function that removes it.
 * @param {EventTarget} target
 * @param {string} type
 * @param {(e: any) => void} f
 * @param {AddEventListenerOptions} [options]
 * @returns {() => void}
 */
export function on(target, type, f, options) {
  target.addEventListener(type, f, options);
  return () => target.removeEventListener(type, f, options);
}

/**
 * Returns one function that calls all of them.
 * @param {...(() => void)} fs
 * @returns {() => void}
 */
export function all(...fs) {
  return () => {
    for (const f of fs) f();
  };
}

/**
 * Moves an element to another parent. It keeps the focus, the scroll position, and images and
 * animations where the browser supports that.
 * @param {Element} parent
 * @param {Element} child
 */
export function moveInto(parent, child) {
  if (child.parentNode === parent) return;
  const p = /** @type {Element & {moveBefore?: (n: Node, before: Node|null) => void}} */ (parent);
  if (p.moveBefore && child.isConnected) {
    // Chromium scrolls to the focus then. That is right only for somebody who uses keys.
    const scrolled = child.matches(':focus:not(:focus-visible)') ? child.closest('.window') : null;
    const { scrollLeft: left = 0, scrollTop: top = 0 } = scrolled ?? {};
    p.moveBefore(child, null);
    scrolled?.scrollTo({ left, top, behavior: 'instant' });
  } else {
    const focused = document.activeElement === child;
    parent.append(child);
    if (focused) /** @type {HTMLElement} */ (child).focus({ preventScroll: true });
  }
}

/**
 * Creates an animation of the transform that stays paused and never runs. While it exists, Chromium
 * assumes that the element may be anywhere. So it does not recompute the layers of the page each
 * time the transform changes, and does not look for what has come into sight. Both look at every
 * piece of the table, and are most of the cost of a step when many pieces are turned or a crowded
 * table is zoomed.
 * @param {Element} e
 */
export function expectMotion(e) {
  const pledge = e.animate({ transform: ['none', 'none'] }, { delay: 1, duration: 1 });
  pledge.pause();
  return pledge;
}

/** @type {MediaQueryList|undefined} read in every frame, so it is created once */
let reduced;

/** Returns whether the person wants things to appear at their new place without motion. */
export function wantsStill() {
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)');
  return reduced.matches;
}

/** Screens of phones: as the style sheets say. */
export const SMALL = '(max-width: 700px), (max-height: 480px)';

/**
 * Returns whether the window is as narrow as a phone held upright, or as low as one held sideways.
 */
export function isSmall() {
  return matchMedia(SMALL).matches;
}

/**
 * Waits until the browser is idle.
 * @param {IdleRequestOptions} [options] with the longest time to wait, in ms, for a browser that is
 *   never idle; missing: any
 * @returns {Promise<void>}
 */
export function whenIdle(options) {
  return new Promise((done) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => done(), options);
    else setTimeout(done, 50);
  });
}
