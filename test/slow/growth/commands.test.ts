/** Stores and bodies that grow: each command that reads them takes time in proportion. Lists and answers have tests of their own. */
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { growth, TOO_MUCH } from './cost.ts';

const many = <T>(count: number, item: (i: number) => T) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`env${i}`, item(i)]));

/** A folder in which `count` environments are stored. */
function stored(count: number) {
  const key = (i: number) => ({ key: `wrp_q7Zt-Xk_${i}_2Lm9Rv4Bn8`, base_url: 'https://api.example.com' });
  return configFolder({
    'config.json': { version: 1, environments: many(count, () => ({ 'base-url': 'https://api.example.com' })) },
    'keys.json': storedKeys(many(count, key)),
  });
}

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'keys list': ['keys', 'list'],
  'keys list --json': ['keys', 'list', '--json'],
  'keys list on a terminal': ['keys', 'list', '--color', 'never'],
  'keys show': ['keys', 'show', '-e', 'env1'],
  'keys remove': ['keys', 'remove', '-e', 'env1'],
  'config list': ['config', 'list', '-e', 'env1'],
  'config set': ['config', 'set', 'timeout', '5s', '-e', 'env1'],
  'config list of what is not stored': ['config', 'list', '-e', 'evn1'],
};

describe('twice the environments cost at most 2.5 times the CPU', () => {
  it.each(Object.entries(COMMANDS))('[69] %s', async (name, args) => {
    const options: RunOptions = name.endsWith('terminal') ? { tty: { stdout: true } } : {};
    const work = async (size: number) => {
      const folder = stored(size);
      await cli(args, { ...options, env: folder.env });
      rmSync(folder.path, { recursive: true, force: true });
    };
    expect(await growth(work, 1_600)).toBeLessThanOrEqual(TOO_MUCH);
  });
});

describe('a body twice as long costs health at most 2.5 times the CPU', () => {
  const BODIES: Readonly<Record<string, (size: number) => string>> = {
    'a long status': (size) => `{"status":"${'x'.repeat(size)}","timestamp":"2026-11-20T00:00:00Z"}`,
    'a long timestamp': (size) => `{"status":"ok","timestamp":"${'2026-'.repeat(size / 5)}"}`,
    members: (size) =>
      `{"status":"ok","timestamp":"2026-11-20T00:00:00Z"${Array.from({ length: size / 12 }, (_, i) => `,"k${i}":${i}`).join('')}}`,
    nesting: (size) => `${'[{"a":'.repeat(size / 6)}`,
    HTML: (size) => `<p>${'<'.repeat(size)}`,
  };
  it.each(Object.entries(BODIES))('[69] %s', async (_, make) => {
    const work = async (size: number) => {
      const body = make(size);
      await using server = await startServer(() => ({ body }));
      await cli(['health'], { env: { RISKCLI_BASE_URL: server.url.href } });
    };
    expect(await growth(work, 400_000)).toBeLessThanOrEqual(TOO_MUCH);
  });
});
