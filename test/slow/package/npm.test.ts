/**
 * What a stranger installs: the package as it would be published, in an empty prefix that nobody
 * can write, used by another user; and a clone in a folder with a space in its name, where git is
 * told to end lines in CRLF.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { canBeOtherUser, OTHER_USER } from '../../fixtures/cli/users.ts';
import { isClone, packInto, ROOT, sh, tryOut, WALLET } from '../../fixtures/package/package.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

/** Every file below `folder` with its content. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')]);

describe('the package', () => {
  let folder: string;
  let tarball: string;
  beforeAll(() => {
    folder = temporaryFolder();
    tarball = packInto(folder);
  });

  it('says where it comes from, and brings what it runs with, but nothing for development', () => {
    const manifest = JSON.parse(sh(`tar -xOf '${tarball}' package/package.json`, folder));
    expect(manifest).toMatchObject({ name: 'riskcli', author: expect.any(String), bin: { riskcli: 'bin/riskcli.js' } });
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`npm install -g ./${basename(tarball)}`);
    const listed = sh(`tar -tf '${tarball}'`, folder).trim().split('\n');
    const isInside = (name: string) => listed.includes(`package/node_modules/${name}/package.json`);
    expect(Object.keys(manifest.dependencies).filter((name) => !isInside(name))).toEqual([]);
    expect(Object.keys(manifest.devDependencies).filter(isInside)).toEqual(['ajv']);
    expect(
      listed.filter((path) => !/^package\/(bin|dist|completions|docs|share|node_modules|[^/]+$)/.test(path)),
    ).toEqual([]);
    expect(listed.filter((path) => path.startsWith('package/dist/')).sort()).toEqual(
      ['complete.cjs', 'completion.json', 'main.cjs'].map((name) => `package/dist/${name}`),
    );
  });

  it('has a bill of materials that names each package in it, and no other', () => {
    const bill = JSON.parse(sh(`node .config/bill-of-materials.mjs '${tarball}'`, ROOT));
    const manifests = sh(`tar -tf '${tarball}'`, folder).match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/gm);
    const packed = manifests?.map((path) => JSON.parse(sh(`tar -xOf '${tarball}' '${path}'`, folder)));
    const shown = ({ name, version }: { readonly name: string; readonly version: string }) => `${name}@${version}`;
    expect(bill.components.map(shown).sort()).toEqual(packed?.map(shown).sort());
    expect(shown(bill.metadata.component)).toBe(shown(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))));
  });

  it('is the same bytes when it is packed in another folder, and packing changes nothing in the tree', () => {
    const status = () => sh('git status --porcelain', ROOT);
    const before = status();
    const copy = join(temporaryFolder(), 'another folder');
    mkdirSync(copy);
    sh(`git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t '${copy}'`, ROOT);
    sh(`cp -rl node_modules '${copy}' || cp -r node_modules '${copy}'`, ROOT);
    expect(readFileSync(packInto(temporaryFolder(), copy)).equals(readFileSync(tarball))).toBe(true);
    expect(status()).toBe(before);
  });

  it('works in a prefix with a space in its name that is read-only, for another user', async () => {
    const prefix = join(folder, 'the prefix');
    const install = `npm install --global --offline --no-audit --no-fund --prefix '${prefix}' '${tarball}' 2>&1`;
    const told = sh(install, folder);
    expect(told).toContain('added 1 package in ');
    sh(`chmod -R a-w,a+rX '${prefix}'`, folder);
    const before = contentOf(prefix);

    const home = join(folder, 'home');
    const who = canBeOtherUser() ? OTHER_USER : {};
    sh(`mkdir '${home}'; ${who === OTHER_USER ? `chown ${OTHER_USER.uid}:${OTHER_USER.gid} '${home}'` : ':'}`, folder);
    await tryOut({ cwd: home, home, env: { PATH: `${prefix}/bin:${process.env.PATH}` }, ...who });
    expect(contentOf(prefix)).toEqual(before);
  });
});

describe.skipIf(!isClone)('a clone in a folder with a space, of a git that ends lines in CRLF', () => {
  it('has the lines as they were, builds, runs and is tested', () => {
    const clone = join(temporaryFolder(), 'a clone');
    sh(`git clone -q -c core.autocrlf=true -c core.eol=crlf '${ROOT}' '${clone}'`, '/');
    const ends = sh('git ls-files --eol', clone).trim().split('\n');
    expect(ends.filter((line) => /\bw\/(crlf|mixed)\b/.test(line))).toEqual([]);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    sh('npm run build', clone);
    expect(sh(`npx riskcli profile --sandbox -q --json ${WALLET}`, clone)).toContain(WALLET);
    const files = ['architecture', 'cli/keys/keys', 'process/files/settings', 'unit/session/key-state'];
    const tests = files.map((name) => `test/${name}.test.ts`).join(' ');
    expect(sh(`NO_COLOR=1 npm test -- ${tests} 2>&1 || :`, clone)).toMatch(/Test Files +4 passed/);
  });
});
