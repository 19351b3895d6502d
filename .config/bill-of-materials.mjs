// `node .config/bill-of-materials.mjs riskcli-0.1.0.tgz` prints the bill of materials of what is in
// the tarball (CycloneDX). In a clone `npm sbom --omit=dev` leaves out what development needs as
// well.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, , tarball = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'riskcli-'));
// npm names a package after its folder.
const cwd = join(folder, 'riskcli');
try {
  mkdirSync(cwd);
  execFileSync('tar', ['-xzf', tarball, '-C', cwd, '--strip-components=1']);
  // npm would miss those that are not there.
  execFileSync('npm', ['pkg', 'delete', 'devDependencies'], { cwd });
  execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
