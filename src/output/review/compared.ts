/** With which kept review a review is compared, and what it takes of it. */
import { statSync } from 'node:fs';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { ListError } from '../../errors.ts';
import { quietly } from '../../files/close-file.ts';
import { shownPath } from '../../files/file-error.ts';
import { type Exception, exceptionIndex } from '../../row/judge.ts';
import type { Status } from '../../row/row.ts';
import { conditionsOf, type Rule } from '../../row/rules.ts';
import { type EarlierOptions, type EarlierRun, fillScores, readEarlier } from '../../runs/earlier.ts';
import { comparable, type KeptFile, type Since, sinceThatTakes } from '../../runs/keep-folder.ts';

import type { ComparedWith } from './sections.ts';

/** Files in which a wallet is looked for that has no score in the review compared with. */
const FILES_BACK = 10;

export interface Judging {
  readonly rules: readonly Rule[];
  readonly exceptions?: readonly Exception[] | undefined;
  readonly accept: ReadonlySet<Status>;
  readonly scorePath: Path | undefined;
  /** The service whose answers are compared; undefined for any. */
  readonly base: string | undefined;
}

export interface Compared {
  readonly with: ComparedWith;
  readonly run?: EarlierRun;
  readonly path?: string;
  /** The names of other reviews from which values are, of wallets that have no score in this one. */
  readonly carriedFrom?: readonly string[];
}

/** The best of the kept reviews to compare with; those that cannot be used are named and passed over. */
export async function chooseCompared(
  files: readonly KeptFile[],
  { since, begun }: { readonly since: Since; readonly begun: number },
  about: { readonly judging: Judging; readonly context: Context },
): Promise<Compared> {
  const oldEnough = comparable(files, since, begun);
  for (const file of oldEnough) {
    const run = await tryEarlier(file, about);
    if (!run) continue;
    const others = files.filter((other) => other !== file && oldEnough.includes(other));
    const carriedFrom = await fillFrom(run, others.slice(0, FILES_BACK), about);
    return { with: { kind: 'review', file: file.name, begun: run.header.begun }, run, path: file.path, carriedFrom };
  }
  return { with: withNothing(files, begun) };
}

/** Why nothing is compared. @param files those there were, the newest first */
export function withNothing([newest]: readonly KeptFile[], begun: number): ComparedWith {
  if (!newest) return { kind: 'first' };
  return { kind: 'none yet', newest: newest.begun, since: sinceThatTakes(newest.begun, begun) };
}

/** The review at `file`; undefined, with a warning, for one that cannot be used. */
export async function tryEarlier(
  file: KeptFile,
  { judging, context }: { readonly judging: Judging; readonly context: Context },
): Promise<EarlierRun | undefined> {
  const passOver = (why: string) => {
    context.report.warn(`the kept review ${shownPath(file.path)} is passed over: ${why}`);
    return undefined;
  };
  if (isForeign(file.path, context.uid)) return passOver('it belongs to another user');
  try {
    const found = await readEarlier(file.path, earlierOptions(judging, context));
    if (typeof found === 'string') return passOver(found);
    if (judging.base !== undefined && found.header.baseUrl !== judging.base)
      return passOver(`it is of ${found.header.baseUrl}`);
    return found;
  } catch (error) {
    if (error instanceof ListError) return passOver(error.message);
    throw error;
  }
}

function isForeign(path: string, uid: number | undefined): boolean {
  let owner: number | undefined;
  quietly(() => {
    owner = statSync(path).uid;
  });
  return uid !== undefined && owner !== undefined && owner !== uid && owner !== 0;
}

/**
 * Adds to wallets that had no score then the row of another review, of the first that has one.
 * @returns the names of those that were used
 */
export async function fillFrom(
  run: EarlierRun,
  others: readonly KeptFile[],
  { judging, context }: { readonly judging: Judging; readonly context: Context },
): Promise<readonly string[]> {
  const options = { ...earlierOptions(judging, context), onDamage: () => {} };
  const used: string[] = [];
  for (const { name, path } of others) {
    if (isForeign(path, context.uid)) continue;
    const { filled, left } = await fillScores(run, path, options).catch((error: unknown) => {
      if (error instanceof ListError) return { filled: 0, left: 1 };
      throw error;
    });
    if (filled > 0) used.push(name);
    if (left === 0) break;
  }
  return used;
}

/** Today's rules over earlier rows, with the exceptions that were in force at the time of that review. */
export function earlierOptions({ rules, exceptions, accept, scorePath }: Judging, context: Context): EarlierOptions {
  const conditions = rules.flatMap(({ when }) => conditionsOf(when));
  return {
    host: context,
    scorePath,
    judging: ({ begun }) => ({ rules, accept, exceptions: exceptionIndex(exceptions ?? [], begun) }),
    unasked: (status) => (accept.has(status) ? rules.map(({ name }) => name) : []),
    paths: conditions.flatMap(({ aspect, path }) => (aspect && aspect !== 'change' ? [path] : [])),
    onDamage: context.report.warn,
  };
}
