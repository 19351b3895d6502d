/** Flags that several commands have. Each is a row here, so that it means the same everywhere. */

import {
  all,
  choice,
  duration,
  FILE,
  type FlagRow,
  type FlagValues,
  inGroup,
  off,
  onOff,
  positive,
  text,
  value,
} from '../cli/flag.ts';
import { parseFieldsFlag } from '../paths/fields.ts';
import { FIELD_PATHS } from '../paths/meta-shortcuts.ts';
import { FORMAT_SWITCHES, type FormatName, type FormatSwitch, RECORD_FORMATS } from '../row/formats.ts';
import { STATUSES, type Status } from '../row/row.ts';
import { parseRules, parseWhere } from '../rules/rules.ts';
import { parseSort, parseTop, type Shape } from '../rules/shape.ts';
import {
  describeSetting,
  type OptionName,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingUse,
} from '../settings/table.ts';
import { checkChoice } from '../settings/typed-values.ts';

/**
 * The options of the settings that commands need for `use`. Their values stay text, which is
 * checked here and read with all other sources in settings/; a blank one counts as unset.
 */
function optionsFor<U extends SettingUse>(use: U) {
  const rows = SETTING_NAMES.filter((name) => {
    const { isOption, use: its }: Setting = SETTINGS[name];
    return isOption && its === use;
  }).map((name) => {
    const { placeholder, parse }: Setting = SETTINGS[name];
    const check = (typed: string, flag: string) => {
      if (typed.trim() === '') return undefined;
      parse(typed, flag);
      return typed;
    };
    return [name, value(check, { value: placeholder, help: describeSetting(name) })];
  });
  type Rows = { readonly [N in OptionName<U>]: FlagRow<string | undefined> };
  return inGroup('Connection', Object.fromEntries(rows) as Rows);
}

/** The options of the connection for commands that send any request. */
export const requestFlags = optionsFor('request');

/** The same, for commands that can do with a sandbox. */
export const serviceFlags = {
  ...requestFlags,
  'base-url': { ...requestFlags['base-url'], conflicts: ['sandbox'] },
  ...inGroup('Connection', { sandbox: onOff({ help: 'use a built-in sandbox: made-up data, no network' }) }),
};

/** For commands that send the key. */
export const keyFlags = optionsFor('key');

/** For commands that ask the service, or a sandbox, for profiles. */
export const connectionFlags = { ...serviceFlags, ...keyFlags };

type FormatRows<F extends FormatName> = { readonly format: FlagRow<F | undefined> } & {
  readonly [Name in Extract<F, FormatSwitch>]: FlagRow<boolean>;
};

/** `--format` and its short forms for the formats of one command. */
export function formatFlags<F extends FormatName>(choices: readonly F[]): FormatRows<F> {
  const names = FORMAT_SWITCHES.filter((name) => choices.some((choice) => choice === name));
  const switches = names.map((name) => {
    const conflicts = ['format', ...names.filter((other) => other !== name)];
    return [name, onOff({ conflicts, help: `same as --format ${name}` })];
  });
  const format = choice(choices, { value: 'FORMAT', help: choices.join(', ') });
  return inGroup('Output', { format, ...Object.fromEntries(switches) }) as FormatRows<F>;
}

export const outputFlag = text({
  group: 'Output',
  short: 'o',
  value: 'FILE',
  completes: FILE,
  once: 'name one file, and run the command again for the other',
  help: 'write to FILE (-: stdout), replacing it in one step',
});

export const failIfFlag = all(parseRules, {
  value: 'CONDITION',
  group: 'Gates',
  help: "exit 10 if this is true for any row; 'NAME: CONDITION' names it; repeatable",
  completes: FIELD_PATHS,
});

const ACCEPTABLE: readonly Status[] = STATUSES.filter((status) => status !== 'scored');

export function acceptFlag<C extends string>(choices: readonly C[], help: string, placeholder: string) {
  const parse = (typed: readonly string[], flag: string): ReadonlySet<C> =>
    new Set(typed.flatMap((one) => one.split(',')).map((name) => checkChoice(flag, name.trim(), choices)));
  return all(parse, { value: placeholder, group: 'Gates', help, completes: choices, commas: true });
}

/** The gates of a list of wallets. */
export const gateFlags = {
  failIf: failIfFlag,
  policy: text({
    value: 'FILE',
    group: 'Gates',
    once: 'put all rules into one file',
    help: 'exit 10 if a rule in FILE matches; wallets that it excuses pass; see riskcli help conditions',
    completes: FILE,
  }),
  accept: acceptFlag(ACCEPTABLE, 'rows with these statuses match no rule and cause no exit 3', 'STATUSES'),
};

/** Which rows of a list are printed, and in what order. */
export const shapeFlags = inGroup('Output', {
  where: all(parseWhere, {
    value: 'CONDITION',
    only: 'list',
    help: 'only rows that match this; repeatable: all must match',
    completes: FIELD_PATHS,
  }),
  sort: value(parseSort, {
    value: 'PATH',
    only: 'list',
    help: 'order the rows by a value, or by PATH:desc; prints them after the last one',
    completes: FIELD_PATHS,
  }),
  top: value(parseTop, {
    value: 'N',
    only: 'list',
    help: 'only the first N rows, sorted or not',
  }),
});

/**
 * The shape that these flags ask for. Naming each member lets the compiler find one that is
 * missing.
 */
export const shapeOf = ({ where, sort, top }: FlagValues<typeof shapeFlags>): Shape =>
  ({ where, sort, top }) satisfies Record<keyof Shape, unknown>;

/** Which values the rows of a list have. */
export const fieldsFlag = all(parseFieldsFlag, {
  group: 'Output',
  value: 'PATHS',
  completes: FIELD_PATHS,
  commas: true,
  help: 'fields to print: a,score=b.c[0]; d? may be absent; +a adds to the usual',
});

export const labelFlag = text({
  value: 'COLUMN',
  group: 'Output',
  once: 'name one column',
  help: 'label wallets with this column of the list (default: the first called label, name, client, ...)',
});

export const fileFlag = text({
  short: 'f',
  value: 'FILE',
  group: 'Input',
  once: 'name one list',
  help: 'read the list from FILE (-: stdin)',
  completes: FILE,
});

export const checksumFlag = off({
  long: 'no-checksum',
  group: 'Input',
  help: 'accept addresses whose EIP-55 checksum is wrong',
});

/** Where a list has its wallets. */
export const listFlags = {
  column: text({
    value: 'NAME',
    group: 'Input',
    only: 'file',
    once: 'name one column, and run the command again for the other',
    help: 'column of the list that contains the address',
  }),
  sheet: text({
    value: 'NAME',
    group: 'Input',
    only: 'file',
    once: 'name one sheet, and run the command again for the other',
    help: 'sheet of a workbook (default: the first visible one)',
  }),
  checksum: checksumFlag,
};

/** For commands that print records. */
export const recordFlags = formatFlags(RECORD_FORMATS);

export const paceFlags = inGroup('Pace and cost', {
  dryRun: onOff({ help: 'show what the list would cost, and send nothing' }),
  journal: text({
    value: 'FILE',
    only: 'list',
    help: 'keep answers in FILE, and ask only for what it lacks',
    completes: FILE,
  }),
  maxAge: duration({ value: 'DURATION', only: 'list', help: 'ask again for answers older than this' }),
  maxRequests: positive({ value: 'N', help: 'stop this run after N requests, retries included' }),
  rate: positive({ fractions: true, value: 'N', help: "at most N requests a second, within the key's limit" }),
  concurrency: positive({ value: 'N', help: 'at most N requests in flight' }),
});
