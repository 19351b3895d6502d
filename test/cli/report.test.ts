/**
 * `riskcli report`: what it reads, what it refuses, and how it ends. What stands on the page is
 * tested where it is made.
 */
import { promises, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { makeFifo } from '../fixtures/place/fifo.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { addresses } from '../fixtures/place/wallets.ts';
import { startService } from '../fixtures/service/sandbox.ts';

const AT = '2026-01-02T03:04:05.000Z';
const [FIRST = '', SECOND = '', THIRD = ''] = addresses(3, 1);

function line(wallet: string, score: number | null, meta: object = {}): string {
  const status = score === null ? 'no_score' : 'scored';
  const own = { line: 1, input: wallet, status, score, answered_at: AT, ...meta };
  const document = { wallet_address: wallet, total_collateral_usd: 1000, defi_score: score && { defi_score: score } };
  return `${JSON.stringify({ ...document, _meta: own })}\n`;
}

/** A folder with the output of a run, and a report of it. */
function stage(content = line(FIRST, 700) + line(SECOND, 300) + line(THIRD, null)) {
  const folder = temporaryFolder();
  const [file, page] = [join(folder, 'scored.jsonl'), join(folder, 'page.html')];
  writeFileSync(file, content);
  return { folder, file, page, report: (...args: string[]) => cli(['report', file, '-o', page, ...args]) };
}

it('writes a page, prints nothing, and leaves no other file', async () => {
  const { page, report } = stage();
  expect(await report()).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<h1>scored.jsonl, 2 Jan 2026</h1>');
  expect(html).toContain('wallets 3, scored 2, no score 1; answered 2026-01-02 03:04 UTC');
});

it('reads csv, json and standard input alike', async () => {
  const { env } = await startService();
  const folder = temporaryFolder();
  const of = (name: string) => join(folder, name);
  const wallets = addresses(12, 100);
  for (const name of ['run.csv', 'run.json', 'run.jsonl']) {
    await cli(['profile', ...wallets, '-o', of(name)], { env });
  }
  const texts: string[] = [];
  for (const name of ['run.csv', 'run.json', 'run.jsonl']) {
    const { stdout, exitCode, stderr } = await cli(['report', of(name)]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    texts.push(/SCORE\n[\s\S]*?(?=\n\nCOLLATERAL)/.exec(stdout)?.[0] ?? '');
  }
  expect(texts[0]).toContain('median');
  expect(new Set(texts).size).toBe(1);
  const piped = await cli(['report', '-'], { stdin: readFileSync(of('run.csv')) });
  expect(piped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(texts[0] ?? '') });
});

it('reads a pipe once, also for a page', async () => {
  const { folder, page } = stage();
  const pipe = join(folder, 'pipe');
  makeFifo(pipe);
  const written = promises.writeFile(pipe, line(FIRST, 700));
  expect(await cli(['report', pipe, '-o', page])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  await written;
  expect(readFileSync(page, 'utf8')).toContain('<h1>pipe, 2 Jan 2026</h1>');
  await cli(['report', '-', '-o', page], { stdin: line(FIRST, 700) });
  expect(readFileSync(page, 'utf8')).toContain('<h1>standard input, 2 Jan 2026</h1>');
});

it('shows which wallets are excused, why and until when', async () => {
  const excused = [{ rule: 'low', reason: 'hedged <elsewhere>', until: '2999-12-31' }];
  const { page, report } = stage(line(FIRST, 700) + line(SECOND, 300, { excused }));
  await report();
  expect(readFileSync(page, 'utf8')).toContain('>excused from low: hedged &lt;elsewhere&gt; (until 2999-12-31)<');
});

it('says on the page why a chart is missing', async () => {
  const { page, report } = stage();
  await report();
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<p>No chart: only 2 wallets have a score.</p>');
  expect(html).toContain('highest 700 · without a score 1</p>');
  expect(html).toContain('<p>No chart: only 3 wallets have collateral.</p>');
});

it('draws a chart of 8 wallets, and says that 7 are too few', async () => {
  for (const [count, text] of [
    [7, '<p>No chart: only 7 wallets have a score.</p>'],
    [8, '<svg class="chart"'],
  ] as const) {
    const { page, report } = stage(
      addresses(count)
        .map((wallet) => line(wallet, 700))
        .join(''),
    );
    await report();
    expect(/<section id="score".*?<\/section>/s.exec(readFileSync(page, 'utf8'))?.[0]).toContain(text);
  }
});

it('shows each row that is no wallet, though their texts are equal', async () => {
  const invalid = (at: number) =>
    `${JSON.stringify({ _meta: { line: at, input: 'n/a', status: 'invalid', error: { message: 'no' }, unjudged: ['low'] } })}\n`;
  const { page, report } = stage(line(FIRST, 700) + invalid(2) + invalid(3));
  await report();
  const section = /<section id="unjudged".*?<\/section>/.exec(readFileSync(page, 'utf8'))?.[0];
  expect(section).toContain('Not judged: 2<');
  expect(section?.match(/>n\/a</g)).toHaveLength(2);
});

it('shows its command line without secrets', async () => {
  const [key, hex] = ['acme_Zk93mQx7Rt5Vb2Lp8Yw4', `${'c0ffee'.repeat(10)}beef`];
  const { page, report } = stage(line(FIRST, 700, { input: { [key]: 'Ann', [hex]: 'Ben' } }));
  for (const secret of [key, hex]) {
    await report('--label', secret);
    const command = /<code>riskcli report .* --label [^<]*/.exec(readFileSync(page, 'utf8'))?.[0];
    expect(command).toContain('withheld');
    expect(command).not.toContain(secret);
  }
});

it.each([
  [['--fail-if', 'score < 1'], 2, "there is no option '--fail-if'"],
  [['--policy', 'p.json'], 2, "there is no option '--policy'"],
  [['--format', 'csv'], 2, 'use one of table, json, html'],
  [['--json'], 2, "page.html' would hold json, and its name says html"],
  [['--format', 'table'], 2, "page.html' would hold table, and its name says html"],
  [['more.jsonl'], 2, 'too many arguments for report: 2 given, 1 taken'],
] as const)('refuses %j before it touches anything', async (args, exitCode, message) => {
  const { page, report } = stage();
  writeFileSync(page, 'old');
  expect(await report(...args)).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  expect(readFileSync(page, 'utf8')).toBe('old');
});

it('names a row without a wallet by its columns, not as JSON', async () => {
  const input = { id: '6', name: 'Ann', holder: 'vitalik.eth' };
  const meta = { line: 2, input, status: 'invalid', error: { code: 'ens', message: 'it is a name' } };
  const { file, page } = stage(`${JSON.stringify({ _meta: meta })}\n`);
  await cli(['report', file, '-o', page]);
  const shown = readFileSync(page, 'utf8').split('<script')[0];
  expect(shown).toContain('>line 2<');
  expect(shown).toContain('holder <b>vitalik.eth</b>');
  expect(shown).not.toMatch(/\{&quot;id&quot;:/);
});

it('never overwrites its input, and writes nothing if the input is not from riskcli', async () => {
  const { file, page, report } = stage();
  const own = await cli(['report', file, '-o', file, '--format', 'html']);
  expect(own).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('is a file that this run reads') });
  writeFileSync(page, 'old');
  writeFileSync(file, `${FIRST}\n`);
  expect((await report()).exitCode).toBe(9);
  expect(readFileSync(page, 'utf8')).toBe('old');
});
