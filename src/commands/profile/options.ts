/** What was typed after `riskcli profile`, and what it means by itself: judged here, before anything is sent. */
import { chooseFormat } from '../../cli/choose-format.ts';
import type { ParsedArgs } from '../../cli/flag.ts';
import { UsageError } from '../../errors.ts';
import { LIST_FORMATS, type ListFormat } from '../../output/list/list-writer.ts';
import type { Status } from '../../row/row.ts';
import { parseShape, type Shape } from '../../row/shape.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { checkChoice } from '../../text/choice.ts';
import { parseDuration } from '../../text/duration.ts';
import { quotedWord } from '../../text/escape.ts';
import type { WalletFormat } from '../../text/secret.ts';
import type { Tell } from './report/tell.ts';
import type { RuleSet } from './rules.ts';

export const ACCEPTABLE: readonly Status[] = ['no_score', 'invalid', 'failed', 'pending'];

export type ProfileSource =
  | { readonly kind: 'one'; readonly wallet: string }
  | { readonly kind: 'arguments'; readonly wallets: readonly string[] }
  | { readonly kind: 'files'; readonly files: readonly string[] };

export interface ProfileOptions extends RuleSet {
  readonly source: ProfileSource;
  readonly format: ListFormat;
  readonly output: string | undefined;
  readonly header: boolean;
  readonly fields: readonly string[];
  readonly shape: Shape;
  readonly accept: ReadonlySet<Status>;
  readonly walletFormat: WalletFormat;
  readonly checksum: boolean;
  readonly column: string | undefined;
  readonly partial: boolean;
  /** The file of --policy. */
  readonly policy: string | undefined;
  readonly journal: string | undefined;
  /** Milliseconds. */
  readonly maxAgeMs: number | undefined;
  readonly dryRun: boolean;
  /** How often a line says how far a list is, milliseconds. */
  readonly progressMs: number | undefined;
  readonly maxRequests: number | undefined;
  readonly rate: number | undefined;
  readonly concurrency: number | undefined;
}

/** One run of the command: what was typed, what it means, and what it may touch. */
export interface ProfileRun extends ResolvedRun {
  readonly options: ProfileOptions;
  readonly typed: ParsedArgs;
  /** Takes what --metrics and --summary are to tell; undefined where there is neither. */
  readonly tell?: Tell | undefined;
}

/** What `typed` means by itself. @throws UsageError when it makes no sense. */
export function parseProfile(typed: ParsedArgs): Omit<ProfileOptions, 'walletFormat' | keyof RuleSet> {
  const source = parseSource(typed);
  return {
    source,
    format: chooseFormat(typed, { choices: LIST_FORMATS, list: source.kind !== 'one' && !typed.on('dry-run') }),
    output: typed.text('output'),
    header: !typed.on('no-header'),
    fields: typed.all('fields'),
    shape: parseShape(typed),
    accept: parseAccept(typed.all('accept')),
    checksum: !typed.on('no-checksum'),
    column: typed.text('column'),
    partial: typed.on('partial'),
    policy: typed.text('policy'),
    journal: typed.text('journal'),
    maxAgeMs: parseMaxAge(typed),
    dryRun: typed.on('dry-run'),
    progressMs: parseProgress(typed.text('progress')),
    maxRequests: parseCount(typed, 'max-requests'),
    rate: parseCount(typed, 'rate', { fractions: true }),
    concurrency: parseCount(typed, 'concurrency'),
  };
}

/** Where the wallets are. @throws UsageError when none are named, or in two ways. */
export function parseSource(typed: ParsedArgs): ProfileSource {
  const files = typed.all('file');
  const [first, ...more] = typed.args;
  if (files.length > 0) {
    if (files.filter((file) => file === '-').length > 1) {
      throw new UsageError('standard input is given twice', { hint: 'remove one of the two' });
    }
    if (first === undefined) return { kind: 'files', files };
    throw new UsageError('both wallets and --file were given', { hint: 'use one or the other' });
  }
  if (first === undefined) {
    throw new UsageError('no wallet was given', { hint: 'give one, or a list with -f FILE or - for stdin' });
  }
  if (first === '-' && more.length === 0) return { kind: 'files', files: ['-'] };
  if (typed.args.includes('-')) {
    throw new UsageError('both wallets and - were given', { hint: 'use one or the other' });
  }
  return more.length === 0 ? { kind: 'one', wallet: first } : { kind: 'arguments', wallets: typed.args };
}

/** The journal of this command; undefined when it keeps none. A device or standard output has no journal beside it. */
export function journalPath({ journal, output }: Pick<ProfileOptions, 'journal' | 'output'>): string | undefined {
  if (journal !== undefined) return journal;
  return output === undefined || output === '-' || output.startsWith('/dev/') ? undefined : `${output}.journal`;
}

export function parseAccept(texts: readonly string[]): ReadonlySet<Status> {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  return new Set(names.map((name) => checkChoice('--accept', name, ACCEPTABLE) as Status));
}

function parseCount(typed: ParsedArgs, long: string, { fractions = false } = {}): number | undefined {
  const text = typed.text(long);
  if (text === undefined) return undefined;
  const pattern = fractions ? /^\d+(\.\d+)?$/ : /^\d+$/;
  const value = Number(text);
  if (pattern.test(text) && value > 0 && Number.isFinite(value)) return value;
  throw new UsageError(`--${long} cannot be ${quotedWord(text)}`, {
    hint: `give a ${fractions ? '' : 'whole '}number above 0`,
  });
}

function parseMaxAge(typed: ParsedArgs): number | undefined {
  const text = typed.text('max-age');
  if (text === undefined) return undefined;
  const ms = parseDuration(text, '--max-age');
  if (journalPath({ journal: typed.text('journal'), output: typed.text('output') }) !== undefined) return ms;
  throw new UsageError('--max-age needs a journal', { hint: 'add --journal FILE or -o FILE' });
}

function parseProgress(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text, '--progress');
  if (ms > 0) return ms;
  throw new UsageError('--progress cannot be 0', { hint: 'write it like 30s or 1m' });
}
