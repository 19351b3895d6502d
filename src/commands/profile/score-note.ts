/** What is said when several numbers of an answer may be the headline score. */
import type { Context } from '../../context.ts';
import type { ObjectNode } from '../../document/node.ts';
import type { Path } from '../../document/path.ts';
import { findScore } from '../../row/score.ts';

interface Scoring {
  readonly scorePath: Path | undefined;
  readonly context: Context;
}

/** Lists the candidates in a note, and says whether there were any: a list notes them once. */
export function noteCandidates(document: ObjectNode, { scorePath, context }: Scoring): boolean {
  const { candidates } = findScore(document, scorePath);
  if (!candidates) return false;
  context.report.note(
    `no headline score was found, but it could be ${candidates.join(', ')}; choose one with riskcli config set score PATH`,
  );
  return true;
}
