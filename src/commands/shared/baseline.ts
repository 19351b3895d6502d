/** --baseline OLD: what changed since an earlier run, by the comparison of riskcli diff. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import type { ObjectNode } from '../../document/node.ts';
import { formatPath, type Path } from '../../document/path.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import { readAhead } from '../../lists/read-ahead.ts';
import { createChanges } from '../../output/report/figures/changes.ts';
import { createMeasures, type Measures, numberIn } from '../../output/report/figures/measures.ts';
import { ShareCounter } from '../../output/report/figures/shares.ts';
import type { Baseline } from '../../output/report/report.ts';
import type { Field } from '../../row/fields.ts';
import { META } from '../../row/paths/own-names.ts';
import { compareRuns, differ } from '../../runs/compare.ts';
import { type ComparedColumn, type Difference, fieldColumn, isSame } from '../../runs/comparison.ts';
import { openResults } from '../../runs/open-results.ts';
import type { ResultRow, Results } from '../../runs/result.ts';
import { Snapshot } from '../../runs/snapshot.ts';
import { withholdPrivateKeys } from '../../secrets/private-key.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { chooseColumns, readRun } from './compared-runs.ts';

export interface BaselineOptions {
  /** What the newer run says. */
  readonly newer: Pick<Results, 'name' | 'missing'>;
  readonly options: {
    readonly scorePath: Path | undefined;
    readonly label: string | undefined;
  };
  readonly context: Context;
  readonly onDamage: (text: string) => void;
  /** Takes what is to be closed at the end. */
  readonly closers: (() => unknown)[];
}

/** Reads the earlier run at `file`, to compare `newer` with it. */
export async function openBaseline(file: string, baseline: BaselineOptions): Promise<Baseline> {
  const { newer, context, closers, onDamage } = baseline;
  const { scorePath, label } = baseline.options;
  const older = await openResults(file, { host: context, scorePath, onDamage });
  closers.push(older.close);
  const usual = chooseColumns([older, newer], { fields: [], keepsDefaults: true }, context);
  const { taken, all } = await readAhead(older.rows, { enough: sampleIsFull() });
  const columns = [...usual, ...fewValued(taken).map(fieldColumn)];
  const measures = createMeasures();
  const reading = { columns, options: { fields: [], label }, context, closers };
  const { snapshot: before } = await readRun({ ...older, rows: measured(all, measures) }, reading);
  const now = new Snapshot({ columns, label, host: context });
  closers.push(() => now.close());
  const { compare, changes } = compareSnapshots({ before, now, usual: usual.length, columns }, context.signal());
  const name = visibleName(basename(older.bareName));
  return { compare, changes: async () => ({ ...(await changes()), baseline: name, before: measures.all() }) };
}

/** The first `usual` columns say whether a wallet has changed; the fields with few values that follow are shown where they differ. */
function compareSnapshots(
  runs: {
    readonly before: Snapshot;
    readonly now: Snapshot;
    readonly columns: readonly ComparedColumn[];
    readonly usual: number;
  },
  signal: AbortSignal,
) {
  const { before, now, columns, usual } = runs;
  const names = columns.map(({ name }) => name);
  const score = names.indexOf('score');
  const isChange = (differences: readonly Difference[]) => !differences.slice(0, usual).every(isSame);
  return {
    compare(row: ResultRow) {
      now.add(row);
      if (!row.wallet) return {};
      const { change, differences } = differ(before.find(row.wallet.id), now.find(row.wallet.id), isChange);
      return { change, delta: cellText(differences[score]?.delta) || undefined };
    },
    async changes() {
      const found = createChanges(names, usual);
      const { counts, rows } = compareRuns(before, now, { all: false, signal, isChange, withOthers: true });
      for await (const row of rows) found.add(row);
      return { ...found.all(), counts };
    },
  };
}

async function* measured(rows: AsyncIterable<ResultRow>, measures: Measures): AsyncGenerator<ResultRow> {
  for await (const row of rows) {
    measures.add(numberIn(row.score), numberIn(row.collateral));
    yield row;
  }
}

/** Answers in which fields with few values are looked for. */
const SAMPLE_ANSWERS = 500;
/** Characters of answers that are held at once: a single answer may be very long. */
const MAX_SAMPLE_LENGTH = 4_000_000;

function sampleIsFull(): (rows: readonly ResultRow[]) => boolean {
  let length = 0;
  return (rows) => {
    const last = rows.at(-1);
    if (last) length += writeCompact(answerOf(last)).length;
    return rows.length === SAMPLE_ANSWERS || length > MAX_SAMPLE_LENGTH;
  };
}

const MAX_FIELDS = 12;

/** The fields with few values in the first answers of a run. */
function fewValued(rows: readonly ResultRow[]): readonly Field[] {
  const answers = rows.filter(({ score, collateral }) => score || collateral).map(answerOf);
  const shares = new ShareCounter();
  for (const answer of answers) shares.observe(answer);
  const fields = new Map(shares.all().map(({ path }) => [withholdPrivateKeys(formatPath(path)), path]));
  return [...fields].slice(0, MAX_FIELDS).map(([name, path]) => ({ name, path, optional: true }));
}

/** The service's answer, without what riskcli and the list add to the row. */
const answerOf = ({ document, node }: ResultRow): ObjectNode =>
  document ?? { kind: 'object', members: node().members.filter(([name]) => name !== META) };
