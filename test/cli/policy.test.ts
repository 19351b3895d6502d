/**
 * `riskcli policy`: what is said of a policy, and exceptions that are written into it or taken out.
 */
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { replaceCall } from '../fixtures/place/calls.ts';
import { makeFifo } from '../fixtures/place/fifo.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';
import { startAnswers } from '../fixtures/service/answers.ts';

const [A, B] = [address(1), address(2)];
const NOON = Date.parse('2026-06-15T12:00:00Z');
const RULES = [
  { name: 'low', if: 'score < 400', note: 'ask' },
  { name: 'near', if: { any: ['score < 600', 'score missing'] }, level: 'watch' },
];
const held = (rule: string, until?: string) => ({ wallet: A, rule, reason: 'known', until });
const textOf = (exceptions: readonly object[]) => `${JSON.stringify({ rules: RULES, exceptions }, null, 2)}\n`;

function written(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'policy.json');
  writeFileSync(path, content);
  return path;
}

const run = (...args: string[]) => cli(['policy', ...args], { now: () => NOON });

it('lists rules, and exceptions with what is left of each', async () => {
  const ends = [
    held('low'),
    { ...held('near', '2026-06-15'), wallet: B },
    held('near', '2026-07-01'),
    { ...held('low', '2026-06-14'), wallet: B },
  ];
  const file = written(textOf(ends));
  expect(await run('check', file)).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: [
      'rule\tlow\talarm\tscore < 400\task',
      'rule\tnear\twatch\tscore < 600 or score missing\t',
      `exception\t${A}\tlow\t\t\tknown`,
      `exception\t${B}\tnear\t0\t2026-06-15\tknown`,
      `exception\t${A}\tnear\t16\t2026-07-01\tknown`,
      `exception\t${B}\tlow\tended\t2026-06-14\tknown`,
      '',
    ].join('\n'),
  });
  const { rules, exceptions } = JSON.parse((await run('check', file, '--json')).stdout);
  expect(rules).toEqual([
    { note: null, level: 'alarm', ...RULES[0] },
    { note: null, ...RULES[1] },
  ]);
  expect(exceptions.map(({ state, days_left }: Record<string, unknown>) => [state, days_left])).toEqual([
    ['in force', null],
    ['in force', 0],
    ['in force', 16],
    ['ended', null],
  ]);
});

it('lists the exceptions of no rule, and ends as a run would, with line and column', async () => {
  const file = written(textOf([held('lo'), held('low')]));
  const { stdout, stderr, exitCode } = await run('check', file);
  expect(stdout).toContain(`exception\t${A}\tlo\tof no rule\t\tknown\nexception\t${A}\tlow\t\t\tknown\n`);
  const refused = await cli(['profile', A, '--policy', file, '--base-url', 'https://api.example.com'], {});
  expect({ stderr, exitCode }).toEqual({ stderr: refused.stderr, exitCode: 2 });
  expect(stderr).toContain("exceptions[0].rule names no rule of the policy: 'lo' (line 22, column 15)");
});

// A time that grows with the square of the blanks would be minutes.
it.each([
  ['blanks', ' '.repeat(400_000)],
  ['words', 'a '.repeat(100_000)],
])('draws a policy with very many %s on a terminal', async (_, text) => {
  const file = written(JSON.stringify({ rules: [{ name: 'low', if: 'score < 400', note: `a${text}b` }] }));
  const { stdout, exitCode } = await cli(['policy', 'check', file], { tty: { stdout: true }, columns: 80 });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('score < 400')]);
});

it('reports any other mistake of a policy as a run does', async () => {
  const file = written('{"rules": []}');
  expect(await run('check', file)).toEqual(
    await cli(['profile', A, '--policy', file, '--base-url', 'https://a.example'], {}),
  );
  expect((await run('check', join(temporaryFolder(), 'none.json'))).exitCode).toBe(2);
});

