/** The flags of `riskcli diff`, and what they mean together before a file is opened. */
import { chooseFormat } from '../../cli/choose-format.ts';
import type { Options } from '../../cli/command.ts';
import { CHANGE_PATHS, FIELD_PATHS } from '../../cli/field-paths.ts';
import { all, onOff } from '../../cli/flag.ts';
import { LIST_FORMATS, type ListFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Terminal } from '../../output/list/writer.ts';
import { CHANGES, type Change } from '../../results/comparison.ts';
import { type Field, parseFieldSelection } from '../../row/fields.ts';
import type { Rule } from '../../row/rules.ts';
import type { Shape } from '../../row/shape.ts';
import type { WalletFormat } from '../../secrets/private-key.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { acceptFlag, failIfFlag, formatFlags, outputFlags, readingFlags, shapeFlags } from '../shared/flags.ts';
import { terminalOf } from '../shared/view.ts';

export const flags = {
  ...readingFlags,
  ...formatFlags(LIST_FORMATS),
  ...outputFlags,
  all: onOff({ group: 'Output', help: 'also the wallets of which both say the same' }),
  fields: all(parseComparedFields, {
    group: 'Output',
    value: 'PATHS',
    completes: FIELD_PATHS,
    commas: true,
    help: "compare these: a,level=b.c[0],d?; '+a': besides the usual ones",
  }),
  where: { ...shapeFlags.where, completes: CHANGE_PATHS },
  sort: { ...shapeFlags.sort, completes: CHANGE_PATHS },
  top: shapeFlags.top,
  failIf: { ...failIfFlag, completes: CHANGE_PATHS },
  accept: acceptFlag(CHANGES, 'let rows with these changes pass: added, removed, changed, same', 'CHANGES'),
};

export type DiffFlags = Options<typeof flags>;

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
  readonly keepsDefaults: boolean;
  readonly shape: Shape;
  readonly rules: readonly Rule[];
  readonly accept: ReadonlySet<Change>;
  readonly walletFormat: WalletFormat;
  readonly isScoreTyped: boolean;
  readonly scorePath: ReturnType<typeof resolveSettings>['score']['value'];
}

/** @throws UsageError when it makes no sense. */
export function diffOptions(flags: DiffFlags, context: Context): DiffOptions {
  const [older = '', newer = ''] = flags.args;
  if (older === '-' && newer === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const settings = resolveSettings(flags, context);
  return {
    older,
    newer,
    format: chooseFormat(flags, { choices: LIST_FORMATS, list: true }),
    output: flags.output,
    header: flags.header,
    terminal: terminalOf(flags, context),
    all: flags.all,
    ...flags.fields,
    shape: { where: flags.where, sort: flags.sort, top: flags.top },
    rules: flags.failIf,
    accept: flags.accept,
    walletFormat: settings.walletFormat.value,
    isScoreTyped: flags.score !== undefined,
    scorePath: settings.score.value,
  };
}

function parseComparedFields(texts: readonly string[]): Pick<DiffOptions, 'fields' | 'keepsDefaults'> {
  const { fields = [], allFields, keepsDefaults } = parseFieldSelection(texts);
  if (allFields) {
    throw new UsageError("--fields '*' cannot be compared", { hint: 'name the fields: --fields a,b.c[0]' });
  }
  return { fields, keepsDefaults: texts.length === 0 || keepsDefaults };
}
