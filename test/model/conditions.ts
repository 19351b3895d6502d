/** Conditions over a row, in three values: what cannot be judged is unknown, never "no". */
import type { Condition, Document, Path, Row, Rule, Status } from './terms.ts';

export const scoreOf = (document: Document | undefined, path: Path) => document?.scores[path] ?? null;

export type Says = 'matches' | 'no' | 'unknown';
export interface Facts {
  readonly row: Row;
  readonly status: Status;
  readonly answer: Document | undefined;
  readonly earlier: Document | undefined;
  readonly path: Path;
}
const CHANGE = /\.(?:old|delta|ratio)$/;
export const isOnChange = (rule: Rule) => rule.conditions.some(({ path }) => CHANGE.test(path));
export const isOnScore = (path: string) => path.replace(CHANGE, '') === 'score';

export function judge(rule: Rule, facts: Facts): Says {
  const says = rule.conditions.map((condition) => judgeCondition(condition, facts));
  const decisive = rule.join === 'all' ? 'no' : 'matches';
  if (says.includes(decisive)) return decisive;
  if (says.includes('unknown')) return 'unknown';
  return rule.join === 'all' ? 'matches' : 'no';
}

/** The value of today that a rule of one condition asks for, as text; undefined for changes. */
export function decidingValue({ conditions }: Rule, facts: Facts): string | undefined {
  const [path, more] = conditions.map((condition) => condition.path);
  if (more || path === undefined) return;
  const answered = { score: scoreOf(facts.answer, facts.path), total_collateral_usd: facts.answer?.collateral };
  const value = { ...answered, status: facts.status, [`input.${path.slice(6)}`]: facts.row.columns[path.slice(6)] }[
    path
  ];
  return value === undefined || value === null ? undefined : String(value);
}

function judgeCondition({ path, op, value }: Condition, facts: Facts): Says {
  const { row, status, answer, earlier } = facts;
  if (path === 'status') return compared(status, op, value);
  if (path.startsWith('input.')) return compared(row.columns[path.slice(6)] ?? null, op, value);
  const change = CHANGE.exec(path)?.[0];
  if (change && !earlier) return 'no';
  if (!answer) return 'unknown';
  const valueIn = (document: Document) => {
    const plain = path.replace(CHANGE, '');
    if (plain === 'score') return scoreOf(document, facts.path);
    return plain === 'total_collateral_usd' ? document.collateral : document.warning ? 'errors' : null;
  };
  if (!change || !earlier) return compared(valueIn(answer), op, value);
  const [old, now] = [valueIn(earlier), valueIn(answer)];
  if (change === '.old') return compared(old, op, value);
  if (typeof old !== 'number' || typeof now !== 'number' || (change === '.ratio' && old < 0)) return 'unknown';
  if (change === '.delta') return compared(now - old, op, value);
  return compared(old === 0 ? (now === 0 ? 1 : Infinity) : now / old, op, value);
}

function compared(actual: string | number | null, op: Condition['op'], value?: number | string): Says {
  const answer = (holds: boolean): Says => (holds ? 'matches' : 'no');
  const isMissing = actual === null || actual === '';
  if (op === 'exists' || op === 'missing') return answer(isMissing === (op === 'missing'));
  if (isMissing) return 'unknown';
  if (typeof value === 'string') return answer((String(actual) === value) === (op === '=='));
  const number = Number(actual);
  if (Number.isNaN(number) || value === undefined) return 'unknown';
  const order = Math.sign(number - value);
  return answer(
    { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0, '==': order === 0, '!=': order !== 0 }[op],
  );
}
