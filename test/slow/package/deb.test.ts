/**
 * The package for Debian: its bytes, what lintian has to say, and what is there when dpkg has installed it and gone when dpkg
 * has purged it. It is installed into a folder of the test's own, with a database of its own: this machine stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../../fixtures/cli/users.ts';
import { isClone, ROOT } from '../../fixtures/package/package.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { startService } from '../../fixtures/service/sandbox.ts';

const BASH = join(ROOT, 'completions/riskcli.bash');
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const EPOCH = '1700000000';
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

const sh = (line: string, cwd: string, env: Record<string, string> = {}) =>
  execFileSync('bash', ['--norc', '-c', line], {
    cwd,
    encoding: 'utf8',
    env: { PATH, HOME: process.env.HOME ?? '', SOURCE_DATE_EPOCH: EPOCH, ...env },
  });
const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe.skipIf(!installed('dpkg-deb'))('the package for Debian', () => {
  let folder: string;
  let deb: string;
  beforeAll(() => {
    folder = temporaryFolder();
    deb = join(folder, sh(`node .config/deb.mjs '${folder}'`, ROOT).trim());
  }, 600_000);

  it.skipIf(!isClone)('is the same bytes when somebody else builds it in another folder', () => {
    const other = join(temporaryFolder(), 'another folder');
    const files = lines(sh('git ls-files --cached --others --exclude-standard', ROOT)).filter((path) =>
      existsSync(join(ROOT, path)),
    );
    for (const path of files) cpSync(join(ROOT, path), join(other, path));
    // No link: esbuild writes the places of packages into the bundles, as seen from the folder that it works in.
    sh(`cp -a node_modules '${other}'`, ROOT);
    const env = { TZ: 'Asia/Tokyo', LC_ALL: 'C', HOME: temporaryFolder() };
    const name = sh('umask 077; node .config/deb.mjs', other, env).trim();
    expect(name).toBe(basename(deb));
    expect(readFileSync(join(other, name)).equals(readFileSync(deb))).toBe(true);
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`apt install ./${name}`);
  });

  it('is called what it is, and needs the node that riskcli needs', () => {
    const { version, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const field = (name: string) => sh(`dpkg-deb --field '${deb}' ${name}`, folder).trim();
    expect([field('Package'), field('Version'), field('Architecture')]).toEqual(['riskcli', version, 'all']);
    expect(field('Depends')).toBe(`nodejs (${engines.node.replace('>=', '>= ')})`);
    expect(lines(sh(`dpkg-deb --ctrl-tarfile '${deb}' | tar -t`, folder)).sort()).toEqual(
      ['./', './control', './md5sums'].sort(),
    );
  });

  it.skipIf(!installed('lintian'))('gives lintian no reason for an error or a warning', () => {
    expect(sh(`lintian --allow-root --fail-on error,warning '${deb}'`, folder)).toBe('');
  });

  it('belongs to root, and only the launcher can be run', () => {
    const listed = lines(sh(`dpkg-deb --fsys-tarfile '${deb}' | tar -tv --numeric-owner`, folder));
    const modes = new Map(listed.map((line) => [/ \.(\/\S*)/.exec(line)?.[1] ?? '', line.split(/\s+/).slice(0, 2)]));
    for (const [path, [mode, owner]] of modes) {
      const isProgram = path === '/usr/share/riskcli/bin/riskcli.js';
      const expected = path.endsWith('/') || isProgram ? 'rwxr-xr-x' : 'rw-r--r--';
      const isLink = mode?.startsWith('l');
      expect({ path, owner, mode: mode?.slice(1) }).toEqual({
        path,
        owner: '0/0',
        mode: isLink ? 'rwxrwxrwx' : expected,
      });
    }
    expect(modes.size).toBeGreaterThan(100);
  });

  it('says in one line that dpkg-deb is missing', async () => {
    const { stderr, exitCode } = await start(`PATH='' exec '${process.execPath}' '${ROOT}/.config/deb.mjs'`).done;
    expect({ stderr, exitCode }).toEqual({ stderr: 'npm run deb: dpkg-deb is not installed\n', exitCode: 1 });
  });

  // dpkg makes files belong to root; node is where the package expects it.
  describe.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/node'))(
    'installed by dpkg (as root, with node in /usr/bin)',
    () => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

      it('is not, where node is too old', () => {
        expect(machine('20.18.1').refusal(deb)).toMatch(/riskcli depends on nodejs \(>= 20\.19\)/);
      });

      it('has the program, its manual, the completions and the files of share/ where they are looked for', async () => {
        const { dpkg, place } = machine(process.versions.node);
        dpkg(`--install '${deb}'`);
        const same = (path: string, own: string) =>
          expect(readFileSync(place(path)).equals(readFileSync(join(ROOT, own)))).toBe(true);
        same('usr/share/bash-completion/completions/riskcli', 'completions/riskcli.bash');
        same('usr/share/zsh/vendor-completions/_riskcli', 'completions/_riskcli');
        same('usr/share/fish/vendor_completions.d/riskcli.fish', 'completions/riskcli.fish');
        same('usr/share/riskcli/completions/riskcli.ps1', 'completions/riskcli.ps1');
        same('usr/lib/systemd/system/riskcli-list@.service', 'share/systemd/riskcli-list@.service');
        same('usr/lib/systemd/system/riskcli-list@.timer', 'share/systemd/riskcli-list@.timer');
        for (const page of readdirSync(join(ROOT, 'dist/man'))) {
          const packed = readFileSync(place(`usr/share/man/man${page.at(-1)}/${page}.gz`));
          // Bytes 4 to 7 are a time, which would differ from build to build (RFC 1952, section 2.3.1).
          expect(packed.readUInt32LE(4)).toBe(0);
          expect(gunzipSync(packed).toString()).toMatch(/^\.TH RISKCLI/m);
        }
        const named = lines(sh("grep -rhoE '/usr/[a-z/]*riskcli[A-Za-z/.-]*' share", ROOT));
        expect(named.length).toBeGreaterThan(3);
        expect(named.filter((path) => !existsSync(place(path)))).toEqual([]);
        expect(existsSync(place('etc'))).toBe(false);
      });

      it('works for whoever may run it, and is gone without a trace when it is purged', async () => {
        const { dpkg, place, contents } = machine(process.versions.node);
        const before = contents();
        dpkg(`--install '${deb}'`);
        const { baseUrl, keys } = await startService();
        const env = {
          PATH: `${place('usr/bin')}:${process.env.PATH}`,
          HOME: '/nonexistent',
          RISKCLI_BASE_URL: baseUrl,
        };
        const who = canBeOtherUser() ? OTHER_USER : {};
        const well = async (line: string, more: Record<string, string> = {}) => {
          const { stdout, stderr, exitCode } = await start(line, {
            ...who,
            cwd: '/',
            env: bareEnv({ ...env, ...more }),
          }).done;
          expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
          return stdout;
        };
        const installedFiles = contents();
        expect(await well('riskcli --version')).toBe(`${version}\n`);
        expect(await well('riskcli health')).toContain('ok');
        const profile = await well(`riskcli profile ${WALLET} --json`, { RISKCLI_API_KEY: keys.working });
        expect(JSON.parse(profile)).toMatchObject({ wallet_address: WALLET });
        expect(await well('riskcli completion bash | md5sum')).toBe(await well(`md5sum < '${BASH}'`));
        expect(JSON.parse(await well('riskcli schema'))).toMatchObject({ version });
        const loaded = await well(
          `source '${place('usr/share/bash-completion/completions/riskcli')}'; complete -p riskcli`,
        );
        expect(loaded).toContain('riskcli');
        expect(contents()).toEqual(installedFiles);
        dpkg('--purge riskcli');
        expect(contents()).toEqual(before);
        expect(dpkg('--list')).not.toContain('riskcli');
      });
    },
  );
});

/**
 * A folder that dpkg takes for a machine. Its database knows one package, nodejs of `version`, so that the dependency is
 * judged for real; node itself is this machine's.
 */
function machine(version: string) {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  const place = (path: string) => join(root, path);
  const database = place('var/lib/dpkg');
  for (const name of ['info', 'updates', 'triggers']) mkdirSync(join(database, name), { recursive: true });
  const fields = { Package: 'nodejs', Status: 'install ok installed', Version: version, Architecture: 'all' };
  const more = { Maintainer: 'nobody <nobody@example.invalid>', Description: 'node, as this machine has it' };
  writeFileSync(
    join(database, 'status'),
    Object.entries({ ...fields, ...more })
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  writeFileSync(join(database, 'info/nodejs.list'), '/.\n');
  const line = (args: string) => `dpkg --root='${root}' --log='${root}/var/log/dpkg.log' ${args} 2>&1`;
  mkdirSync(place('var/log'));
  return {
    place,
    dpkg: (args: string) => sh(line(args), root),
    /** What dpkg says when it will not install `deb`. */
    refusal: (deb: string) => sh(`! ${line(`--install '${deb}'`)}`, root),
    /** All that is there but dpkg's own notes, folders included. */
    contents: () => lines(sh("find . -path ./var -prune -o -printf '%p %y %m %s %l\\n' | sort", root)),
  };
}
