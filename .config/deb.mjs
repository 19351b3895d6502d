// Makes the package for Debian, in the folder that is named (or this one): the files of the npm package, in the places that
// Debian has for them. No root is needed, and nothing runs at installation. A commit always makes the same bytes: owners are
// root, dpkg-deb sorts, and no time is later than SOURCE_DATE_EPOCH, which is the time of the commit unless it is set.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changelogText, controlText, copyrightText, debianVersion } from './deb-texts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const destination = resolve(process.argv[2] ?? '.');

const APP = 'usr/share/riskcli';
const DOC = 'usr/share/doc/riskcli';
/** Where what the npm package holds goes; the first line that fits decides. What has no place is left out by name. */
const PLACES = [
  [/^dist\/man\/(.*\.(\d))$/, 'usr/share/man/man$2/$1'],
  [/^dist\/(sbom\.cdx\.json)$/, `${DOC}/$1`],
  [/^share\/systemd\/(.*)/, 'usr/lib/systemd/system/$1'],
  [/^share\/(.*)/, `${APP}/$1`],
  [/^((bin|dist|completions)\/.*)/, `${APP}/$1`],
  [/^(README\.md|docs\/.*)$/, `${DOC}/$1`],
];
/** The licences are in `copyright`, the changes in `changelog`, the manifest is npm's. */
const LEFT_OUT = /^(LICENSE|CHANGELOG\.md|package\.json|dist\/THIRD-PARTY-LICENSES\.txt)$/;

/**
 * The scripts stay where `riskcli completion` reads them. PowerShell has no folder that it would load them from: there, a line
 * in $PROFILE names the file.
 */
const LINKS = {
  'usr/bin/riskcli': `${APP}/bin/riskcli.js`,
  'usr/share/bash-completion/completions/riskcli': `${APP}/completions/riskcli.bash`,
  'usr/share/zsh/vendor-completions/_riskcli': `${APP}/completions/_riskcli`,
  'usr/share/fish/vendor_completions.d/riskcli.fish': `${APP}/completions/riskcli.fish`,
};
/** Debian's rule: manual pages, changelogs and long documents are compressed. */
const COMPRESSED = /^usr\/share\/(man\/.*|doc\/riskcli\/(changelog|.*\.md))$/;
const EXECUTABLE = `${APP}/bin/riskcli.js`;

const work = mkdtempSync(join(tmpdir(), 'riskcli-deb-'));
try {
  process.stdout.write(`${make()}\n`);
} catch (error) {
  process.stderr.write(`npm run deb: ${isMissing(error) ? `${error.path} is not installed` : error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @returns the name of the package's file */
function make() {
  run('dpkg-deb', ['--version']);
  const epoch = process.env.SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct'], { cwd: root }).trim();
  const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };
  const packed = unpack(env);
  const stage = join(work, 'stage');
  arrange(packed, stage);
  const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const readme = readFileSync(join(stage, DOC, 'README.md'), 'utf8');
  document(packed, { stage, manifest, epoch });
  writeControl(stage, (size) => controlText({ manifest, readme, size }));
  const file = `riskcli_${debianVersion(manifest.version)}_all.deb`;
  // One thread: how many there are would be seen in the bytes.
  const options = ['--root-owner-group', '-Zxz', '-z9', '--threads-max=1'];
  run('dpkg-deb', [...options, '--build', stage, join(destination, file)], { env });
  return file;
}

function isMissing({ code, syscall }) {
  return code === 'ENOENT' && syscall?.startsWith('spawn');
}

function run(program, args, options = {}) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });
}

/** The folder of what `npm publish` would publish. */
function unpack(env) {
  const tarball = run(process.execPath, [join(root, '.config/pack.mjs'), work], { env }).trim();
  run('tar', ['-xzmf', tarball], { cwd: work });
  return join(work, 'package');
}

function arrange(packed, stage) {
  for (const path of filesIn(packed)) {
    const [pattern, place] = PLACES.find(([pattern]) => pattern.test(path)) ?? [];
    if (LEFT_OUT.test(path)) continue;
    if (!pattern) throw new Error(`.config/deb.mjs has no place for ${path}`);
    put(join(stage, path.replace(pattern, place)), (target) => renameSync(join(packed, path), target));
  }
  for (const [link, target] of Object.entries(LINKS)) {
    put(join(stage, link), (path) => symlinkSync(relative(dirname(link), target), path));
  }
  // The node that the package depends on, whatever stands first in somebody's PATH.
  const launcher = readFileSync(join(stage, EXECUTABLE), 'utf8');
  writeFileSync(join(stage, EXECUTABLE), launcher.replace(/^#!.*/, '#!/usr/bin/node'));
}

/** The two documents that each package of Debian has; those that are to be compressed are. */
function document(packed, { stage, manifest, epoch }) {
  const read = (name) => readFileSync(join(packed, name), 'utf8');
  const bill = JSON.parse(readFileSync(join(stage, DOC, 'sbom.cdx.json'), 'utf8'));
  writeFileSync(
    join(stage, DOC, 'copyright'),
    copyrightText({ manifest, licence: read('LICENSE'), bill, bundles: `${APP}/dist/*` }),
  );
  writeFileSync(join(stage, DOC, 'changelog'), changelogText(read('CHANGELOG.md'), { manifest, epoch }));
  const compressed = filesIn(stage).filter((path) => COMPRESSED.test(path));
  run('gzip', ['-9n', ...compressed], { cwd: stage });
}

/** What dpkg is told of the package. The modes do not depend on the umask of whoever builds. */
function writeControl(stage, control) {
  const files = filesIn(stage);
  const isLink = (path) => lstatSync(join(stage, path)).isSymbolicLink();
  const plain = files.filter((path) => !isLink(path));
  const kilobytes = files.map((path) => Math.ceil(lstatSync(join(stage, path)).size / 1024));
  const size = kilobytes.reduce((sum, one) => sum + one, 0);
  const sums = plain.map((path) => `${md5(readFileSync(join(stage, path)))}  ${path}\n`);
  put(join(stage, 'DEBIAN/md5sums'), (path) => writeFileSync(path, sums.join('')));
  writeFileSync(join(stage, 'DEBIAN/control'), control(size));
  for (const path of [...plain, 'DEBIAN/md5sums', 'DEBIAN/control']) {
    chmodSync(join(stage, path), path === EXECUTABLE ? 0o755 : 0o644);
  }
  for (const folder of foldersIn(stage)) chmodSync(folder, 0o755);
}

function put(path, write) {
  mkdirSync(dirname(path), { recursive: true });
  write(path);
}

function md5(content) {
  return createHash('md5').update(content).digest('hex');
}

function entriesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}

/** Files and links below `folder`, sorted. */
function filesIn(folder) {
  return entriesIn(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

function foldersIn(folder) {
  const below = entriesIn(folder).filter((entry) => entry.isDirectory());
  return [folder, ...below.map(({ parentPath, name }) => join(parentPath, name))];
}
