// Writes static/js/vendor/papaparse.js: Papa Parse as npm has it, with its licence, as a module. It
// is published as a script that looks for a `module` of CommonJS, so it gets one.
//
//     node scripts/vendor/papaparse.mjs

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const PACKAGE = new URL('node_modules/papaparse/', ROOT);

/** Where the module is. */
export const VENDORED = new URL('static/js/vendor/papaparse.js', ROOT);

/** Returns the text of the module, made of the package. */
export function papaparse() {
  const read = (/** @type {string} */ name) => readFileSync(new URL(name, PACKAGE), 'utf8').trim();
  const { version } = JSON.parse(read('package.json'));
  return `// @ts-nocheck
// Papa Parse ${version} as npm has it, made by scripts/vendor/papaparse.mjs. Do not edit.
/*! Papa Parse ${version}

${read('LICENSE')}
*/
const module = /** @type {{exports: any}} */ ({ exports: {} });
const { exports } = module;
${read('papaparse.min.js')}
export default module.exports;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(VENDORED, papaparse());
