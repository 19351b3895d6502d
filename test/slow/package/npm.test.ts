/**
 * What a stranger installs: the package as it would be published, in an empty prefix that nobody can write, used by another
 * user; and a clone in a folder with a space in its name, where git is told to end lines in CRLF.
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

  it('says where it comes from, and has nothing for development in it', () => {
    const manifest = JSON.parse(sh(`tar -xOf '${tarball}' package/package.json`, folder));
    const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'riskcli',
      homepage: `${repository}#readme`,
      repository: { type: 'git', url: `git+${repository}.git` },
      bugs: { url: `${repository}/issues` },
      author: expect.any(String),
      bin: { riskcli: 'bin/riskcli.js' },
    });
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`npm install -g ./${basename(tarball)}`);
    for (const name of ['private', 'scripts', 'dependencies', 'devDependencies', 'allowScripts']) {
      expect(manifest).not.toHaveProperty(name);
    }
    const listed = sh(`tar -tf '${tarball}'`, folder).trim().split('\n');
    expect(listed).toContain('package/dist/THIRD-PARTY-LICENSES.txt');
    expect(listed.filter((path) => !/^package\/(bin|dist|completions|docs|share|[^/]+$)/.test(path))).toEqual([]);
  });

  it('holds no bundle that none asks for, and nothing else that nobody reads', () => {
    const listed = sh(`tar -tf '${tarball}'`, folder).trim().split('\n');
    const bundles = listed.filter((path) => /^package\/dist\/[^/]+\.js$/.test(path));
    const unpacked = temporaryFolder();
    sh(`tar -xf '${tarball}'`, unpacked);
    const code = ['package/bin/riskcli.js', ...bundles]
      .map((path) => readFileSync(join(unpacked, path), 'utf8'))
      .join();
    const isAsked = (path: string) =>
      new RegExp(`require\\(["'](\\./|\\.\\./dist/)${basename(path)}["']\\)`).test(code);
    expect(bundles.filter((path) => !isAsked(path))).toEqual([]);
    const known = [
      ...bundles,
      ...['_riskcli', 'riskcli.bash', 'riskcli.fish', 'riskcli.ps1'].map((name) => `package/completions/${name}`),
      ...['bin/riskcli.js', 'bin/package.json', 'dist/package.json', 'package.json'].map((name) => `package/${name}`),
      ...['THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json', 'completion.json', 'llhttp.wasm', 'llhttp-simd.wasm'].map(
        (name) => `package/dist/${name}`,
      ),
      ...['README.md', 'CHANGELOG.md', 'LICENSE'].map((name) => `package/${name}`),
      ...readdirSync(join(ROOT, 'docs')).map((name) => `package/docs/${name}`),
    ];
    // What is for other programs is judged by these programs, in test/process/package/share.test.ts.
    const isShared = (path: string) => path.startsWith('package/share/');
    expect(listed.filter((path) => !known.includes(path) && !isShared(path))).toEqual([]);
  });

  it('is the same bytes when it is packed in another folder, and packing changes nothing in the tree', () => {
    const status = () => sh('git status --porcelain', ROOT);
    const before = status();
    const copy = join(temporaryFolder(), 'another folder');
    mkdirSync(copy);
    sh(`git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t '${copy}'`, ROOT);
    // No symbolic link: esbuild writes the real paths of modules into bundles.
    sh(`cp -rl node_modules '${copy}' || cp -r node_modules '${copy}'`, ROOT);
    // The copy has no commit, whose time is that of the build.
    const env = { SOURCE_DATE_EPOCH: sh('git log -1 --format=%ct', ROOT).trim() };
    const second = join(copy, sh('node .config/pack.mjs', copy, env).trim());
    expect(readFileSync(second).equals(readFileSync(tarball))).toBe(true);
    expect(status()).toBe(before);
  });

  it('works in a prefix with a space in its name that is read-only, for another user', async () => {
    const prefix = join(folder, 'the prefix');
    const install = `npm install --global --offline --no-audit --no-fund --prefix '${prefix}' '${tarball}' 2>&1`;
    const told = sh(install, folder);
    expect(told).toMatch(/^\s*added 1 package in \S+\s*$/);
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
