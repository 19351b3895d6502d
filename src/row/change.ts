/**
 * What conditions on change ask for: `X.old`, `X.delta`, `X.ratio`, and `change`. Each compares the row of a wallet with an
 * earlier row of it, exactly.
 */
import type { Node } from '../document/node.ts';
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import type { Condition, Find, FindCompared, Found, Ratio } from './conditions.ts';
import { compareDecimals, decimalOf, subtractDecimals, ZERO } from './decimal.ts';
import { conditionsOf, type Expression } from './rules.ts';

/** What became of a wallet since. */
export type WalletChange = 'added' | 'removed' | 'changed' | 'same';

/** The earlier row of a wallet: its value at a path; undefined where the wallet was not there, or nothing is compared. */
export interface Compared {
  readonly change: WalletChange | undefined;
  readonly old: Find | undefined;
}

/** A condition on change does not hold for a wallet that came or left, nor where there is nothing to compare with. */
export const NOT_COMPARED: Compared = { change: undefined, old: undefined };

/** Finds the values of a row and, for conditions on change, what they were. */
export function findChange(now: Find, { change, old }: Compared): FindCompared {
  return (path, aspect) => {
    if (aspect === undefined) return now(path);
    if (aspect === 'change') return change === undefined ? 'never' : { kind: 'string', value: change };
    if (!old) return 'never';
    const before = old(path);
    return aspect === 'old' ? before : changeOf(aspect, before, now(path));
  };
}

const ONE: Node = { kind: 'number', spelling: '1' };

/** How a value has changed; `unknown` unless both are numbers. */
export function changeOf(aspect: 'delta' | 'ratio', before: Found, current: Found): Found {
  const [from, to] = [numberIn(before), numberIn(current)];
  if (!from || !to) return 'unknown';
  if (aspect === 'delta') {
    const delta = subtractDecimals(to, from);
    return delta === undefined ? 'unknown' : { kind: 'number', spelling: delta };
  }
  const sign = compareDecimals(from, ZERO);
  if (sign > 0) return { kind: 'ratio', over: to, under: from };
  if (sign < 0) return 'unknown';
  const above = compareDecimals(to, ZERO);
  if (above === 0) return ONE;
  return above > 0 ? { kind: 'ratio', over: to, under: from } : 'unknown';
}

function numberIn(found: Found) {
  return found === undefined || typeof found === 'string' || found.kind === 'ratio' ? undefined : decimalOf(found);
}

/** Whether one of `expressions` asks for a change. */
export const asksForChange = (expressions: readonly Expression[]) =>
  expressions.flatMap(conditionsOf).some(({ aspect }) => aspect !== undefined);

/** @throws UsageError where a condition or an order is on change: for commands that compare nothing */
export function refuseChange(asked: readonly Pick<Condition, 'text' | 'aspect'>[]): void {
  const onChange = asked.find(({ aspect }) => aspect !== undefined);
  if (!onChange) return;
  throw new UsageError(`${quoted(onChange.text)} is about a change, and only review and diff compare`, {
    hint: `a document's own member of that name is ["${onChange.aspect}"]`,
  });
}

/** A number near the quotient, for an order: `found` itself where it is none. */
export function ratioNode(found: Node | Ratio): Node {
  if (found.kind !== 'ratio') return found;
  const { over, under } = found;
  const isAboveAll = compareDecimals(under, ZERO) === 0;
  return { kind: 'number', spelling: isAboveAll ? '1e999' : String(over.double / under.double) };
}
