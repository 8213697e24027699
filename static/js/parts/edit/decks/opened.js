// The pictures in a file that somebody brings. Only this module knows which files have several.

/** What can be chosen beside pictures, as in `accept`, each behind a comma. */
export const ALSO = '';

/**
 * Returns the pictures in a file: the file itself.
 * @param {File} file
 * @param {{progress?: (done: number, of: number) => void, signal?: AbortSignal}} [_options]
 * @returns {Promise<{name: string, blob: Blob}[]>}
 */
export const picturesOf = async (file, _options) => [{ name: file.name, blob: file }];
