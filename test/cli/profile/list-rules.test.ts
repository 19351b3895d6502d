/**
 * What a list promises beside its rows: what a dry run prints, what never leaves, whose journal is
 * used.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { startService } from '../../fixtures/service/sandbox.ts';

const A = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const B = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

function stage(text = `${A}\n${B}\n`) {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  writeFileSync(path('list.txt'), text);
  return { path, list: path('list.txt') };
}

it('prints a dry run in the format given by --format, not by the name of the output', async () => {
  const { list, path } = stage();
  const args = ['profile', '-f', list, '-o', path('x.csv'), '--dry-run'];
  expect((await cli(args)).stdout).toMatch(
    /^rows\t2\nnot_wallets\t0\nfirst_not_wallets\t\nlist_notes\t\ndistinct_wallets\t2\n/,
  );
  const { stdout } = await cli([...args, '--jsonl']);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 2, requests_needed: 2 });
});

const month = { RISKCLI_MONTHLY_REQUESTS: '1' };
it.each<[string, readonly string[], Record<string, string>, string | undefined]>([
  ['the month', [], month, 'monthly-requests has 1 left'],
  ['the run', ['--max-requests', '1'], {}, '--max-requests allows 1'],
  ['both', ['--max-requests', '1'], month, 'monthly-requests has 1 left'],
  ['the month, with -q', ['-q'], month, undefined],
  ['none', ['--max-requests', '2'], { RISKCLI_MONTHLY_REQUESTS: '2' }, undefined],
])(
  'decides whether to note before the first request that a list exceeds a limit: %s',
  async (_, args, limits, reason) => {
    const { env } = await startService();
    const { list, path } = stage();
    // A key that a command prints is known only when the list begins.
    await cli(['keys', 'set', '--base-url', env.RISKCLI_BASE_URL ?? '', '--command', 'key'], {
      env: { RISKCLI_CONFIG_DIR: path('c') },
    });
    const { stderr } = await cli(['profile', '-f', list, '--csv', '-v', ...args], {
      env: { ...env, RISKCLI_API_KEY: '', RISKCLI_CONFIG_DIR: path('c'), XDG_STATE_HOME: path('state'), ...limits },
      runProgram: async () => ({ output: env.RISKCLI_API_KEY ?? '', exitCode: 0, killedBy: null, timedOut: false }),
    });
    const lines = stderr.split('\n');
    const [note, more] = lines.filter((line) => line.includes('the list needs'));
    expect([note, more]).toEqual([
      reason && `riskcli: the list needs 2 requests, but ${reason}; it will stop there`,
      undefined,
    ]);
    if (note) expect(lines.indexOf(note)).toBeLessThan(lines.findIndex((line) => line.includes('GET ')));
  },
);

it('reuses the answers of one sandbox for another, regardless of process and port', async () => {
  const one = await startService();
  const other = await startService();
  const { list, path } = stage();
  const args = ['profile', '-f', list, '--jsonl', '--journal', path('j')];
  expect(await cli(args, { env: one.env })).toMatchObject({ exitCode: 0 });
  const { stderr, exitCode } = await cli(args, { env: other.env });
  expect({ exitCode, asked: other.requests() }).toEqual({ exitCode: 0, asked: 0 });
  expect(stderr).toMatch(/^\{"note":"reused 2 earlier answers, the oldest from [^\n]*\n$/);
  expect((await cli([...args, '--sandbox'])).stderr).toContain('reused 2 earlier answers, ');
  const dry = await cli([...args, '--dry-run'], { env: other.env });
  expect(JSON.parse(dry.stdout)).toMatchObject({ known_from_journal: 2, requests_needed: 0 });
});

it('uses the journal of a sandbox for no other service on this machine', async () => {
  const { env, requests } = await startService();
  const { list, path } = stage();
  const args = ['profile', '-f', list, '--journal', path('j')];
  await cli(args, { env });
  const before = requests();
  const refused = await cli(args, { env: { ...env, RISKCLI_API_KEY: 'sk_0123456789abcdef' } });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('holds answers from sandbox') });
  expect(requests()).toBe(before);
});
