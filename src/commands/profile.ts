/** `riskcli profile`: one wallet at a glance, or a list with a row each. What was typed is judged here, before anything is sent. */
import { checkChoice } from '../choice.ts';
import type { Context } from '../context.ts';
import type { Status } from '../document/row.ts';
import { type ExitCode, UsageError } from '../errors.ts';
import { quotedWord } from '../output/escape.ts';
import { LIST_FORMATS, type ListFormat } from '../output/list-writer.ts';
import { parseDuration } from '../settings/duration.ts';
import { resolveSettings } from '../settings/resolve.ts';
import type { WalletFormat } from '../wallet/secret.ts';
import { chooseFormat } from './choose-format.ts';
import type { CommandBody, Typed } from './command.ts';
import { formatFlags, KEY_FLAGS, OUTPUT_FLAGS, READING_FLAGS, SERVICE_FLAGS } from './flags.ts';

const ACCEPTABLE: readonly Status[] = ['no_score', 'invalid', 'failed', 'pending'];

export const profile: CommandBody = {
  description: `Show the risk profile of one wallet, or of each wallet of a list. A list may be
lines, CSV (columns are carried through), JSON or JSON Lines; rows come out in
input order, and each distinct wallet is asked once.`,
  args: [{ name: 'wallet', help: '0x address; several, or - for a list on stdin', optional: true, variadic: true }],
  flags: [
    {
      long: 'file',
      short: 'f',
      value: 'FILE',
      repeatable: true,
      help: 'read the list from FILE (-: stdin); several are one list',
      completes: 'file',
    },
    { long: 'column', value: 'NAME', help: 'column of a CSV or JSON list that holds the address' },
    ...READING_FLAGS,
    { long: 'no-checksum', help: 'accept mixed case that fails EIP-55' },
    ...formatFlags(LIST_FORMATS),
    {
      long: 'fields',
      value: 'PATHS',
      repeatable: true,
      help: "pick, order, rename: a,score=b.c[0],d?; '+a': add to the usual; '*': all",
    },
    ...OUTPUT_FLAGS,
    {
      long: 'fail-if',
      value: 'CONDITION',
      repeatable: true,
      help: "exit 10 when 'PATH OP VALUE' or 'PATH missing' holds",
    },
    { long: 'accept', value: 'STATUSES', repeatable: true, help: 'rows that neither match --fail-if nor fail the run' },
    { long: 'partial', help: 'write -o FILE also when the run stops early' },
    { long: 'journal', value: 'FILE', help: 'store of answers: what it has is not asked again', completes: 'file' },
    { long: 'max-age', value: 'DURATION', help: 'ask again for answers that are older' },
    { long: 'progress', value: 'DURATION', help: 'a line so often where stderr is no terminal: 1m' },
    { long: 'dry-run', help: 'say what the list would cost, send nothing' },
    { long: 'max-requests', value: 'N', help: 'stop before this run sends more' },
    { long: 'rate', value: 'N', help: "at most N requests a second (never above the key's limit)" },
    { long: 'concurrency', value: 'N', help: 'at most N requests in flight' },
    ...SERVICE_FLAGS,
    ...KEY_FLAGS,
  ],
  examples: [
    { line: 'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', does: 'One wallet, to read' },
    {
      line: 'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --json | jq .',
      does: 'Its document, as the service spelled it',
    },
    { line: 'riskcli profile -f wallets.csv --dry-run', does: 'What a list would cost' },
    {
      line: 'riskcli profile -f wallets.csv --column holder -o scored.csv',
      does: 'A list; the same command again goes on where it was stopped',
    },
    {
      line: "riskcli profile - --jsonl --fail-if '_meta.score < 400' < wallets.txt",
      does: 'A gate: exit 10 when a score is below 400, or unknown',
    },
  ],
  run: runProfile,
};

export type ProfileSource =
  | { readonly kind: 'one'; readonly wallet: string }
  | { readonly kind: 'arguments'; readonly wallets: readonly string[] }
  | { readonly kind: 'files'; readonly files: readonly string[] };

