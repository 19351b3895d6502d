/** What was typed after `riskcli diff`, and what it means before a file is opened. */
import { chooseFormat } from '../../cli/choose-format.ts';
import { colorLevel } from '../../cli/color.ts';
import type { ParsedArgs } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { LIST_FORMATS, type ListFormat } from '../../output/list/list-writer.ts';
import type { Terminal } from '../../output/list/writer.ts';
import { CHANGES, type Change } from '../../results/comparison.ts';
import { ALL_FIELDS, type Field, parseFields } from '../../row/fields.ts';
import { parseRules, type Rule } from '../../row/rules.ts';
import { parseShape, type Shape } from '../../row/shape.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { checkChoice } from '../../text/choice.ts';
import type { WalletFormat } from '../../text/secret.ts';
import { columnsOf } from '../../text/width.ts';

export interface DiffOptions {
  readonly older: string;
  readonly newer: string;
  readonly format: ListFormat;
  readonly output: string | undefined;
  readonly header: boolean;
  /** Set when a person reads stdout. */
  readonly terminal: Terminal | undefined;
  readonly all: boolean;
  readonly fields: readonly Field[];
  /** Whether the usual values are compared as well. */
  readonly keepsUsual: boolean;
  readonly shape: Shape;
  readonly rules: readonly Rule[];
  readonly accept: ReadonlySet<Change>;
  readonly walletFormat: WalletFormat;
  readonly scorePath: ReturnType<typeof resolveSettings>['score']['value'];
}

/** @throws UsageError when it makes no sense. */
export function parseDiff(typed: ParsedArgs, context: Context): DiffOptions {
  const [older = '', newer = ''] = typed.args;
  if (older === '-' && newer === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const settings = resolveSettings(typed, context);
  const specs = typed.all('fields').map((spec) => spec.trim());
  const output = typed.text('output');
  return {
    older,
    newer,
    format: chooseFormat(typed, { choices: LIST_FORMATS, list: true }),
    output,
    header: !typed.on('no-header'),
    terminal: terminalOf(typed, context),
    all: typed.on('all'),
    fields: readFields(specs),
    keepsUsual: specs.length === 0 || specs.some((spec) => spec.startsWith('+')),
    shape: parseShape(typed),
    rules: parseRules(typed.all('fail-if')),
    accept: parseAccept(typed.all('accept')),
    walletFormat: settings.walletFormat.value,
    scorePath: settings.score.value,
  };
}

function readFields(specs: readonly string[]): readonly Field[] {
  if (specs.includes(ALL_FIELDS)) {
    throw new UsageError("--fields '*' cannot be compared", { hint: 'name the fields: --fields a,b.c[0]' });
  }
  return specs.length === 0 ? [] : parseFields(specs.map((spec) => spec.replace(/^\+/, '')).join(','));
}

function parseAccept(texts: readonly string[]): ReadonlySet<Change> {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  return new Set(names.map((name) => checkChoice('--accept', name, CHANGES)));
}

function terminalOf(typed: ParsedArgs, { stdout, env }: Context): Terminal | undefined {
  const output = typed.text('output') ?? '-';
  if (!stdout.isTTY || output !== '-') return undefined;
  return { width: columnsOf(stdout), color: colorLevel(stdout, { flag: typed.text('color'), env }) };
}