const C = address(3);
const answer = (wallet: string, score: number | null, more: object = {}) => ({
  wallet_address: wallet,
  total_collateral_usd: 10,
  defi_score: { defi_score: score },
  ...more,
});
/** A row as profile writes it. */
const row = (line: number, wallet: string, meta: object, document: object | undefined) => ({
  ...(document ?? { wallet_address: wallet }),
  _meta: {
    line,
    input: { wallet, name: `client ${line}` },
    status: 'scored',
    score: null,
    answered_at: '2026-06-08T06:00:00.000Z',
    ...meta,
  },
});
const file = (name: string, text: string | Buffer) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
};
const lines = (rows: readonly object[]) => rows.map((one) => `${JSON.stringify(one)}\n`).join('');
const ROWS = [
  row(2, A, { score: 300, matched: ['low'], unjudged: [] }, answer(A, 300)),
  row(3, B, { score: 500, matched: [], unjudged: [] }, answer(B, 500)),
  row(
    4,
    C,
    { status: 'failed', error: { code: 'temporary', message: 'down' }, matched: [], unjudged: ['low'] },
    undefined,
  ),
];
const policy = (...rules: readonly object[]) => written(JSON.stringify({ rules }));
const low = (condition: unknown) => ({ name: 'low', if: condition });
const against = (policyFile: string, runFile: string, ...more: string[]) =>
  run('check', policyFile, '--against', runFile, ...more);
/** The lines about the run. */
const effects = ({ stdout }: { readonly stdout: string }) =>
  stdout.split('\n').filter((line) => /^(?:against|open|close)\t/.test(line));

it('shows for each rule what matches, cannot be judged, opens and closes, by label', async () => {
  const rows = file('run.jsonl', lines(ROWS));
  const wider = await against(policy(low('score < 600'), { ...RULES[1], if: 'score < 200' }), rows);
  expect(wider).toMatchObject({ exitCode: 0, stderr: '' });
  expect(effects(wider)).toEqual([
    'against\tlow\talarm\t2\t1\t0\t1\t0',
    'against\tnear\twatch\t0\t1\t0\t0\t0',
    `open\tlow\t${B}\tclient 3`,
  ]);
  expect(effects(await against(policy(low('score < 200')), rows))).toEqual([
    'against\tlow\talarm\t0\t1\t0\t0\t1',
    `close\tlow\t${A}\tclient 2`,
  ]);
  expect(effects(await against(policy({ name: 'other', if: 'status == scored' }), rows))).toEqual([
    'against\tother\talarm\t2\t0\t0\t2\t0',
    'against\tlow\t\t0\t0\t0\t0\t1',
    `open\tother\t${A}\tclient 2`,
    `open\tother\t${B}\tclient 3`,
    `close\tlow\t${A}\tclient 2`,
  ]);
});

it('prints the effects of a policy as JSON', async () => {
  const printed = await against(policy(low('score < 600')), file('run.jsonl', lines(ROWS)), '--json');
  expect(JSON.parse(printed.stdout).against).toEqual({
    wallets: 3,
    rules: [
      {
        ...{ rule: 'low', level: 'alarm', matches: 2, not_judged: 1, excused: 0 },
        open: { total: 1, wallets: [{ wallet: B, label: 'client 3', line: 3 }] },
        close: { total: 0, wallets: [] },
      },
    ],
  });
});

it('judges rules on change as not judged, and closes nothing by them', async () => {
  const change = policy(low('score.delta < -50'), {
    name: 'either',
    if: { any: ['score < 400', 'score.ratio < 0.5'] },
  });
  expect(effects(await against(change, file('run.jsonl', lines(ROWS))))).toEqual([
    'against\tlow\talarm\t0\t3\t0\t0\t0',
    'against\teither\talarm\t1\t2\t0\t1\t0',
    `open\teither\t${A}\tclient 2`,
  ]);
});

