/** Several outputs of one run: all are synced before the first is put in place. */
import { type BigIntStats, fstatSync } from 'node:fs';
import { IoError, UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { canonicalPath, isSameFile } from './identity.ts';
import { openStdout, regularFile } from './stream.ts';
import type { Target, TargetHost, TargetOptions } from './target.ts';

export interface TargetsOptions extends Omit<TargetOptions, 'output'> {
  /** The values of -o as typed, `-` for standard output. */
  readonly outputs: readonly string[];
}

/** Loaded only when a file is written, or must not be. */
const files = () => import('./target.ts');

const isStdoutAlone = ({ outputs, forbidden = [] }: Pick<TargetsOptions, 'outputs' | 'forbidden'>) =>
  outputs.length === 1 && outputs[0] === '-' && forbidden.length === 0;

/** As checkTarget, for each of the outputs. @throws UsageError when two of them are the same file */
export async function checkTargets(
  { outputs, ...options }: TargetsOptions,
  host: Pick<TargetHost, 'stdout' | 'platform'>,
): Promise<void> {
  const { checkTarget } = await files();
  const earlier: { readonly output: string; readonly found: BigIntStats | undefined }[] = [];
  for (const output of outputs) {
    const target = await checkTarget({ ...options, output }, host);
    const found = output === '-' ? redirectedTo(host) : target;
    const same = earlier.find((other) => isOne(other, { output, found }, host));
    if (same) throw sameFileError(same.output, output);
    earlier.push({ output, found });
  }
}

/** The file to which standard output is redirected. */
function redirectedTo({ stdout }: Pick<TargetHost, 'stdout'>): BigIntStats | undefined {
  const file = regularFile(stdout);
  return file === undefined ? undefined : fstatSync(file, { bigint: true });
}

type FoundOutput = { readonly output: string; readonly found: BigIntStats | undefined };

function isOne(one: FoundOutput, other: FoundOutput, host: Pick<TargetHost, 'platform'>): boolean {
  if (one.found && other.found) return isSameFile(one.found, other.found);
  if (one.output === '-' || other.output === '-') return one.output === other.output;
  return canonicalPath(one.output, host) === canonicalPath(other.output, host);
}

function sameFileError(one: string, other: string): UsageError {
  const file = one === '-' ? other : one;
  const message =
    one === '-' || other === '-'
      ? `standard output goes to ${quoted(file)}, which is an output as well`
      : one === other
        ? `${quoted(one)} is given twice`
        : `${quoted(one)} and ${quoted(other)} are the same file`;
  return new UsageError(message, { hint: 'give each output a file of its own' });
}

/** Opens each of the outputs, as openTarget does. The caller discards them. */
export async function openTargets(options: TargetsOptions, host: TargetHost): Promise<readonly Target[]> {
  if (isStdoutAlone(options)) return [openStdout(host)];
  await checkTargets(options, host);
  const { openTarget } = await files();
  const { outputs, ...rest } = options;
  const targets: Target[] = [];
  try {
    for (const output of outputs) targets.push(await openTarget({ ...rest, output }, host));
  } catch (error) {
    await discardTargets(targets);
    throw error;
  }
  return targets;
}

export async function discardTargets(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await target.discard();
}

/**
 * Puts all of `targets`, which are written, in place.
 * @throws IoError, which says which files are new and which are as before, if there are several
 */
export async function commitTargets(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await target.sync();
  const files = targets.filter(({ isReplacement }) => isReplacement);
  for (const target of files) {
    await target.commit().catch((error: unknown) => {
      throw error instanceof IoError ? halfWay(error, files) : error;
    });
  }
}

function halfWay(error: IoError, files: readonly Target[]): IoError {
  if (files.length === 1) return error;
  const names = (some: readonly Target[]) => some.map(({ output }) => quoted(output)).join(', ');
  const [placed, left] = [files.filter(({ isInPlace }) => isInPlace), files.filter(({ isInPlace }) => !isInPlace)];
  const parts = [
    ...(placed.length > 0 ? [`new: ${names(placed)}`] : []),
    ...(left.length > 0 ? [`as before: ${names(left)}`] : []),
  ];
  const { hint, isResumable, cause } = error;
  return new IoError(`${error.message} (${parts.join('; ')})`, { hint, isResumable, cause });
}
