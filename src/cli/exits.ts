/** The one table of exit codes: `riskcli help CODE` prints a row, docs/errors.md has them all. */
import { ExitCode } from '../errors.ts';

export const EXITS: readonly {
  readonly code: ExitCode;
  readonly meaning: string;
  readonly next: string;
}[] = [
  {
    code: ExitCode.ok,
    meaning: 'everything that was asked was answered',
    next: 'nothing to do',
  },
  {
    code: ExitCode.fault,
    meaning: 'an internal error in riskcli',
    next: 'run it again with --debug and report what it prints, which holds no key',
  },
  {
    code: ExitCode.usage,
    meaning: 'the command line or a setting is wrong, or a path that no answer had',
    next: 'do what the message says; the same command again ends the same',
  },
  {
    code: ExitCode.rows,
    meaning: 'some rows were refused for good, or are not wallets',
    next: 'look at these rows: each says why; the others are complete',
  },
  {
    code: ExitCode.key,
    meaning: 'the key is missing, malformed or rejected',
    next: 'see which key is used with riskcli keys show, store another with riskcli keys set',
  },
  {
    code: ExitCode.temporary,
    meaning: 'temporary: network, time-out, 5xx, an unhealthy service',
    next: 'run the same command again after a pause; it asks only for what is missing',
  },
  {
    code: ExitCode.untrusted,
    meaning: 'the answer cannot be trusted: TLS, a redirect, not the contract',
    next: 'check the base URL and what stands between, with riskcli doctor',
  },
  {
    code: ExitCode.limit,
    meaning: 'a limit stopped it: rate, quota, --max-requests, monthly-requests',
    next: 'run the same command again from the time that the message names, or raise the limit',
  },
  {
    code: ExitCode.io,
    meaning: 'local input or output failed',
    next: 'make room, or correct the file that the message names; then run the same command again',
  },
  {
    code: ExitCode.list,
    meaning: 'the list is empty or cannot be read',
    next: 'correct the list; riskcli help lists says what it may be',
  },
  {
    code: ExitCode.matched,
    meaning: 'a --fail-if or a rule of --policy matched',
    next: 'look at the rows: matched and unjudged say which',
  },
  {
    code: ExitCode.locked,
    meaning: 'another run holds the journal',
    next: 'wait until it has ended, then run the same command again',
  },
  { code: ExitCode.hangup, meaning: 'hang-up', next: 'run the same command again: it resumes' },
  {
    code: ExitCode.interrupt,
    meaning: 'interrupted',
    next: 'run the same command again: it resumes',
  },
  {
    code: ExitCode.pipe,
    meaning: 'the reader of standard output is gone',
    next: 'nothing to do: the reader has what it needed',
  },
  {
    code: ExitCode.terminated,
    meaning: 'terminated',
    next: 'run the same command again: it resumes',
  },
];