it('counts a wallet that is listed twice once, and names the first ten', async () => {
  const many = Array.from({ length: 12 }, (_, i) =>
    row(i + 2, address(i + 1), { score: 500 }, answer(address(i + 1), 500)),
  );
  const again = row(14, A.toUpperCase().replace('0X', '0x'), { score: 500 }, answer(A, 500));
  const found = effects(await against(policy(low('score < 600')), file('run.jsonl', lines([...many, again]))));
  expect(found[0]).toBe('against\tlow\talarm\t12\t0\t0\t12\t0');
  expect(found.slice(1)).toEqual(many.slice(0, 10).map((_, i) => `open\tlow\t${address(i + 1)}\tclient ${i + 2}`));
  const shown = await cli(['policy', 'check', policy(low('score < 600')), '--against', file('r.jsonl', lines(many))], {
    tty: { stdout: true },
    columns: 200,
  });
  expect(shown.stdout).toContain('low would open 12: client 2, client 3, ');
  expect(shown.stdout).toContain('client 11 and 2 more\n');
});

it('closes an alarm by an exception, and opens it by one that is gone', async () => {
  const excused = written(JSON.stringify({ rules: [low('score < 400')], exceptions: [held('low')] }));
  expect(effects(await against(excused, file('run.jsonl', lines(ROWS))))).toEqual([
    'against\tlow\talarm\t0\t1\t1\t0\t1',
    `close\tlow\t${A}\tclient 2`,
  ]);
  const meta = { score: 300, matched: [], unjudged: [], excused: [{ rule: 'low', reason: 'known' }] };
  const rows = file('run.jsonl', lines([row(2, A, meta, answer(A, 300))]));
  expect(effects(await against(policy(low('score < 400')), rows))).toEqual([
    'against\tlow\talarm\t1\t0\t0\t1\t0',
    `open\tlow\t${A}\tclient 2`,
  ]);
});

it('closes nothing by an incomplete answer', async () => {
  const meta = { score: 300, warning: 'errors: aave', matched: ['low'], unjudged: [] };
  const rows = file('run.jsonl', lines([row(2, A, meta, answer(A, 300, { errors: ['aave'] }))]));
  expect(effects(await against(policy(low('score < 200')), rows))).toEqual(['against\tlow\talarm\t0\t0\t0\t0\t0']);
});

it('reports a path and a value that no answer had', async () => {
  const rows = file('run.jsonl', lines(ROWS));
  const { stderr, exitCode } = await against(policy({ name: 'x', if: 'defi_scor.defi_score < 1' }), rows);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('did you mean defi_score.defi_score?')]);
  expect((await against(policy({ name: 'x', if: 'status == done' }), rows)).stderr).toContain("no row had 'done'");
});

it.each([
  ['is not there', undefined],
  ['riskcli has not written', '{"a": 1}\n'],
  ['has no rows', ''],
])('prints nothing for a run that %s', async (_, text) => {
  const path = text === undefined ? join(temporaryFolder(), 'none.jsonl') : file('run.jsonl', text);
  expect(await against(policy(low('score < 600')), path)).toMatchObject({ stdout: '', exitCode: 9 });
});

