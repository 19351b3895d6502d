/**
 * Lists as people have them, their CSV read back by other programs, and one in a pipe of the built binary. A program that is not
 * installed is skipped, by name.
 */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, type Outcome } from '../../fixtures/cli/here.ts';
import { bareEnv, runLine } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { type MessyList, messyList } from '../../fixtures/place/lists.ts';
import { installed, PYTHON } from '../../fixtures/process/installed.ts';

const A = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const B = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const C = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const lower = (wallet: string) => wallet.toLowerCase();

const ADDED = ['wallet_address', 'status', 'total_collateral_usd', 'score', 'answered_at', 'warning', 'error'];
/** When the answers came is another time each time. */
const TIME = 'answered';
/** What the sandbox says of a wallet, always. */
const SCORES: Record<string, readonly string[]> = {
  [lower(A)]: ['922.60', '691'],
  [lower(B)]: ['5035.51', '639'],
  [lower(C)]: ['12758.59', '633'],
};
const scored = (wallet: string) => [wallet, 'scored', ...(SCORES[lower(wallet)] ?? []), TIME, '', ''];
const invalid = (error: string, text = '') => [text, 'invalid', '', '', '', '', error];
const ENS = 'it looks like an ENS name, and names are not looked up';

interface Case {
  readonly file: MessyList;
  readonly exitCode: number;
  readonly delimiter?: string;
  readonly rows: readonly (readonly string[])[];
}

const CASES: readonly Case[] = [
  {
    file: 'etherscan-holders.csv',
    exitCode: 0,
    rows: [
      ['HolderAddress', 'Balance', 'PendingBalanceUpdate', ...ADDED],
      [lower(A), '1,204,551.25', 'No', ...scored(lower(A))],
      [lower(B), '98,000', 'No', ...scored(lower(B))],
      ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', '0.5', 'Yes', ...scored(lower(A))],
    ],
  },
  {
    file: 'dune-anchors.csv',
    exitCode: 0,
    rows: [
      ['wallet_link', 'chain', 'last_tx', ...ADDED],
      [
        `<a href="https://etherscan.io/address/${lower(A)}" target="_blank">${A}</a>`,
        'ethereum',
        '<withheld: may be a private key>',
        ...scored(lower(A)),
      ],
      [
        `<a href="https://etherscan.io/address/${lower(B)}" target="_blank">0xfb69...d359</a>`,
        'base',
        '',
        ...scored(lower(B)),
      ],
    ],
  },
  {
    file: 'sheet-semicolon.csv',
    exitCode: 3,
    delimiter: ';',
    rows: [
      ['Kunde', 'Wallet Address ', 'Betrag', ...ADDED],
      ['Müller & Söhne', A, '1.234,50', ...scored(A)],
      ['Łukasz', `${B} `, '7,5', ...scored(B)],
      ['Zoë', 'vitalik.eth', '0', ...invalid(`line 6: ${ENS}`)],
    ],
  },
  {
    file: 'excel-tabs.txt',
    exitCode: 3,
    delimiter: '\t',
    rows: [
      ['No.', 'owner', 'note', ...ADDED],
      ['1', A, 'first 🐳', ...scored(A)],
      ['2', lower(A), 'same wallet', ...scored(A)],
      [
        '3',
        '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
        'typo',
        ...invalid('line 4: its EIP-55 checksum (the case of its letters) is wrong, almost always because of a typo'),
      ],
    ],
  },
  {
    file: 'notes.txt',
    exitCode: 3,
    rows: [
      ADDED,
      ...[A, B, C, A, B, C, A, B].map(scored),
      invalid('line 11: it contains 2 different addresses', `${A} or ${B}`),
      invalid('line 12: 0x is missing', A.slice(2)),
      invalid(`line 14: ${ENS}`, 'vitalik.eth'),
      scored(C),
    ],
  },
  {
    file: 'wallets.json',
    exitCode: 3,
    rows: [
      ADDED,
      scored(A),
      scored(B),
      invalid('line 4: there is no address'),
      invalid('line 5: it is not an address', '12'),
      scored(C),
      invalid('line 8: it is not an address', 'say "hi", ]'),
    ],
  },
  {
    file: 'wallets.jsonl',
    exitCode: 3,
    rows: [
      ['id', 'holder', ...ADDED],
      ['9007199254740993', A, ...scored(A)],
      ['2', lower(B), ...scored(lower(B))],
      ['3', '', ...invalid('line 4: there is no address')],
    ],
  },
  {
    file: 'quoted-newlines.csv',
    exitCode: 0,
    rows: [
      ['name', 'address', 'comment', ...ADDED],
      ['Alice\r\nSmith', A, 'says "hi",\r\ntwice', ...scored(A)],
      ['Bob', B, 'none', ...scored(B)],
    ],
  },
  {
    file: 'safe-address-book.csv',
    exitCode: 0,
    rows: [
      ['address', 'name', 'chainId', ...ADDED],
      [A, 'Ops', '1', ...scored(A)],
      [`eth:${B}`, 'Treasury', ' cold,1', ...scored(B)],
      [`arb1:${C}`, '', '', ...scored(C)],
    ],
  },
  {
    file: 'numbered.csv',
    exitCode: 0,
    rows: [
      ['#', 'Address', 'Score', ...ADDED],
      ['1', A, '1', ...scored(A)],
      ['2', B, '2', ...scored(B)],
    ],
  },
];

