/** Reads the file of --policy, and puts an edited policy in its place. */
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, fstatSync, readFileSync } from 'node:fs';
import type { Context } from '../context.ts';
import { decodeUtf8 } from '../document/utf8.ts';
import { IoError, UsageError } from '../errors.ts';
import { createAtomicFile } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { asFileError, shownPath, systemReason } from '../files/file-error.ts';
import { withLock } from '../files/lock.ts';
import { IrregularFileError, openRegular } from '../files/open-regular.ts';
import { removeTemporaries } from '../files/temporaries.ts';
import { type Policy, type PolicyOptions, parsePolicy } from './policy.ts';

/** Enough for thousands of rules and exceptions. */
const MAX_POLICY_BYTES = 1024 * 1024;

type ReadOptions = Omit<PolicyOptions, 'file'>;

/**
 * The policy in the file at `path`, which may be a pipe: it is read once.
 * @returns also the SHA-256 of its bytes
 * @throws UsageError for anything wrong with it: a gate that cannot be read must not let anything
 * pass
 */
export async function readPolicy(path: string, options: ReadOptions): Promise<Policy & { readonly sha256: string }> {
  const bytes = await readBounded(path).catch((cause: unknown) => {
    throw policyFileError(path, { problem: `cannot be read: ${systemReason(cause)}`, cause });
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...parsePolicy(policyText(bytes, path), { file: path, ...options }), sha256 };
}

/**
 * Replaces the text of the policy at `path` with the result of `edit`. When two run at once,
 * the second edits the result of the first.
 * @throws UsageError as readPolicy and `edit` do, and IoError for what is no regular file, or has
 * changed since it was read; nothing is written then
 */
export async function editPolicy(
  path: string,
  { context, ...options }: ReadOptions & { readonly context: Context },
  edit: (text: string, policy: Policy) => string,
): Promise<void> {
  const read = () => {
    const bytes = readRegular(path);
    const text = policyText(bytes, path);
    return { bytes, text, policy: parsePolicy(text, { file: path, ...options }) };
  };
  // An edit that is refused fails here, before it takes the lock.
  const first = read();
  edit(first.text, first.policy);
  await withLock(`${path}.lock`, context, async () => {
    // Under the lock, files that killed writers left are not in use.
    removeTemporaries(path, context.uid);
    const { bytes, text, policy } = read();
    const mark = bytes.subarray(0, 3).equals(BOM) ? BOM : Buffer.alloc(0);
    const content = Buffer.concat([mark, Buffer.from(edit(text, policy))]);
    parsePolicy(policyText(content, path), { file: path, ...options });
    await replacePolicy(path, content, bytes, context);
  });
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** @param old the bytes that the file must still hold */
async function replacePolicy(path: string, content: Uint8Array, old: Buffer, context: Context): Promise<void> {
  const again = 'run the same command again';
  try {
    accessSync(path, constants.W_OK);
    const file = createAtomicFile(path, { host: context });
    try {
      file.write(content);
      await file.commit(() => {
        if (isUnchanged(path, old)) return;
        throw new IoError(`the policy ${shownPath(path)} has changed since it was read`, { hint: again });
      });
    } finally {
      file.discard();
    }
  } catch (error) {
    throw asFileError(error, `the policy ${shownPath(path)} cannot be written`, { hint: `fix this, then ${again}` });
  }
}

function isUnchanged(path: string, old: Buffer): boolean {
  try {
    return readRegular(path).equals(old);
  } catch {
    return false;
  }
}

function policyText(bytes: Uint8Array, path: string): string {
  if (bytes.length > MAX_POLICY_BYTES)
    throw policyFileError(path, { problem: 'is larger than 1 MiB, too large for a policy' });
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw policyFileError(path, { problem: 'is not UTF-8', cause });
  }
}

const policyFileError = (path: string, { problem, cause }: { readonly problem: string; readonly cause?: unknown }) =>
  new UsageError(`the policy ${shownPath(path)} ${problem}`, {
    code: 'policy',
    hint: 'name a file of rules and exceptions; see riskcli help conditions',
    cause,
  });

/** The bytes of the file, at most one more than allowed. */
async function readBounded(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of createReadStream(path, { end: MAX_POLICY_BYTES })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The bytes of a file that can be replaced. @throws IoError for a link, a pipe and the like */
function readRegular(path: string): Buffer {
  let fd: number | undefined;
  try {
    fd = openRegular(path);
    if (fstatSync(fd).size > MAX_POLICY_BYTES) return Buffer.alloc(MAX_POLICY_BYTES + 1);
    return readFileSync(fd);
  } catch (cause) {
    if (cause instanceof IrregularFileError) {
      const hint = cause.isLink ? 'give the file it points to' : 'give a file, which can be replaced';
      throw new IoError(`the policy ${shownPath(path)} is ${cause.kind}`, { hint });
    }
    throw policyFileError(path, { problem: `cannot be read: ${systemReason(cause)}`, cause });
  } finally {
    closeQuietly(fd);
  }
}
