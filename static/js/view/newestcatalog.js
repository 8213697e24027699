// Which catalogue of kinds the page loads: the one that the stream has announced last (T37).

/** Milliseconds after which a catalogue is requested again that could not be loaded. */
const AGAIN = 3000;

/**
 * Loads the catalogue that the table names, and another one when the table names that.
 * @template C
 * @param {object} options
 * @param {() => string|undefined} options.named the hash of the catalogue that was announced last
 * @param {(hash: string) => Promise<C>} options.load may fail
 * @param {(catalog: C) => void} options.take gets the catalogue, unless another one was announced
 * @param {() => void} options.onFailed it could not be loaded, and is requested again later
 * @returns {{check: () => void, want: (hash: string) => Promise<void>, stop: () => void}} `check`
 *   looks whether another one was announced; `want` loads one before the stream names it
 */
export function followCatalog({ named, load, take, onFailed }) {
  let wanted = '';
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const want = async (/** @type {string} */ hash) => {
    if (!hash) return; // the first full state names it
    wanted = hash;
    clearTimeout(timer); // an earlier catalogue is not requested again
    try {
      const loaded = await load(hash);
      if (wanted === hash) take(loaded);
    } catch {
      if (wanted !== hash) return;
      onFailed();
      timer = setTimeout(() => want(hash), AGAIN);
    }
  };
  return {
    check: () => {
      const hash = named();
      if (hash && hash !== wanted) want(hash);
    },
    want,
    stop: () => clearTimeout(timer),
  };
}
