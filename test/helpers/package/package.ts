/** The package as it would be published, and what a stranger does with it first, whatever has installed it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { addresses } from '../place/wallets.ts';
import { bareEnv, start } from '../process/binary.ts';
import { startService } from '../service/sandbox.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Runs `line` in bash; throws when it fails. Nothing of the developer's npm is used but its cache and its way to the registry. */
export const sh = (line: string, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  execFileSync('bash', ['--norc', '-c', line], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      npm_config_userconfig: '/dev/null',
      NO_UPDATE_NOTIFIER: '1',
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
      ...env,
    },
  });

/** Whether the tree is a clone that git reads for whoever runs the tests: it refuses one that belongs to somebody else. */
export const isClone = spawnSync('git', ['status'], { cwd: ROOT }).status === 0;

/** Packs the tree into `folder`, and returns the path of the tarball. */
export function packInto(folder: string): string {
  chmodSync(folder, 0o755);
  return join(folder, sh(`node '${join(ROOT, '.config/pack.mjs')}' '${folder}'`, folder).trim());
}

interface Stranger {
  /** What makes `riskcli` a command, where PATH does not. */
  readonly before?: string;
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
}

/** The first things that somebody does who has riskcli at last; none of them may fail, or say more than it should. */
export async function tryOut({ before = ':', cwd, home, env = {}, ...who }: Stranger): Promise<void> {
  const { env: service } = await startService();
  const { RISKCLI_BASE_URL: url = '', RISKCLI_API_KEY: key = '' } = service;
  writeFileSync(join(home, 'list.txt'), addresses(5).join('\n'));
  const run = (line: string, input = '') =>
    start(`${before}; ${line}`, { ...who, cwd, input, env: bareEnv({ XDG_STATE_HOME: '', ...env, HOME: home }) }).done;
  const well = async (line: string, input?: string) => {
    const { stdout, stderr, exitCode } = await run(line, input);
    expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    return stdout;
  };
  expect(await well('riskcli --version')).toBe(`${version}\n`);
  expect(await run(`riskcli profile --sandbox ${WALLET}`)).toMatchObject({ exitCode: 0 });
  expect(await well(`riskcli keys set --base-url ${url}`, key)).toBe('');
  expect(await well('riskcli keys show')).toContain(url);
  expect(await well('riskcli health')).toContain('ok');
  expect(JSON.parse(await well(`riskcli profile ${WALLET} --json`))).toMatchObject({ wallet_address: WALLET });
  const rows = await well('riskcli profile -f ~/list.txt -o ~/out.csv; cat ~/out.csv');
  expect(rows.split('\n')).toHaveLength(7);
  expect(await well('source <(riskcli completion bash); complete -p riskcli')).toContain('riskcli');
  expect(JSON.parse(await well('riskcli schema row'))).toHaveProperty('properties');
}
