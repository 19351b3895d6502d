/** What is shown of an answer, and to whom: the flags --fields, --fail-if and --color as the profile command means them. */

import { type ColorLevel, colorLevel } from '../../cli/color.ts';
import { ExitCode, FindingError, UsageError } from '../../errors.ts';
import type { Terminal } from '../../output/list/writer.ts';
import { type Condition, isAboutValue } from '../../row/conditions.ts';
import {
  ALL_FIELDS,
  createFieldWatch,
  type Field,
  type MissingField,
  missingFieldsError,
  parseFields,
} from '../../row/fields.ts';
import { type Row, rowNode } from '../../row/row.ts';
import { conditionsOf, parseRules, type Rule } from '../../row/rules.ts';
import { quoted } from '../../text/escape.ts';
import { columnsOf } from '../../text/width.ts';
import type { ProfileRun } from './options.ts';

export interface View {
  /** Undefined for the usual fields, and when all are asked for. */
  readonly fields: readonly Field[] | undefined;
  readonly allFields: boolean;
  /** Whether `fields` come behind the usual ones: `+a.b`. */
  readonly keepsUsual: boolean;
  /** What --fail-if asks of each row. */
  readonly rules: readonly Rule[];
  /** Set when a person reads stdout. */
  readonly terminal: Terminal | undefined;
  /** Takes note of the fields that an answered row has. */
  saw(row: Row): void;
  /** The error of a run in which a field, or the path of a condition, never came. */
  missingFields(): UsageError | undefined;
}

/** What says what is shown. */
export interface ViewRun extends Pick<ProfileRun, 'typed' | 'context'> {
  readonly options: Pick<ProfileRun['options'], 'fields' | 'failIf' | 'output'>;
}

/** @throws UsageError when a field or a condition cannot be read: before anything is sent. */
export function createView(run: ViewRun): View {
  const { options } = run;
  const specs = options.fields.map((spec) => spec.trim());
  const allFields = specs.length === 1 && specs[0] === ALL_FIELDS;
  const fields =
    specs.length === 0 || allFields ? undefined : parseFields(specs.map((spec) => spec.replace(/^\+/, '')).join(','));
  const rules = parseRules(options.failIf);
  const conditions = rules.flatMap(({ when }) => conditionsOf(when));
  const ofFields = createFieldWatch(fields ?? []);
  const ofConditions = createFieldWatch(conditions.filter(isAboutValue).map(asField));
  const isWatching = fields !== undefined || conditions.length > 0;
  return {
    fields,
    allFields,
    keepsUsual: specs.some((spec) => spec.startsWith('+')),
    rules,
    terminal: terminalOf(run),
    saw(row) {
      if (!isWatching) return;
      const node = rowNode(row);
      ofFields.saw(node);
      ofConditions.saw(node);
    },
    missingFields() {
      const missing = ofFields.missing();
      if (missing.length > 0) return missingFieldsError(missing);
      const [mistyped] = ofConditions.missing();
      return mistyped && mistypedError(mistyped);
    },
  };
}

const asField = ({ text, path }: Condition): Field => ({ name: text, path, optional: false });

/** A condition on a path that no answer has matches every row, since unknown is not safe: more likely it is mistyped. */
function mistypedError({ field, suggestions }: MissingField): UsageError {
  return new UsageError(`no answer had the field of --fail-if ${quoted(field.name)}`, {
    code: 'missing_field',
    hint:
      suggestions.length > 0 ? `did you mean ${suggestions.join(', ')}?` : "list the fields with --fields '*' --json",
  });
}

function terminalOf({ options: { output }, typed, context: { stdout, env } }: ViewRun): Terminal | undefined {
  const color: ColorLevel = colorLevel(stdout, { flag: typed.text('color'), env });
  const isRead = (stdout.isTTY ?? false) && (output === undefined || output === '-');
  return isRead ? { width: columnsOf(stdout), color } : undefined;
}

/** The one line of a wallet that a --fail-if matched. */
export function matchedError({ name }: Rule, what: string): FindingError {
  return new FindingError(`--fail-if ${quoted(name)} matched ${what}`, {
    exitCode: ExitCode.matched,
    code: 'fail_if',
  });
}
