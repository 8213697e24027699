// The pictures in a file that somebody brings.

/**
 * Returns the pictures in a file: the file itself.
 * @param {File} file
 * @param {{progress?: (done: number, of: number) => void, signal?: AbortSignal}} [_options]
 * @returns {Promise<{name: string, blob: Blob}[]>}
 */
export const picturesOf = async (file, _options) => [{ name: file.name, blob: file }];
