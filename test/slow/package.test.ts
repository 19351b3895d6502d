/**
 * The package as it would be published, installed in an empty prefix that nobody can write, and
 * used by another user.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bareEnv, start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { addresses } from '../fixtures/place/wallets.ts';
import { startService } from '../fixtures/service/sandbox.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * Runs `line` in bash; throws when it fails. Nothing of the developer's npm is used but its cache
 * and its way to the registry.
 */
function sh(line: string, cwd: string): string {
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS = '' } = process.env;
  const env = { PATH, HOME, NODE_EXTRA_CA_CERTS, npm_config_userconfig: '/dev/null', NO_UPDATE_NOTIFIER: '1' };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return execFileSync('bash', ['--norc', '-c', line], { cwd, encoding: 'utf8', stdio: [...stdio], env });
}

let folder: string;
let tarball: string;
beforeAll(() => {
  folder = temporaryFolder();
  chmodSync(folder, 0o755);
  tarball = join(folder, sh(`npm pack --silent --pack-destination '${folder}'`, ROOT).trim());
});

it('packs the packages that riskcli needs, the built program and the documentation, and nothing else', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`npm install -g ./${basename(tarball)}`);
  const listed = sh(`tar -tf '${tarball}'`, folder).trim().split('\n');
  const isInside = (name: string) => listed.includes(`package/node_modules/${name}/package.json`);
  expect(Object.keys(manifest.dependencies).filter((name) => !isInside(name))).toEqual([]);
  // conf needs ajv.
  expect(Object.keys(manifest.devDependencies).filter(isInside)).toEqual(['ajv']);
  const places = new Set(listed.map((path) => path.split('/')[1]?.replace(/^[^/]*\.(md|json)$|^LICENSE$/, '*')));
  expect([...places].sort()).toEqual(['*', 'bin', 'completions', 'dist', 'docs', 'node_modules', 'share']);
});

it('prints a bill of materials that names each packed package and no other', () => {
  const bill = JSON.parse(sh(`node .config/bill-of-materials.mjs '${tarball}'`, ROOT));
  const manifests = sh(`tar -tf '${tarball}'`, folder).match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/gm);
  const packed = manifests?.map((path) => JSON.parse(sh(`tar -xOf '${tarball}' '${path}'`, folder)));
  const shown = ({ name, version }: { readonly name: string; readonly version: string }) => `${name}@${version}`;
  expect(bill.components.map(shown).sort()).toEqual(packed?.map(shown).sort());
  expect(shown(bill.metadata.component)).toBe(shown(manifest));
});

it('runs for another user from a read-only prefix with a space in its name', async () => {
  const prefix = join(folder, 'the prefix');
  sh(`npm install --global --offline --no-audit --no-fund --prefix '${prefix}' '${tarball}' 2>&1`, folder);
  sh(`chmod -R a-w,a+rX '${prefix}'`, folder);
  const files = () => readdirSync(prefix, { recursive: true });
  const installed = files();
  const home = join(folder, 'home');
  mkdirSync(home);
  const who = canBeOtherUser() ? OTHER_USER : {};
  if (canBeOtherUser()) chownSync(home, OTHER_USER.uid, OTHER_USER.gid);
  const { env: service } = await startService();
  writeFileSync(join(home, 'list.txt'), addresses(5).join('\n'));
  const env = bareEnv({ XDG_STATE_HOME: '', PATH: `${prefix}/bin:${process.env.PATH}`, HOME: home });
  const stdoutOf = async (line: string, input = '') => {
    const { stdout, stderr, exitCode } = await start(line, { ...who, cwd: home, input, env }).done;
    expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    return stdout;
  };
  expect(await stdoutOf('riskcli --version')).toBe(`${manifest.version}\n`);
  const { RISKCLI_BASE_URL: url = '', RISKCLI_API_KEY: key = '' } = service;
  expect(await stdoutOf(`riskcli keys set --base-url ${url}`, key)).toBe('');
  expect(JSON.parse(await stdoutOf(`riskcli profile ${WALLET} --json`))).toMatchObject({ wallet_address: WALLET });
  expect((await stdoutOf('riskcli profile -f ~/list.txt -o ~/out.csv; cat ~/out.csv')).split('\n')).toHaveLength(7);
  expect(await stdoutOf('source <(riskcli completion bash); complete -p riskcli')).toContain('riskcli');
  expect(JSON.parse(await stdoutOf('riskcli schema row'))).toHaveProperty('properties');
  expect(files()).toEqual(installed);
});