export interface ProfileOptions {
  readonly source: ProfileSource;
  readonly format: ListFormat;
  readonly output: string | undefined;
  readonly header: boolean;
  readonly fields: readonly string[];
  readonly failIf: readonly string[];
  readonly accept: ReadonlySet<Status>;
  readonly walletFormat: WalletFormat;
  readonly checksum: boolean;
  readonly column: string | undefined;
  readonly partial: boolean;
  readonly journal: string | undefined;
  readonly maxAge: string | undefined;
  readonly dryRun: boolean;
  /** How often a line says how far a list is, milliseconds. */
  readonly progressMs: number | undefined;
  readonly maxRequests: number | undefined;
  readonly rate: number | undefined;
  readonly concurrency: number | undefined;
}

/** One run of the command: what was typed, what it means, and what it may touch. */
export interface Stage {
  readonly options: ProfileOptions;
  readonly typed: Typed;
  readonly context: Context;
}

/** What `typed` means by itself. @throws UsageError when it makes no sense. */
export function parseProfile(typed: Typed): Omit<ProfileOptions, 'walletFormat'> {
  const source = parseSource(typed);
  if (source.kind === 'one') refuseListFlags(typed);
  return {
    source,
    format: chooseFormat(typed, { choices: LIST_FORMATS, list: source.kind !== 'one' && !typed.on('dry-run') }),
    output: typed.text('output'),
    header: !typed.on('no-header'),
    fields: typed.all('fields'),
    failIf: typed.all('fail-if'),
    accept: parseAccept(typed.all('accept')),
    checksum: !typed.on('no-checksum'),
    column: typed.text('column'),
    partial: typed.on('partial'),
    journal: typed.text('journal'),
    maxAge: typed.text('max-age'),
    dryRun: typed.on('dry-run'),
    progressMs: parseProgress(typed.text('progress')),
    maxRequests: parseCount(typed, 'max-requests'),
    rate: parseCount(typed, 'rate', { fractions: true }),
    concurrency: parseCount(typed, 'concurrency'),
  };
}

function parseSource(typed: Typed): ProfileSource {
  const files = typed.all('file');
  const [first, ...more] = typed.args;
  if (files.length > 0) {
    if (files.filter((file) => file === '-').length > 1) {
      throw new UsageError('standard input is named twice', { hint: 'leave out one --file -' });
    }
    if (first === undefined) return { kind: 'files', files };
    throw new UsageError('wallets are named and --file is given', { hint: 'leave one of them out' });
  }
  if (first === undefined) {
    throw new UsageError('no wallet is named', { hint: 'name one, or a list with -f FILE or - for stdin' });
  }
  if (first === '-' && more.length === 0) return { kind: 'files', files: ['-'] };
  if (typed.args.includes('-')) {
    throw new UsageError('wallets are named and - stands among them', { hint: 'leave one of them out' });
  }
  return more.length === 0 ? { kind: 'one', wallet: first } : { kind: 'arguments', wallets: typed.args };
}

const LIST_ONLY = ['column', 'journal', 'max-age'] as const;

function refuseListFlags(typed: Typed): void {
  const [flag] = LIST_ONLY.filter((long) => typed.text(long) !== undefined);
  if (!flag) return;
  throw new UsageError(`--${flag} is for a list`, {
    hint: 'give the wallet as a list: echo 0x... | riskcli profile -',
  });
}

function parseAccept(texts: readonly string[]): ReadonlySet<Status> {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  return new Set(names.map((name) => checkChoice('--accept', name, ACCEPTABLE) as Status));
}

function parseCount(typed: Typed, long: string, { fractions = false } = {}): number | undefined {
  const text = typed.text(long);
  if (text === undefined) return undefined;
  const pattern = fractions ? /^\d+(\.\d+)?$/ : /^\d+$/;
  const value = Number(text);
  if (pattern.test(text) && value > 0 && Number.isFinite(value)) return value;
  throw new UsageError(`--${long} is ${quotedWord(text)}`, {
    hint: `it takes a ${fractions ? '' : 'whole '}number above 0`,
  });
}

function parseProgress(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text, '--progress');
  if (ms > 0) return ms;
  throw new UsageError('--progress is 0', { hint: 'write it like 30s or 1m' });
}

async function runProfile(typed: Typed, context: Context): Promise<ExitCode | undefined> {
  const { walletFormat } = resolveSettings(typed, context);
  const options = { ...parseProfile(typed), walletFormat: walletFormat.value };
  const stage = { options, typed, context };
  if (options.source.kind === 'one' && !options.dryRun) {
    const { profileOne } = await import('./profile-one.ts');
    return profileOne(options.source.wallet, stage);
  }
  const { profileList } = await import('./profile-list.ts');
  return profileList(stage);
}
