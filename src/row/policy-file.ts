/** Reads the file of --policy. */
import { createReadStream } from 'node:fs';
import { decodeUtf8 } from '../document/utf8.ts';
import { UsageError } from '../errors.ts';
import { shownPath, systemReason } from '../files/file-error.ts';
import type { WalletRules } from '../wallet/address.ts';
import { type Policy, parsePolicy } from './policy.ts';

/** Enough for thousands of rules and exceptions. */
const MAX_BYTES = 1024 * 1024;

/**
 * The policy in the file at `path`.
 * @throws UsageError for anything wrong with it: a gate that cannot be read must not let anything pass
 */
export async function readPolicy(path: string, wallets: WalletRules): Promise<Policy> {
  const bytes = await readBounded(path).catch((cause: unknown) => {
    throw refuse(path, { problem: `cannot be read: ${systemReason(cause)}`, cause });
  });
  if (bytes.length > MAX_BYTES) throw refuse(path, { problem: 'is larger than 1 MiB, too large for a policy' });
  return parsePolicy(textOf(bytes, path), { file: path, wallets });
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw refuse(path, { problem: 'is not UTF-8', cause });
  }
}

const refuse = (path: string, { problem, cause }: { readonly problem: string; readonly cause?: unknown }) =>
  new UsageError(`the policy ${shownPath(path)} ${problem}`, {
    code: 'policy',
    hint: 'name a file of rules and exceptions; see riskcli help conditions',
    cause,
  });

/** The bytes of the file, at most one more than allowed. */
async function readBounded(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of createReadStream(path, { end: MAX_BYTES })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
