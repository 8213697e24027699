// The pictures in a file that somebody brings, as decks take them. Only this module knows which
// files have several.

import { isBundle, picturesOf as inFile } from '../bundles.js';

/** What can be chosen beside pictures, as in `accept`, each behind a comma. */
export const ALSO = ',application/pdf,application/zip,.pdf,.zip';

/**
 * Returns the pictures in a file: those of a PDF or a zip, or the file itself.
 * @param {File} file
 * @param {{progress?: (done: number, of: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<{name: string, blob: Blob}[]>}
 */
export async function picturesOf(file, { progress = () => {}, signal } = {}) {
  if (!(await isBundle(file))) return [{ name: file.name, blob: file }];
  return inFile(file, { signal, progress: (done) => progress(done, 1) });
}
