/** Results as text: the whole of one, or how it differs from another. */
import { linesThatDiffer } from './line-difference.ts';
import type { Result } from './play.ts';

/**
 * The whole of a result. `> ` stands before what was printed, `! ` before what was said, `+ ` before a file that is new
 * or changed, `- ` before one that is gone.
 */
export function wholeText({ line, exitCode, stdout, stderr, files }: Result): string {
  const told = [...files].flatMap(([name, text]) => fileText(name, text));
  return joined([`$ ${line}`, `exit ${exitCode}`, ...block('> ', stdout), ...block('! ', stderr), ...told]);
}

/**
 * Says of one result after the other how it differs from the first: the lines that are gone, and those that have come. One
 * that is as another one before it is not told again.
 */
export function createComparison(base: Result): (result: Result) => string {
  const seen = new Map([[fingerprint(base), 'without']]);
  return (result) => {
    const key = fingerprint(result);
    const known = seen.get(key);
    if (known !== undefined) return joined([`$ ${result.line}`, `as ${known}`]);
    seen.set(key, result.line);
    return joined([
      `$ ${result.line}`,
      ...(result.exitCode === base.exitCode ? [] : [`exit ${result.exitCode}`]),
      ...difference('>', base.stdout, result.stdout),
      ...difference('!', base.stderr, result.stderr),
      ...filesDifference(base.files, result.files),
    ]);
  };
}

const fingerprint = ({ exitCode, stdout, stderr, files }: Result) =>
  JSON.stringify([exitCode, stdout, stderr, [...files]]);

const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

const fileText = (name: string, text: string | undefined) =>
  text === undefined ? [`- ${name}`] : [`+ ${name}`, ...block('  | ', text)];

function filesDifference(old: Result['files'], now: Result['files']): readonly string[] {
  const lost = [...old.keys()].filter((name) => !now.has(name)).map((name) => `not ${name}`);
  const told = [...now].flatMap(([name, text]) => {
    const before = old.get(name);
    if (text === before && old.has(name)) return [];
    return before === undefined || text === undefined
      ? fileText(name, text)
      : [`+ ${name}`, ...difference('  |', before, text)];
  });
  return [...lost, ...told];
}

function block(mark: string, text: string): readonly string[] {
  if (text === '') return [];
  const end = text.endsWith('\n') ? [] : [`${mark.trimEnd()}(no newline)`];
  return [...linesOf(text).map((line) => (line === '' ? mark.trimEnd() : `${mark}${line}`)), ...end];
}

const linesOf = (text: string) => (text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n'));

/** The lines that are gone and have come; the whole of `after` when less than half of it was there before. */
function difference(mark: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  if (after === '') return [`${mark}- all`];
  const lines = linesOf(after);
  const different = linesThatDiffer(linesOf(before), lines);
  const come = different.filter(({ isNew }) => isNew).length;
  if (come > lines.length / 2) return block(`${mark} `, after);
  return different.map(({ isNew, line }) => `${mark}${isNew ? '+' : '-'}${line === '' ? '' : ` ${line}`}`);
}
