/** What of an answer is shown, and to whom: the flags --fields, --fail-if and --color as the profile command means them. */
import { type Condition, parseCondition } from '../batch/conditions.ts';
import {
  ALL_FIELDS,
  createFieldWatch,
  type Field,
  type FieldWatch,
  missingFieldsError,
  parseFields,
} from '../document/fields.ts';
import type { ObjectNode } from '../document/node.ts';
import { ExitCode, FindingError, type UsageError } from '../errors.ts';
import { type ColorLevel, colorLevel } from '../output/color.ts';
import { quoted } from '../output/escape.ts';
import type { Terminal } from '../output/list-writer.ts';
import { columnsOf } from '../output/text.ts';
import type { Stage } from './profile.ts';

export interface View {
  /** Undefined for the usual fields, and when all are asked for. */
  readonly fields: readonly Field[] | undefined;
  readonly allFields: boolean;
  readonly conditions: readonly Condition[];
  /** Set when a person reads stdout. */
  readonly terminal: Terminal | undefined;
  /** Takes note of the fields that an answer, or a row with `_meta`, has. */
  saw(answer: ObjectNode): void;
  /** The error of a run in which a field never came. */
  missingFields(): UsageError | undefined;
}

/** @throws UsageError when a field or a condition cannot be read: before anything is sent. */
export function createView(stage: Stage): View {
  const { options } = stage;
  const allFields = options.fields?.trim() === ALL_FIELDS;
  const fields = options.fields === undefined || allFields ? undefined : parseFields(options.fields);
  const watch: FieldWatch | undefined = fields && createFieldWatch(fields);
  return {
    fields,
    allFields,
    conditions: options.failIf.map(parseCondition),
    terminal: terminalOf(stage),
    saw: (answer) => watch?.saw(answer),
    missingFields() {
      const missing = watch?.missing() ?? [];
      return missing.length > 0 ? missingFieldsError(missing) : undefined;
    },
  };
}

function terminalOf({ options: { output }, typed, context: { stdout, env } }: Stage): Terminal | undefined {
  const color: ColorLevel = colorLevel(stdout, { flag: typed.text('color'), env });
  const isRead = (stdout.isTTY ?? false) && (output === undefined || output === '-');
  return isRead ? { width: columnsOf(stdout), color } : undefined;
}

/** The one line of a wallet that a --fail-if matched. */
export function matchedError(condition: Condition, what: string): FindingError {
  return new FindingError(`--fail-if ${quoted(condition.text)} matched ${what}`, {
    exitCode: ExitCode.matched,
    code: 'fail_if',
  });
}
