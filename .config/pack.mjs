// Packs what is published, into the folder that is named (or this one): the files that package.json lists, under a manifest
// without what only a clone needs. npm would publish `prepare` and the packages that build riskcli, and then warn whoever
// installs it of a script. Nothing in the tree changes. `private` in package.json keeps the tree itself from being published.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const destination = resolve(process.argv[2] ?? '.');
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const stage = mkdtempSync(join(tmpdir(), 'riskcli-pack-'));
try {
  execFileSync(process.execPath, [join(root, '.config/build.mjs')]);
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  for (const { path } of files) cpSync(join(root, path), join(stage, path));
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published(), undefined, 2)}\n`);
  process.stdout.write(`${npm(['pack', '--silent', '--pack-destination', destination], stage).trim()}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function published() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { private: _, scripts, devDependencies, allowScripts, repository, ...rest } = manifest;
  return {
    ...rest,
    homepage: `${repository}#readme`,
    repository: { type: 'git', url: `git+${repository}.git` },
    bugs: { url: `${repository}/issues` },
  };
}