/** `list` in a folder of its own, where nothing of the developer's is seen or touched. */
async function stage(file: MessyList) {
  const folder = temporaryFolder();
  const list = join(folder, file);
  writeFileSync(list, await messyList(file));
  return { list, options: { cwd: folder, env: bareEnv({ HOME: folder, LIST: list }) } };
}

// Scored once, for whichever reader asks first.
const outcomes = new Map<MessyList, Promise<Outcome>>();

function scoredList(file: MessyList): Promise<Outcome> {
  const outcome = outcomes.get(file) ?? score(file);
  outcomes.set(file, outcome);
  return outcome;
}

async function score(file: MessyList): Promise<Outcome> {
  const { list } = await stage(file);
  return cli(['profile', '-f', list, '--sandbox', '--format', 'csv']);
}

function output(program: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

interface Csv {
  readonly text: string;
  readonly delimiter: string;
}

/** The records of each CSV, the header first, as a program reads them. */
type Read = (lists: readonly Csv[]) => readonly unknown[];

// As strings; without unflattening, at which Miller 6.6 fails for a column called `No.`.
const miller: Read = (lists) => {
  const folder = temporaryFolder();
  const files = lists.map(({ text }, i) => {
    writeFileSync(join(folder, String(i)), text);
    return join(folder, String(i));
  });
  const rows = [...new Set(lists.map(({ delimiter }) => delimiter))].flatMap((delimiter) => {
    const args = ['--icsv', '--ifs', delimiter, '--ojson', '--no-auto-unflatten', '-S', 'put', '$FILE = FILENAME'];
    const read: Record<string, string>[] = JSON.parse(
      output('mlr', [...args, ...files.filter((_, i) => lists[i]?.delimiter === delimiter)], ''),
    );
    return read.map(({ FILE, ...row }) => ({ FILE, row }));
  });
  return files.map((file) => {
    const own = rows.filter(({ FILE }) => FILE === file).map(({ row }) => row);
    return [Object.keys(own[0] ?? {}), ...own.map((row) => Object.values(row))];
  });
};

const python: Read = (lists) => {
  const script = `
import csv, io, json, sys
def rows(list):
    text = list['text'].removeprefix('\\ufeff')
    return [*csv.reader(io.StringIO(text, newline=''), delimiter=list['delimiter'], strict=True)]
print(json.dumps([rows(list) for list in json.load(sys.stdin)]))`;
  return JSON.parse(output(PYTHON, ['-c', script], JSON.stringify(lists)));
};

interface Reader {
  readonly program: string;
  readonly read: Read;
  /** What it makes of a cell. */
  readonly cell: (text: string) => string;
}

const READERS: readonly Reader[] = [
  // A line end inside a cell becomes that of the system.
  { program: 'mlr', read: miller, cell: (text) => text.replaceAll('\r\n', '\n') },
  { program: PYTHON, read: python, cell: (text) => text },
];

describe.each(READERS)('ten scored lists', ({ program, read, cell }) => {
  it.skipIf(!installed(program))(`are to ${program} what they were, and seven columns more`, async () => {
    const lists: Csv[] = [];
    for (const { file, exitCode, delimiter = ',' } of CASES) {
      const { stdout, ...outcome } = await scoredList(file);
      expect({ file, exitCode: outcome.exitCode }).toEqual({ file, exitCode });
      lists.push({ text: stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, TIME), delimiter });
    }
    const found = read(lists);
    expect(CASES.map(({ file }, i) => [file, found[i]])).toEqual(
      CASES.map(({ file, rows }) => [file, rows.map((row) => row.map(cell))]),
    );
  });
});

it.skipIf(!installed('jq'))('jsonl goes through a pipe, line by line, to jq', async () => {
  const { options } = await stage('sheet-semicolon.csv');
  const { stdout } = await runLine(
    `cat "$LIST" | r profile - --jsonl --sandbox |
     jq -c '[._meta.line, ._meta.status, ._meta.input.Kunde, .wallet_address, ._meta.error.code]'
     echo "\${PIPESTATUS[@]}"`,
    options,
  );
  expect(stdout.trimEnd().split('\n')).toEqual([
    `[2,"scored","Müller & Söhne","${A}",null]`,
    `[4,"scored","Łukasz","${B}",null]`,
    '[6,"invalid","Zoë",null,"ens"]',
    '0 3 0',
  ]);
});
