/** Opens what a run of a list needs, and reports whatever is wrong with it, before anything is sent. */
import { type Budget, createBudget } from '../../../batch/budget.ts';
import { isReport } from '../../../cli/formats.ts';
import type { Path } from '../../../document/path.ts';
import type { Target } from '../../../files/target.ts';
import { checkTargets, discardTargets, openTargets } from '../../../files/targets.ts';
import type { AnswerStore } from '../../../journal/answer-store.ts';
import type { ReportAbout } from '../../../output/report/report-output.ts';
import { sessionSettings } from '../../../session/open-session.ts';
import type { JudgedRows } from '../judged-rows.ts';
import type { ListInput } from '../list-input.ts';
import type { ListOptions, ListRun } from './options.ts';
import { openAnswers } from './store.ts';
import { Watch } from './watch.ts';

export interface OpenedRun extends ListRun {
  readonly judged: JudgedRows;
  readonly input: ListInput;
  readonly budget: Budget;
  readonly watch: Watch;
  /** The setting `score`, read before anything is sent. */
  readonly scorePath: Path | undefined;
  readonly store: AnswerStore;
  readonly targets: readonly Target[];
  /** What reports say of the list; undefined when none is written. */
  readonly about: ReportAbout | undefined;
}

export type Close = () => unknown;

/** Opens what a run needs, cheap checks first; each thing opened leaves its `close` in `closers`. */
export async function openRun(
  run: Pick<OpenedRun, keyof ListRun | 'input' | 'judged'>,
  closers: Close[],
): Promise<OpenedRun> {
  const { options, context, settings, judged } = run;
  const scorePath = settings.score.value;
  sessionSettings(run, { isKeySent: true });
  const { maxRequests } = options;
  const budget = createBudget({ maxRequests });
  const watch = new Watch(context);
  closers.push(
    () => watch.close(),
    () => run.tell?.(watch.requestCounts),
  );
  const destination = { outputs: options.outputs.map(({ path }) => path), forbidden: filesRead(options) };
  await checkTargets(destination, context);
  const about = await aboutReport(run, closers);
  const store = await openAnswers(run);
  closers.push(() => store.close());
  // Checks the paths again: the journal exists now.
  const opened = await openTargets(destination, context);
  closers.push(() => discardTargets(opened));
  const isShown = ({ output }: Target) => output === '-' && judged.view.terminal !== undefined;
  const targets = opened.map((target) => (isShown(target) ? besideProgress(target, watch) : target));
  return { ...run, budget, watch, scorePath, store, targets, about };
}

/** A target on the terminal that also has the progress line. */
function besideProgress(target: Target, watch: Watch): Target {
  return {
    ...target,
    write(text) {
      watch.clear();
      return target.write(text);
    },
  };
}

/** Files that the run reads, which the output must not replace. */
function filesRead({ source, journalFile, policy, baseline }: ListOptions): string[] {
  const lists = source.kind === 'files' ? source.files : [];
  return [...lists, journalFile, policy, baseline].filter((path) => path !== undefined);
}

/** What reports say of the list. Of most runs none is written. */
async function aboutReport(run: ListRun, closers: Close[]): Promise<ReportAbout | undefined> {
  if (!run.options.outputs.some(({ format }) => isReport(format))) return undefined;
  return (await import('./about-report.ts')).aboutList(run, closers);
}
