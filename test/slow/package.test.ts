/**
 * What a stranger installs: the package as it would be published, in an empty prefix that nobody can write, used by another
 * user; and a clone in a folder with a space in its name, where git is told to end lines in CRLF.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareEnv, start } from '../helpers/binary.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { installed } from '../helpers/installed.ts';
import { canBeOtherUser, OTHER_USER } from '../helpers/other-user.ts';
import { startService } from '../helpers/sandbox.ts';
import { addresses } from '../helpers/wallets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** Runs `line` in bash; throws when it fails. Nothing of the developer's npm is used but its cache. */
const sh = (line: string, cwd: string) =>
  execFileSync('bash', ['--norc', '-c', line], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      npm_config_userconfig: '/dev/null',
      NO_UPDATE_NOTIFIER: '1',
    },
  });

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
    chmodSync(folder, 0o755);
    tarball = join(folder, sh(`node .config/pack.mjs '${folder}'`, ROOT).trim());
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
    expect(listed.filter((path) => !/^package\/(bin|dist|completions|share|[^/]+$)/.test(path))).toEqual([]);
  });

  it('is the same bytes when it is packed again, and packing changes nothing in the tree', () => {
    const status = () => sh('git status --porcelain', ROOT);
    const before = status();
    const again = temporaryFolder();
    const second = join(again, sh(`node '${join(ROOT, '.config/pack.mjs')}'`, again).trim());
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
    const { env: service } = await startService();
    const { RISKCLI_BASE_URL: url = '', RISKCLI_API_KEY: key = '' } = service;
    writeFileSync(join(folder, 'list.txt'), addresses(5).join('\n'));
    const run = (line: string, input = '') =>
      start(line, {
        ...who,
        cwd: home,
        input,
        env: bareEnv({ HOME: home, XDG_STATE_HOME: '', PATH: `${prefix}/bin:${process.env.PATH}` }),
      }).done;
    const well = async (line: string, input?: string) => {
      const { stdout, stderr, exitCode } = await run(line, input);
      expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
      return stdout;
    };
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await well('riskcli --version')).toBe(`${version}\n`);
    expect(await run(`riskcli profile --sandbox ${WALLET}`)).toMatchObject({ exitCode: 0 });
    expect(await well(`riskcli keys set --base-url ${url}`, key)).toBe('');
    expect(await well('riskcli keys show')).toContain(url);
    expect(await well('riskcli health')).toContain('ok');
    expect(JSON.parse(await well(`riskcli profile ${WALLET} --json`))).toMatchObject({ wallet_address: WALLET });
    expect((await well('riskcli profile -f ../list.txt -o out.csv; cat out.csv')).split('\n')).toHaveLength(7);
    expect(await well('source <(riskcli completion bash); complete -p riskcli')).toContain('riskcli');
    expect(contentOf(prefix)).toEqual(before);
  });
});

describe.skipIf(!installed('git') || !existsSync(join(ROOT, '.git')))(
  'a clone in a folder with a space, of a git that ends lines in CRLF',
  () => {
    it('has the lines as they were, builds, runs and is tested', () => {
      const clone = join(temporaryFolder(), 'a clone');
      sh(`git clone -q -c core.autocrlf=true -c core.eol=crlf '${ROOT}' '${clone}'`, '/');
      const ends = sh('git ls-files --eol', clone).trim().split('\n');
      expect(ends.filter((line) => /\bw\/(crlf|mixed)\b/.test(line))).toEqual([]);
      symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
      sh('npm run build', clone);
      expect(sh(`node bin/riskcli.js profile --sandbox -q --json ${WALLET}`, clone)).toContain(WALLET);
      const files = ['architecture', 'commands/keys', 'faults/settings-files', 'unit/session/key-state'];
      const tests = files.map((name) => `test/${name}.test.ts`).join(' ');
      expect(sh(`NO_COLOR=1 npm test -- ${tests} 2>&1`, clone)).toMatch(/Test Files +4 passed/);
    });
  },
);
