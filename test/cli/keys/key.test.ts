/**
 * A key that is missing, malformed, misplaced or meant for somebody else: it goes nowhere and is
 * never said back.
 */
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';

const RANDOM = 'q7Zt-Xk_2Lm9Rv4Bn8';
const KEY = `wrp_${RANDOM}`;
const HERE = { RISKCLI_BASE_URL: 'http://127.0.0.1:9' };

/** Every piece of six characters of the key's random part, plain, in base64 and in a URL. */
function expectNoPart(text: string): void {
  const pieces = Array.from({ length: RANDOM.length - 5 }, (_, i) => RANDOM.slice(i, i + 6));
  for (const piece of pieces) expect(text).not.toContain(piece);
  for (const i of [0, 1, 2]) expect(text).not.toContain(Buffer.from(KEY.slice(i)).toString('base64').slice(0, 12));
}

// What cannot be a key, and what is said of it, is in test/unit/settings/key/key.test.ts.
it('exits with 4 for a malformed key, from wherever it comes, and does not repeat it', async () => {
  const key = `wrp_${RANDOM}\n${RANDOM}`;
  const { env, file } = configFolder({ key });
  const stored = storedKeys({ default: { key, base_url: HERE.RISKCLI_BASE_URL } });
  const outcomes = [
    await cli(['keys', 'set', '--base-url', 'https://api.example.com'], { env, stdin: key }),
    await cli(['keys', 'show'], { env: { ...env, ...HERE, RISKCLI_API_KEY_FILE: file('key') } }),
    await cli(['keys', 'check', '--debug'], { env: { ...env, ...HERE, RISKCLI_API_KEY: key } }),
    await cli(['keys', 'check'], { env: configFolder({ 'keys.json': stored }).env }),
  ];
  for (const { exitCode, stdout, stderr } of outcomes) {
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expectNoPart(stderr);
  }
});

it('does not repeat the key that RISKCLI_API_KEY_FILE contains by mistake', async () => {
  const { stderr } = await cli(['keys', 'show'], { env: { ...configFolder().env, RISKCLI_API_KEY_FILE: KEY } });
  expectNoPart(stderr);
});

it('does not send a stored key over plain http, even if it was stored that way', async () => {
  const keys = storedKeys({ default: { key: KEY, base_url: 'http://api.example.com' } });
  const { exitCode, stderr } = await cli(['keys', 'check'], { env: configFolder({ 'keys.json': keys }).env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('plain http');
});

it('refuses a base URL that may hold a key, and does not repeat it', async () => {
  const url = `https://u:${KEY}@api.example.com`;
  const { env } = configFolder();
  for (const outcome of [
    await cli(['keys', 'set', '--base-url', url], { env, stdin: KEY }),
    await cli(['config', 'set', 'base-url', url], { env }),
    await cli(['config', 'list'], { env: { ...env, RISKCLI_BASE_URL: url } }),
    await cli(['keys', 'check', '--debug', '--base-url', url], { env: { ...env, RISKCLI_API_KEY: KEY } }),
  ]) {
    expect({ exitCode: outcome.exitCode, stdout: outcome.stdout }).toEqual({ exitCode: 2, stdout: '' });
    expectNoPart(outcome.stderr);
  }
});
