// The libraries of others (static/js/vendor). Each is loaded when it is needed.

/** Their files, by what they are for. */
const FILES = {
  pdf: 'pdfjs-4.1.392.mjs',
  pdfWorker: 'pdfjs-worker-4.1.392.mjs',
  zip: 'fflate-0.8.3.mjs',
  svg: 'dompurify-3.5.0.mjs',
};

/** Attempts that failed. A new address avoids a failure that the browser remembers. */
let failed = 0;

/** Returns the address of a library. @param {keyof typeof FILES} name */
export function addressOf(name) {
  const main = document.querySelector('main');
  return `${main?.dataset.assets}js/vendor/${FILES[name]}${failed ? `?again=${failed}` : ''}`;
}

/**
 * Loads a library.
 * @param {keyof typeof FILES} name
 * @returns {Promise<any>} its module
 */
export async function library(name) {
  try {
    return await import(addressOf(name));
  } catch (error) {
    failed++;
    throw error;
  }
}
