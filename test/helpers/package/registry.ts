/** For tests that take a program from the npm registry: without it they are skipped by name, and never wait for long. */
import type { TestContext } from 'vitest';

/** What `timeout` of the system ends with. */
const TIMED_OUT = 124;
/** What npm, pnpm, Yarn and Bun say of a registry that cannot be reached. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|RequestError|ConnectionRefused/;

/** Skips the test where the registry is what failed; fails it for everything else. */
export function skipOrThrow(cause: unknown, { skip }: TestContext): never {
  const { status, stdout, stderr } = cause as Readonly<Record<'status' | 'stdout' | 'stderr', unknown>>;
  if (status === TIMED_OUT || UNREACHABLE.test(`${stdout}${stderr}`)) skip('the npm registry cannot be reached');
  throw new Error(`${cause}\n${stdout}`, { cause });
}

/** `line` within `seconds`, and once more when it took longer: npm was seen to wait for ever, without a connection. */
export const bounded = (line: string, seconds = 120) => `timeout ${seconds} ${line} || timeout ${seconds} ${line}`;
