/** What a check has found, and how it is shown. */
import { type ExitCode, gravest, RiskcliError, SignalError } from '../../errors.ts';
import type { Drawing } from '../../output/terminal/lines.ts';
import { Table } from '../../output/terminal/table.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { visible } from '../../text/escape.ts';

export interface Finding {
  /** What was looked at: `node`, `base-url`, `left-over`. */
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  /** What to do about it; undefined when nothing is wrong. */
  readonly remedy?: string | undefined;
  /** With which a command that needs it would end. */
  readonly exitCode?: ExitCode;
}

/** Checks one part of the set-up. Expected failures are findings, not exceptions. */
export type Check = (run: ResolvedRun) => readonly Finding[] | Promise<readonly Finding[]>;

export const ok = (check: string, finding: string): Finding => ({ check, status: 'ok', finding });

export const warn = (check: string, finding: string, remedy: string): Finding => ({
  check,
  status: 'warn',
  finding,
  remedy,
});

/** `error` as a finding. @throws internal errors, and signals, which say nothing about the set-up */
export function failed(check: string, error: unknown): Finding {
  if (!(error instanceof RiskcliError) || error instanceof SignalError) throw error;
  return { check, status: 'fail', finding: error.message, remedy: error.hint, exitCode: error.exitCode };
}

/** What `look` finds, or why it cannot. */
export async function attempt(
  check: string,
  look: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [failed(check, error)];
  }
}

/** Whether `get` succeeds; another check reports why it does not. @throws internal errors */
export function works(get: () => unknown): boolean {
  try {
    get();
    return true;
  } catch (error) {
    if (!(error instanceof RiskcliError)) throw error;
    return false;
  }
}

/** Each failure once, where it was found first: a file that cannot be read fails the check of every setting in it. */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const told = new Set<string>();
  return findings.filter(({ status, finding }) => {
    if (status !== 'fail') return true;
    const isNew = !told.has(finding);
    told.add(finding);
    return isNew;
  });
}

/** The exit code of the gravest failure; `ok` when there is none. */
export const worst = (findings: readonly Finding[]): ExitCode =>
  gravest(findings.flatMap(({ exitCode }) => (exitCode === undefined ? [] : [exitCode])));

/** `findings` for a person, in lines of `width` columns: each problem is followed by its remedy on the next line. */
export function findingLines(
  findings: readonly Finding[],
  { width, chalk, header }: Drawing & { readonly header: boolean },
): string {
  const styles = { ok: (text: string) => text, warn: chalk.bold, fail: chalk.bold.red };
  const table = new Table([{ head: 'STATUS' }, { head: 'CHECK' }], { width, chalk });
  for (const { status, check } of findings) table.observe([status, check]);
  const rows = findings.flatMap(({ status, check, finding, remedy }) => [
    ...table.behind([styles[status](status), check], visible(finding)),
    ...(remedy === undefined ? [] : table.behind(['', ''], visible(remedy), '-> ')),
  ]);
  const lines = header ? [table.head('FINDING'), ...rows] : rows;
  return lines.map((line) => `${line}\n`).join('');
}
