/** --baseline OLD and --since: what changed since an earlier run, by the comparison of riskcli diff. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { createChanges } from '../../output/report/figures/changes.ts';
import { createMeasures, type Measures, numberIn } from '../../output/report/figures/measures.ts';
import type { Baseline } from '../../output/report/report.ts';
import { compareRuns, differ } from '../../results/compare.ts';
import { openResults } from '../../results/open-results.ts';
import type { ResultRow, Results } from '../../results/result.ts';
import { createSnapshot } from '../../results/snapshot.ts';
import type { WalletFormat } from '../../secrets/private-key.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { chooseColumns, readRun } from './compared-runs.ts';

/** Reads the earlier run at `file`, to compare `newer` with it. */
export async function openBaseline(
  file: string,
  about: {
    /** What the newer run says. */
    readonly newer: Pick<Results, 'name' | 'missing'>;
    readonly options: {
      readonly walletFormat: WalletFormat;
      readonly scorePath: Path | undefined;
      readonly label: string | undefined;
    };
    readonly context: Context;
    readonly onDamage: (text: string) => void;
    readonly asOf: number | undefined;
    /** Takes what is to be closed at the end. */
    readonly closers: (() => unknown)[];
  },
): Promise<Baseline> {
  const { newer, context, closers, onDamage, asOf } = about;
  const { walletFormat: format, scorePath, label } = about.options;
  const older = await openResults(file, { host: context, format, scorePath, onDamage, asOf });
  closers.push(older.close);
  const columns = chooseColumns([older, newer], { fields: [], keepsDefaults: true }, context);
  const measures = createMeasures();
  const reading = { columns, options: { walletFormat: format, fields: [], label }, context, closers };
  const { snapshot: before } = await readRun({ ...older, rows: measured(older.rows, measures) }, reading);
  const now = createSnapshot({ columns, format, label, host: context });
  closers.push(now.close);
  const names = columns.map(({ name }) => name);
  const score = names.indexOf('score');
  return {
    compare(row) {
      now.add(row);
      if (!row.wallet) return {};
      const { change, differences } = differ(before.find(row.wallet.id), now.find(row.wallet.id));
      return { change, delta: cellText(differences[score]?.delta) || undefined };
    },
    async changes() {
      const found = createChanges(names);
      const { counts, rows } = compareRuns(before, now, { all: false, signal: context.signal() });
      for await (const row of rows) found.add(row);
      return { ...found.all(), baseline: visibleName(basename(older.name)), counts, before: measures.all() };
    },
  };
}

async function* measured(rows: AsyncIterable<ResultRow>, measures: Measures): AsyncGenerator<ResultRow> {
  for await (const row of rows) {
    measures.add(numberIn(row.score), numberIn(row.collateral));
    yield row;
  }
}