it('predicts from a kept review what the next one finds in the same answers', async () => {
  await using service = await startAnswers((wallet) => answer(wallet, wallet === A ? 300 : 500));
  const folder = temporaryFolder();
  const list = join(folder, 'list.csv');
  writeFileSync(list, `name,wallet\nAda,${A}\nBen,${B}\n`);
  const review = (policyFile: string, day: string, ...more: string[]) =>
    cli(['review', list, '--policy', policyFile, '--json', ...more], {
      env: service.env,
      now: () => Date.parse(`2026-06-${day}T06:00:00Z`),
    });
  const [strict, wide] = [policy(low('score < 400')), policy(low('score < 600'), { name: 'rich', if: 'score > 450' })];
  await review(strict, '08', '--fail-if', 'any: score > 1');
  const [kept = ''] = readdirSync(`${list}.reviews`).filter((name) => name.endsWith('.jsonl'));
  const shown = await against(wide, join(`${list}.reviews`, kept));
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(effects(shown)).toEqual([
    'against\tlow\talarm\t2\t0\t0\t1\t0',
    'against\trich\talarm\t1\t0\t0\t1\t0',
    `open\tlow\t${B}\tBen`,
    `open\trich\t${B}\tBen`,
  ]);
  const { rules } = JSON.parse((await review(wide, '15')).stdout);
  const news = Object.fromEntries(rules.map((one: Record<string, unknown>) => [one.name, [one.new, one.closed]]));
  expect(news).toMatchObject({ low: [1, 0], rich: [1, 0] });
});

const excuse = (file: string, ...more: string[]) => run('excuse', file, ...more);
const why = ['--reason', 'ticket 17'];

it('writes an exception, and tells which one it replaces', async () => {
  const file = written(textOf([]));
  chmodSync(file, 0o640);
  expect(await excuse(file, A, '--rule', 'low', ...why, '--until', '2026-06-15')).toEqual({
    stdout: '',
    stderr: '',
    exitCode: 0,
  });
  const first = { wallet: A, rule: 'low', reason: 'ticket 17', until: '2026-06-15' };
  expect(readFileSync(file, 'utf8')).toBe(textOf([first]));
  expect(await excuse(file, B, '--rule', 'low', ...why)).toMatchObject({ stderr: '', exitCode: 0 });
  const again = await excuse(
    file,
    A.replace('0x', '0x').toUpperCase().replace('0X', '0x'),
    '--rule',
    'low',
    '--reason',
    'ticket 21',
  );
  expect(again.stderr).toBe(`riskcli: replaced in ${file}: ${A} excused from low: ticket 17 (until 2026-06-15)\n`);
  expect(readFileSync(file, 'utf8')).toBe(
    textOf([
      { wallet: A, rule: 'low', reason: 'ticket 21' },
      { ...first, wallet: B, until: undefined },
    ]),
  );
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect((await excuse(file, A, '--rule', 'low', '--remove')).exitCode).toBe(0);
  expect((await excuse(file, B, '--rule', 'low', '--remove')).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(textOf([]));
});

it('reports on a terminal what it wrote, and nothing on a pipe', async () => {
  const file = written(textOf([]));
  const onTerminal = (...args: string[]) =>
    cli(['policy', 'excuse', file, A, '--rule', 'low', ...args], { now: () => NOON, tty: { stderr: true } });
  const text = ({ stderr }: { readonly stderr: string }) => stderr.replace(/\s+/g, ' ');
  expect(text(await onTerminal(...why, '--until', '2026-07-01'))).toContain(
    ` added to ${file}: ${A} excused from low: ticket 17 (until 2026-07-01)`,
  );
  expect(text(await onTerminal('--remove'))).toContain(` taken out of ${file}: ${A} excused from low: ticket 17`);
  expect((await excuse(file, A, '--rule', 'low', ...why)).stderr).toBe('');
});

it('keeps a byte order mark, CRLF, and what its author has laid out', async () => {
  const text = textOf([held('low')])
    .replace('"score < 400"', '  "score < 400"')
    .replaceAll('\n', '\r\n');
  const file = written(`\ufeff${text}`);
  await excuse(file, B, '--rule', 'low', ...why);
  const added = readFileSync(file, 'utf8');
  expect(added).toContain(
    `    {\r\n      "wallet": "${B}",\r\n      "rule": "low",\r\n      "reason": "ticket 17"\r\n    }\r\n`,
  );
  await excuse(file, B, '--rule', 'low', '--remove');
  expect(readFileSync(file, 'utf8')).toBe(`\ufeff${text}`);
});

it('takes out an exception of a rule that is no longer there', async () => {
  const file = written(textOf([held('gone'), held('low')]));
  expect((await excuse(file, A, '--rule', 'gone', '--remove')).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(textOf([held('low')]));
});

it.each([
  ['an unknown rule', [A, '--rule', 'lo', ...why], "the policy has no rule 'lo'; did you mean low?"],
  ['what is no wallet', ['0x12', '--rule', 'low', ...why], "'0x12' is not a wallet"],
  ['a wrong checksum', [`0x${'aB'.repeat(20)}`, '--rule', 'low', ...why], 'EIP-55'],
  ['a day that has passed', [A, '--rule', 'low', ...why, '--until', '2026-06-14'], '--until 2026-06-14 has passed'],
  ['what is no day', [A, '--rule', 'low', ...why, '--until', '30.6.2026'], "--until cannot be '30.6.2026'"],
  ['no reason', [A, '--rule', 'low'], '--reason is missing'],
  ['a blank reason', [A, '--rule', 'low', '--reason', ' '], '--reason says nothing'],
  ['no rule', [A, ...why], '--rule is missing'],
  ['no exception to remove', [B, '--rule', 'low', '--remove'], `the policy has no exception of ${B} from 'low'`],
  ['no rule to remove it from', [A, '--rule', 'lo', '--remove'], "the policy has no rule 'lo'"],
  ['a reason to remove', [A, '--rule', 'low', '--remove', ...why], '--reason cannot be used with --remove'],
])('writes nothing for %s: exit 2', async (_, args, problem) => {
  const file = written(textOf([held('low')]));
  const { stdout, stderr, exitCode } = await excuse(file, ...args);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(problem);
  expect(readFileSync(file, 'utf8')).toBe(textOf([held('low')]));
});

it('writes nothing into a policy that a run would refuse: exit 2', async () => {
  const file = written('{"rules": [{"name": "low", "if": "score < 1", "notes": "x"}]}');
  const { stderr, exitCode } = await excuse(file, A, '--rule', 'low', ...why);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("has the unknown key 'notes' (line 1, column 56)")]);
  expect((await excuse(join(temporaryFolder(), 'none.json'), A, '--rule', 'low', ...why)).exitCode).toBe(2);
});

