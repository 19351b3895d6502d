/**
 * The flags of `riskcli review`, and what they mean together: judged here, before anything is sent.
 */
import { statSync } from 'node:fs';
import type { Options } from '../../cli/command.ts';
import { FILE, onOff, text, value } from '../../cli/flag.ts';
import { parsePast } from '../../cli/past.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { USUAL_MAX_AGE_MS } from '../../list-run/journal-use.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { DEFAULT_SINCE, type Since } from '../../review/choose.ts';
import { DATA_FORMATS, extensionWords, LIST_FORMATS, REPORT_FORMATS } from '../../row/formats.ts';
import { readRules } from '../../rules/rule-set.ts';
import { quoted, quotedWord } from '../../secrets/redact.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { readDuration } from '../../settings/typed-values.ts';
import { DAY_MS, parseDay, utcDay } from '../../text/when.ts';
import { connectionFlags, formatFlags, gateFlags, labelFlag, listFlags, outputFlag, paceFlags } from '../flags.ts';

const FORMATS = ['table', 'json'] as const;
const { journal: _, ...pace } = paceFlags;

export const flags = {
  ...listFlags,
  keep: text({
    value: 'DIR',
    group: 'Input',
    help: 'the folder of the kept reviews (default: LIST.reviews)',
    completes: FILE,
  }),
  since: value(parseSince, {
    value: 'WHEN',
    group: 'Input',
    help: 'compare with the review of this long ago, or of this date (default: 7d)',
  }),
  asOf: value(parsePast, {
    value: 'WHEN',
    group: 'Input',
    conflicts: [
      ...['since', 'policy', 'fail-if', 'accept', 'label', 'column', 'sheet', 'only-news'],
      ...['dry-run', 'max-requests', 'rate', 'concurrency', 'max-age'],
    ],
    help: 'reprint the last review up to then; sends nothing',
  }),
  ...formatFlags(FORMATS),
  brief: onOff({ group: 'Output', help: 'a few lines of at most 200 characters, for a chat' }),
  onlyNews: onOff({ group: 'Output', help: 'print nothing if there is no news' }),
  output: {
    ...outputFlag,
    help: `write the page (${extensionWords(REPORT_FORMATS)}) or the rows (${extensionWords(DATA_FORMATS)}) to FILE`,
  },
  label: labelFlag,
  ...gateFlags,
  ...pace,
  maxAge: {
    ...pace.maxAge,
    help: 'reuse answers that are not older than this (default: 20h, and of the same UTC day)',
  },
  ...connectionFlags,
};

export type ReviewFlags = Options<typeof flags>;
export type ReviewOptions = Awaited<ReturnType<typeof reviewOptions>>;

export interface ReviewRun extends ResolvedRun {
  readonly options: ReviewOptions;
}

/** `7d` is how long ago, at least a day; a date is an earlier day. */
function parseSince(typed: string, what: string): { readonly text: string; at(now: number): Since } {
  const text = typed.trim();
  const wrong = (problem: string, hint: string) => new UsageError(`${what} ${problem}: ${quotedWord(typed)}`, { hint });
  if (/^\d+$/.test(text)) throw wrong('has no unit', `write ${text}d for days, or ${text}w for weeks`);
  const ago = readDuration(text);
  if (ago !== undefined && ago < DAY_MS) throw wrong('is less than a day', 'name a day or more, like 7d');
  if (ago !== undefined) return { text, at: () => ({ ago }) };
  const day = parseDay(text);
  if (day === undefined) throw wrong('is neither a duration nor a date', 'write it like 7d, 4w or 2026-11-15');
  return {
    text,
    at(now) {
      if (utcDay(day) < utcDay(now)) return { until: day + DAY_MS - 1 };
      throw wrong('is not an earlier day', 'name a day before today');
    },
  };
}

function isPipe(list: string): boolean {
  try {
    const stats = statSync(list);
    return stats.isFIFO() || stats.isCharacterDevice();
  } catch {
    // Opening the list reports what is wrong with it.
    return false;
  }
}

/** The folder of the kept reviews. @throws UsageError when nothing says which, or of which list */
function folderOf({ args: [list = ''], keep, asOf, sandbox }: ReviewFlags): string {
  if (list === '' && (asOf === undefined || keep === undefined)) {
    const stdin = asOf === undefined ? ', or - for standard input with --keep DIR' : ', or its reviews with --keep DIR';
    throw new UsageError('no list is named', { hint: `name one${stdin}` });
  }
  if (keep !== undefined) return keep;
  if (list !== '-' && !isPipe(list)) return `${list}${sandbox ? '.sandbox-reviews' : '.reviews'}`;
  const source = list === '-' ? 'standard input' : 'a pipe';
  throw new UsageError(`a list from ${source} has no name for its reviews`, { hint: 'add --keep DIR' });
}

/**
 * What the flags mean together. @throws UsageError when they make no sense, or the policy cannot be
 * read
 */
export async function reviewOptions(typed: ReviewFlags, context: Context) {
  const { args, output, checksum, maxAge = USUAL_MAX_AGE_MS, brief, since } = typed;
  const [list = ''] = args;
  const now = context.now();
  const folder = folderOf(typed);
  const format = chooseFormat({ ...typed, output: undefined }, { choices: FORMATS });
  if (brief && format === 'json')
    throw new UsageError('--brief cannot be used with --json', { hint: 'use one of them' });
  if (output === '-') {
    throw new UsageError('standard output has the review, and no rows', { hint: 'name a file, or leave -o out' });
  }
  const rowsFormat = chooseFormat({ output }, { choices: [...LIST_FORMATS, ...REPORT_FORMATS] });
  if (output !== undefined && rowsFormat === 'table') {
    throw new UsageError(`the file name ${quoted(output)} does not say what to write`, {
      hint: `end it in ${extensionWords(REPORT_FORMATS)} for the page, or in ${extensionWords(DATA_FORMATS)} for the rows`,
    });
  }
  const rules = await readRules(typed, { checksum });
  return {
    ...typed,
    ...rules,
    list,
    folder,
    maxAge,
    isMaxAgeTyped: typed.maxAge !== undefined,
    format,
    rowsFormat,
    asOf: typed.asOf?.at(now),
    since: since?.at(now) ?? DEFAULT_SINCE,
    sinceText: since?.text,
    source: { kind: 'file', file: list } as const,
    now,
  };
}
