// Pictures that somebody drops or pastes anywhere on the page.

import { all, on } from '../../view/dom.js';

/**
 * Listens to files that are dropped or pasted.
 * @param {() => boolean} isWanted
 * @param {(file: File, all: File[]) => void} take gets the first one, and all
 * @returns {() => void} stops listening
 */
export function bindFiles(isWanted, take) {
  const hasFiles = (/** @type {DataTransfer|null} */ data) =>
    isWanted() && (data?.types.includes('Files') ?? false);
  const takeFrom = (/** @type {Event} */ e, /** @type {DataTransfer|null} */ data) => {
    if (!hasFiles(data) || isForField(e, data)) return;
    e.preventDefault(); // else the browser would open the file
    const files = [...data?.files ?? []];
    if (files.length > 0) take(files[0], files);
  };
  /** Some programs copy a text as a picture, too: in a field, it is the text. @param {Event} e
   * @param {DataTransfer|null} data */
  const isForField = ({ type, target }, data) => type === 'paste' && target instanceof Element &&
    target.matches('input, textarea') && data?.types.includes('text/plain');
  return all(
    on(document, 'dragover', (/** @type {DragEvent} */ e) => {
      if (hasFiles(e.dataTransfer)) e.preventDefault();
    }),
    on(document, 'drop', (/** @type {DragEvent} */ e) => takeFrom(e, e.dataTransfer)),
    on(document, 'paste', (/** @type {ClipboardEvent} */ e) => takeFrom(e, e.clipboardData)),
  );
}
