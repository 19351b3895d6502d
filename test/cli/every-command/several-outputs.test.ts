/** `-o` given several times: the same rows in every file, all of them or none, and what is refused before anything is sent. */
import { linkSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

const WALLETS = addresses(5, 1);
const LIST = 'wallets.csv';

async function startStage(wallets = WALLETS) {
  const stage = await startListStage();
  stage.write(LIST, `name,address\n${wallets.map((wallet, i) => `Customer ${i},${wallet}\n`).join('')}`);
  const profile = (...args: string[]) => stage.cli(['profile', '-f', LIST, ...args]);
  const files = () => readdirSync(stage.folder).filter((name) => name !== 'home' && name !== LIST);
  return Object.assign(stage, { profile, files });
}

const to = (...files: string[]) => files.flatMap((file) => ['-o', file]);

describe('a list with several outputs', () => {
  it('writes all of them from the same answers, in one order, and keeps no journal', async () => {
    await using stage = await startStage();
    const names = ['a.csv', 'b.jsonl', 'c.json', 'd.html', 'e.md'];
    const { stdout, stderr, exitCode } = await stage.profile(...to(...names), '--sort', 'line:desc', '--top', '4');
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: 'riskcli: showing 4 of 5 rows\n',
      exitCode: 0,
    });
    expect(stage.server.requests).toHaveLength(WALLETS.length);
    expect(stage.files()).toEqual(names);
    const rows = JSON.parse(stage.read('c.json'));
    expect(rows.map(({ wallet_address }: { wallet_address: string }) => wallet_address)).toEqual(
      WALLETS.toReversed().slice(0, 4),
    );
    expect(
      stage
        .read('b.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    expect(
      stage
        .read('a.csv')
        .split('\n')
        .slice(1, 5)
        .map((line) => line.split(',')[1]),
    ).toEqual(WALLETS.toReversed().slice(0, 4));
    expect(stage.read('d.html')).toContain('4 scored.');
    expect(stage.read('e.md')).toContain('4 rows of `wallets.csv`');
  });

  it('writes the same report as riskcli report, titled with the name of the list', async () => {
    await using stage = await startStage();
    stage.write(
      'old.jsonl',
      `${JSON.stringify({ ...PROFILE, wallet_address: WALLETS[0], defi_score: { defi_score: 1 } })}\n`,
    );
    const rules = ['--fail-if', 'low: score < 900', '--baseline', 'old.jsonl'];
    expect((await stage.profile(...to('rows.jsonl', 'own.html', 'own.md'), ...rules)).exitCode).toBe(10);
    const again = ['report', 'rows.jsonl', '--title', 'Wallet risk report: wallets.csv', ...rules];
    for (const form of ['html', 'md']) {
      await stage.cli([...again, '-o', `again.${form}`]);
      const [own, made] = ['own', 'again'].map((name) =>
        stage
          .read(`${name}.${form}`)
          .replaceAll(
            /(?:[\d-]{10}[T ][\d:]+\S*|Made |UTC|riskcli (?:profile|report) .*|rows\.jsonl|wallets\.csv|"line":\d+)/g,
            '',
          ),
      );
      // Not compared as a whole: a difference would print the page.
      expect(own === made).toBe(true);
      expect(own).toContain('4 added');
    }
    expect(stage.read('own.html')).toContain('riskcli profile --file');
  });

  it('writes one to standard output and replaces the others', async () => {
    await using stage = await startStage();
    const { stdout, exitCode } = await stage.profile(...to('-', 'a.csv'));
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([...WALLETS, '']);
    expect(stage.files()).toEqual(['a.csv']);
  });

  it('names the new files on a terminal', async () => {
    await using stage = await startStage();
    const line = ['profile', '-f', LIST, ...to('a.csv', 'b.html')];
    const { stderr } = await stage.cli(line, { tty: { stderr: true }, columns: 100 });
    expect(stderr).toContain('wrote a.csv (5 rows)');
    expect(stderr).toMatch(/wrote b\.html\n/);
    const top = await stage.cli([...line, '--top', '2'], { tty: { stderr: true }, columns: 100 });
    expect(top.stderr).toContain('wrote a.csv (2 rows)');
  });

  it('leaves all files unchanged if it stops', async () => {
    await using stage = await startStage();
    for (const name of ['a.csv', 'b.md']) stage.write(name, 'old');
    const stopped = await stage.profile(...to('a.csv', 'b.md', '-'), '--max-requests', '2', '--concurrency', '1');
    expect(stopped.exitCode).toBe(7);
    expect(stopped.stdout.trim().split('\n')).toHaveLength(2);
    expect(['a.csv', 'b.md'].map(stage.read)).toEqual(['old', 'old']);
  });

  it('names its journal after the first file, and finds it from any of them', async () => {
    await using stage = await startStage();
    const first = await stage.profile(...to('-', 'a.csv', 'b.html'), '--max-requests', '2');
    expect(first.exitCode).toBe(7);
    expect(stage.files()).toEqual(['a.csv.journal']);
    const dry = await stage.profile(...to('b.html', 'a.csv'), '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ known_from_journal: 2, requests_needed: 3 });
    const { exitCode } = await stage.profile(...to('c.jsonl', 'b.html', 'a.csv'));
    expect(exitCode).toBe(0);
    expect(stage.server.requests).toHaveLength(WALLETS.length);
    expect(stage.files()).toEqual(['a.csv', 'b.html', 'c.jsonl']);
  });

  it('finds its journal from one of them alone, and pays for nothing twice', async () => {
    await using stage = await startStage();
    const stopped = await stage.profile(...to('a.csv', 'b.jsonl', 'c.md'), '--max-requests', '2');
    expect(stopped.exitCode).toBe(7);
    // A file that is not this journal belongs to nobody.
    stage.write('0.journal', '{"outputs":"b.jsonl"');
    stage.write('1.csv.journal', '{"riskcli_journal":1,"base_url":"sandbox"}\n');
    const dry = await stage.profile(...to('b.jsonl'), '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ known_from_journal: 2, requests_needed: 3 });
    const whole = await stage.profile(...to('b.jsonl'));
    expect(whole).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('2 answers were reused') });
    expect(stage.server.requests).toHaveLength(WALLETS.length);
    expect(stage.files()).toEqual(['0.journal', '1.csv.journal', 'b.jsonl']);
  });

  it('names the files already replaced if it fails half-way, and keeps the journal', async () => {
    await using stage = await startStage();
    // Something else appears at the path of the second file during the run.
    await using server = await startServer(({ path }) => {
      mkdirSync(stage.path('b.jsonl'), { recursive: true });
      return { body: { ...PROFILE, wallet_address: path.slice(path.lastIndexOf('/') + 1) } };
    });
    stage.write('c.md', 'old');
    const env = { RISKCLI_BASE_URL: server.url.href };
    const line = ['profile', '-f', LIST, ...to('a.csv', 'b.jsonl', 'c.md')];
    const { stderr, exitCode } = await stage.cli(line, { env });
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(/b\.jsonl' cannot be written: .*\(new: 'a\.csv'; as before: 'b\.jsonl', 'c\.md'\)/);
    expect(stage.files()).toEqual(['a.csv', 'a.csv.journal', 'b.jsonl', 'c.md']);
    expect(stage.read('c.md')).toBe('old');
  });
});

describe('of several outputs are refused before anything is sent:', () => {
  it.each<readonly [what: string, args: readonly string[], message: RegExp]>([
    ['a format', [...to('a.csv', 'b.json'), '--format', 'csv'], /--format csv cannot be used with several outputs/],
    ['standard output twice', to('-', '-'), /standard output is given twice/],
    ['a name that says no format', to('a.csv', 'b.txt'), /'b\.txt' does not say which format.*end it in \.json/],
    ['a directory', to('a.csv', 'folder'), /'folder' is a directory; give a file in it/],
    ['one file twice', to('a.csv', 'a.csv'), /'a\.csv' is given twice/],
    ['a way through a linked folder', to('a.csv', 'link/a.csv'), /are the same file/],
    ['two names of a file', to('old.csv', 'hard.csv'), /'old\.csv' and 'hard\.csv' are the same file/],
    ['a report with --fields alone', [...to('a.html', 'b.md'), '--fields', 'score'], /--fields picks columns/],
    ['a report that is to be printed', ['--format', 'html'], /html goes into a file; add -o report\.html/],
    ['a baseline without a report', [...to('a.csv', 'b.json'), '--baseline', 'old.csv'], /--baseline is for a report/],
    [
      'a baseline that is an output',
      [...to('a.html', 'old.csv'), '--baseline', 'old.csv'],
      /a file that this run reads/,
    ],
    ['a baseline that is not there', [...to('a.html'), '--baseline', 'gone.csv'], /gone\.csv/],
    ['a baseline with --top', [...to('a.html'), '--baseline', 'old.csv', '--top', '3'], /--top leaves wallets out/],
    ['the file of --summary', [...to('a.csv', 'b.json'), '--summary', 'b.json'], /is also the output file/],
  ])('%s', async (_, args, message) => {
    await using stage = await startStage();
    symlinkSync('.', stage.path('link'));
    stage.write('old.csv', 'old');
    mkdirSync(stage.path('folder'));
    linkSync(stage.path('old.csv'), stage.path('hard.csv'));
    const before = stage.files();
    const { stdout, stderr, exitCode } = await stage.cli(['profile', '-f', LIST, ...args]);
    expect({ stdout, exitCode: [2, 8, 9].includes(exitCode) }).toEqual({ stdout: '', exitCode: true });
    expect(stderr).toMatch(message);
    expect(stage.server.requests).toEqual([]);
    expect(stage.files().filter((name) => name !== 'b.json' || !args.includes('--summary'))).toEqual(before);
  });

  it.each([
    ['the name of a format', to('a.csv', 'json'), /would write a file with the name of a format/],
    ['two spellings', to('a.csv', './a.csv'), /'a\.csv' and '\.\/a\.csv' are the same file/],
  ])('%s, as it was typed', async (_, args, message) => {
    await using stage = await startStage();
    const { stdout, stderr, exitCode } = await cli(['profile', '-f', stage.path(LIST), ...args], { env: stage.env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(message);
    expect(stage.server.requests).toEqual([]);
  });
});

describe('several outputs', () => {
  it('of one wallet are its document and its row; a report is of a list', async () => {
    await using stage = await startStage();
    const [wallet = ''] = WALLETS;
    const { stdout, exitCode } = await stage.cli(['profile', wallet, ...to('a.json', 'b.csv', '-')]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stage.read('a.json'))).toMatchObject({ wallet_address: wallet });
    expect(stage.read('b.csv')).toContain(wallet);
    expect(stdout).toContain(`wallet_address\t${wallet}`);
    expect(stage.server.requests).toHaveLength(1);
    const refused = await stage.cli(['profile', wallet, ...to('a.html')]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a report is of a list') });
  });

  it('of a diff and of journal export have the same rows', async () => {
    await using stage = await startStage();
    await stage.profile(...to('new.jsonl'), '--journal', 'kept.journal');
    const [first = ''] = stage.read('new.jsonl').split('\n');
    stage.write('old.jsonl', `${first}\n`);
    for (const line of [
      ['diff', 'old.jsonl', 'new.jsonl', '--sort', 'wallet_address:desc'],
      ['journal', 'export', 'kept.journal', '--sort', 'wallet_address:desc'],
    ]) {
      const { stdout, stderr, exitCode } = await stage.cli([...line, ...to('a.csv', 'b.jsonl', '-')]);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      const wallets = stage
        .read('b.jsonl')
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row).wallet_address);
      expect(wallets).toEqual(WALLETS.toReversed().slice(0, wallets.length));
      expect(wallets.length).toBeGreaterThan(3);
      expect(
        stage
          .read('a.csv')
          .trim()
          .split('\n')
          .slice(1)
          .map((row) => row.split(',')[0]),
      ).toEqual(wallets);
      expect(
        stdout
          .trim()
          .split('\n')
          .map((row) => row.split('\t')[0]),
      ).toEqual(wallets);
    }
  });
});

describe('messages of a run whose rows go into a JSON file', () => {
  it.each<[string, readonly string[], boolean, string]>([
    ['are for a person on a terminal', to('a.json'), true, 'note: wrote a.json (5 rows)\n'],
    ['are so with several files', to('a.json', 'b.jsonl'), true, 'note: wrote b.jsonl (5 rows)\n'],
    ['are objects where --json is typed', ['--json', ...to('a.json')], true, '{"note":"wrote a.json (5 rows)"}\n'],
    ['are objects in a pipe', [...to('a.json'), '--top', '1'], false, '{"note":"showing 1 of 5 rows"}\n'],
  ])('%s', async (_, args, stderr, expected) => {
    await using stage = await startStage();
    const told = await stage.cli(['profile', '-f', LIST, ...args], { tty: { stderr }, env: { NO_COLOR: '1' } });
    expect(told.stderr).toContain(expected);
    expect(told.stderr.includes('{')).toBe(expected.startsWith('{'));
  });

  it.each([
    ['rows.csv', 'rows.csv'],
    ['my rows.csv', "'my rows.csv'"],
    ['my\u001brows.csv', "'my\\u001brows.csv'"],
  ])('name the file %j as %s', async (file, shown) => {
    await using stage = await startStage();
    const told = await stage.cli(['profile', '-f', LIST, ...to(file)], { tty: { stderr: true } });
    expect(told.stderr).toContain(`wrote ${shown} (5 rows)\n`);
  });
});
