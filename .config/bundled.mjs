// Which packages the bundles hold, read from what esbuild tells of them. The licence texts and the bill of materials are made
// from this one list, so that neither can name a package that the other does not.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * What a package carries inside itself, by the package. undici's parser is llhttp, compiled to WebAssembly: undici's own
 * package has neither the licence nor the version of it, so the licence stands here, and no version is claimed.
 */
const CARRIED = {
  undici: {
    name: 'llhttp',
    website: 'https://github.com/nodejs/llhttp',
    license: 'MIT',
    licenceText: `Copyright Fedor Indutny, 2018.\n\n${MIT}`,
  },
};

/**
 * The packages of which at least one byte is in an output, by name, and who uses them.
 * @param root the folder of package-lock.json, which the paths in metafiles are relative to
 * @param metafiles of all that is bundled (https://esbuild.github.io/api/#metafile)
 * @returns the packages, each with the folders of those that it `uses`, and the folders of those that riskcli itself uses
 */
export function bundledPackages(root, metafiles) {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const folders = writtenFolders(metafiles);
  const usedBy = (folder) => [...usedFolders(metafiles, folder)].filter((used) => folders.has(used)).sort();
  const packages = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return {
      folder,
      name,
      version,
      license,
      licenceText: licenceIn(join(root, folder)) ?? `Licence: ${license}`,
      integrity: integrityOf(locked, { name, version }),
      carries: CARRIED[name],
      uses: usedBy(folder),
    };
  });
  return { packages, uses: usedBy(undefined) };
}

/** The texts of all licences, to be read. */
export function licenceTexts(packages) {
  const title = ({ name, version, license }) => `${[name, version].filter(Boolean).join(' ')} (${license})`;
  return packages
    .flatMap((one) => [one, one.carries].filter(Boolean))
    .map((one) => `${title(one)}\n\n${one.licenceText}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to; undefined for our own files. */
function folderOf(path) {
  return /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function writtenFolders(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.entries(output.inputs)),
  );
  const written = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return new Set(written.map(([path]) => folderOf(path)).filter(Boolean));
}

function usedFolders(metafiles, user) {
  const files = metafiles.flatMap(({ inputs }) => Object.entries(inputs)).filter(([path]) => folderOf(path) === user);
  const used = files.flatMap(([, { imports }]) => imports.map(({ path }) => folderOf(path)));
  return new Set(used.filter((folder) => folder !== user));
}

function licenceIn(folder) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file && readFileSync(join(folder, file), 'utf8').trim();
}

/** The checksum of the package's tarball; undefined where another package manager chose a version that npm's lockfile has not. */
function integrityOf(locked, { name, version }) {
  const found = Object.entries(locked).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  );
  return found?.[1].integrity;
}