it('follows no link, and waits for no pipe: exit 8', async () => {
  const file = written(textOf([]));
  symlinkSync(file, `${file}.link`);
  makeFifo(`${file}.pipe`);
  const said = { link: 'is a symbolic link; give the file it points to', pipe: 'is a FIFO' };
  for (const [kind, words] of Object.entries(said)) {
    const { stderr, exitCode } = await excuse(`${file}.${kind}`, A, '--rule', 'low', ...why);
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining(words)]);
  }
  expect(readFileSync(file, 'utf8')).toBe(textOf([]));
});

it.each<[string, (file: string) => unknown]>([
  ['is edited', (file) => writeFileSync(file, textOf([held('low')]))],
  [
    'is replaced by a link',
    (file) => {
      renameSync(file, `${file}.old`);
      symlinkSync(`${file}.old`, file);
    },
  ],
  ['is removed', (file) => rmSync(file)],
])('writes nothing over a file that %s after it was read: exit 8', async (_, change) => {
  const file = written(textOf([]));
  let folder: readonly string[] = [];
  replaceCall('fchmodSync', (chmod) => (...given) => {
    change(file);
    folder = readdirSync(dirname(file)).filter((name) => name.startsWith('policy.json') && !name.endsWith('.lock'));
    return chmod(...given);
  });
  const { stderr, exitCode } = await excuse(file, B, '--rule', 'low', ...why);
  expect([exitCode, stderr]).toEqual([
    8,
    expect.stringContaining('has changed since it was read; run the same command again'),
  ]);
  expect(readdirSync(dirname(file))).toEqual(folder);
  for (const name of folder) expect(readFileSync(join(dirname(file), name), 'utf8')).not.toContain(B);
});
