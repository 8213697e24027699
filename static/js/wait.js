// Waits for what no event announces.

/** How often it is looked, in ms. */
const LOOK = 20;

/**
 * Waits while something holds, for a time at most.
 * @param {() => boolean} holds
 * @param {number} most in ms
 * @returns {Promise<boolean>} whether it holds no more
 */
export async function waitWhile(holds, most) {
  const end = performance.now() + most;
  while (holds()) {
    if (performance.now() > end) return false;
    await new Promise((look) => setTimeout(look, LOOK));
  }
  return true;
}
