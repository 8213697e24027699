// Fetches the libraries that the page loads, as npm has them, into static/js/vendor. The list is
// scripts/js/vendor.json.
//
//   node scripts/vendor.mjs           writes the files, and their hashes into the list
//   node scripts/vendor.mjs --check   compares, and writes nothing

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIST = new URL('js/vendor.json', import.meta.url);
const FOLDER = new URL('../static/js/vendor/', import.meta.url);

const isCheck = process.argv.includes('--check');
const list = JSON.parse(readFileSync(LIST, 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'vendor-'));
let differs = 0;
try {
  for (const { name, version, files } of list) {
    const quiet = { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], quiet).trim();
    for (const file of files) {
      const bytes = execFileSync('tar', ['-xzOf', packed, `package/${file.from}`],
        { cwd: work, maxBuffer: 64 << 20 });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (isCheck && sha256 !== file.sha256) {
        console.error(`${file.as} is not ${file.from} of ${name} ${version}`);
        differs++;
      }
      if (isCheck) continue;
      file.sha256 = sha256;
      writeFileSync(new URL(file.as, FOLDER), bytes);
    }
  }
} finally {
  rmSync(work, { recursive: true });
}
if (!isCheck) writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
process.exitCode = differs > 0 ? 1 : 0;
