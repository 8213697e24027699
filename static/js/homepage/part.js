// Parts of the front page by their names.

/** @param {ParentNode} in_ @param {string} name @returns {HTMLElement} */
export function part(in_, name) {
  const found = in_.querySelector(`[data-${name}]`);
  if (!(found instanceof HTMLElement)) throw new Error(`no data-${name} on the page`);
  return found;
}
