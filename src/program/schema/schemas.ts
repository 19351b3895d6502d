/** The JSON Schema of each output, by its name. The types see to it that none is missing. */
import { OUTPUTS, type OutputName } from '../../cli/outputs.ts';
import { message } from './messages.ts';
import { listOf, type Schema } from './parts.ts';
import {
  doctor,
  dryRun,
  health,
  journalHistory,
  journalRemoved,
  journalShow,
  keysCheck,
  keysList,
  keysShow,
  limits,
  setting,
  summary,
} from './records.ts';
import { diffRow, row, wallet } from './rows.ts';

const SCHEMAS: Readonly<Record<OutputName, Schema>> = {
  wallet,
  row,
  rows: listOf(row),
  'dry-run': dryRun,
  summary,
  'diff-row': diffRow,
  'diff-rows': listOf(diffRow),
  health,
  'keys-show': keysShow,
  'keys-list': keysList,
  'keys-check': keysCheck,
  'config-list': listOf(setting),
  'config-get': setting,
  limits,
  'journal-show': journalShow,
  'journal-history': journalHistory,
  'journal-removed': journalRemoved,
  doctor,
  message,
};

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** What `riskcli schema NAME` prints, by name. */
export function outputSchemas(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    OUTPUTS.map(({ name, what }) => [name, { $schema: DIALECT, title: what, ...SCHEMAS[name] }]),
  );
}
