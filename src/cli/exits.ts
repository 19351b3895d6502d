/** The one table of exit codes: `riskcli help CODE` prints a row, docs/errors.md has them all. */
import { ExitCode } from '../errors.ts';
import type { CommandBody } from './command.ts';

/** `brief` is for the help of a command. */
export const EXITS: readonly {
  readonly code: ExitCode;
  readonly brief: string;
  readonly meaning: string;
  readonly next: string;
}[] = [
  {
    code: ExitCode.ok,
    brief: 'all answered',
    meaning: 'everything that was asked was answered',
    next: 'nothing to do',
  },
  {
    code: ExitCode.fault,
    brief: 'internal error',
    meaning: 'an internal error in riskcli',
    next: 'run it again with --debug and report what it prints, which holds no key',
  },
  {
    code: ExitCode.usage,
    brief: 'wrong usage or setting',
    meaning: 'the command line or a setting is wrong, or a path that no answer had',
    next: 'do what the message says; the same command again ends the same',
  },
  {
    code: ExitCode.rows,
    brief: 'some rows refused',
    meaning: 'some rows were refused for good, or are not wallets',
    next: 'look at these rows: each says why; the others are complete',
  },
  {
    code: ExitCode.key,
    brief: 'key missing or rejected',
    meaning: 'the key is missing, malformed or rejected',
    next: 'see which key is used with riskcli keys show, store another with riskcli keys set',
  },
  {
    code: ExitCode.temporary,
    brief: 'temporary failure',
    meaning: 'temporary: network, time-out, 5xx, an unhealthy service',
    next: 'run the same command again after a pause; it asks only for what is missing',
  },
  {
    code: ExitCode.untrusted,
    brief: 'answer not trusted',
    meaning: 'the answer cannot be trusted: TLS, a redirect, not the contract',
    next: 'check the base URL and what stands between, with riskcli doctor',
  },
  {
    code: ExitCode.limit,
    brief: 'stopped by a limit',
    meaning: 'a limit stopped it: rate, quota, --max-requests, monthly-requests',
    next: 'run the same command again from the time that the message names, or raise the limit',
  },
  {
    code: ExitCode.io,
    brief: 'local input or output',
    meaning: 'local input or output failed',
    next: 'make room, or correct the file that the message names; then run the same command again',
  },
  {
    code: ExitCode.list,
    brief: 'list empty or unreadable',
    meaning: 'the list is empty or cannot be read',
    next: 'correct the list; riskcli help lists says what it may be',
  },
  {
    code: ExitCode.matched,
    brief: 'a condition matched',
    meaning: 'a --fail-if or a rule of --policy matched',
    next: 'look at the rows: matched and unjudged say which',
  },
  {
    code: ExitCode.locked,
    brief: 'journal in use',
    meaning: 'another run holds the journal',
    next: 'wait until it has ended, then run the same command again',
  },
  { code: ExitCode.hangup, brief: 'hang-up', meaning: 'hang-up', next: 'run the same command again: it resumes' },
  {
    code: ExitCode.interrupt,
    brief: 'interrupted',
    meaning: 'interrupted',
    next: 'run the same command again: it resumes',
  },
  {
    code: ExitCode.pipe,
    brief: 'reader gone',
    meaning: 'the reader of standard output is gone',
    next: 'nothing to do: the reader has what it needed',
  },
  {
    code: ExitCode.terminated,
    brief: 'terminated',
    meaning: 'terminated',
    next: 'run the same command again: it resumes',
  },
];

const { ok, fault, usage, rows, key, temporary, untrusted, limit, io, list, matched } = ExitCode;
const { hangup, interrupt, pipe, terminated } = ExitCode;

/** Exit codes of every command. */
const ANY_EXIT: readonly ExitCode[] = [ok, fault, usage, io, hangup, interrupt, pipe, terminated];

/** Of a command that sends the key. */
export const KEY_EXITS: readonly ExitCode[] = [rows, key, temporary, untrusted, limit];

/** Of a command that reads a list and judges it. */
export const GATE_EXITS: readonly ExitCode[] = [list, matched];

/** The exit codes of `command`, lowest first; for a group, those of its commands. */
export function exitsOf(command: CommandBody): readonly ExitCode[] {
  return [...new Set([...ANY_EXIT, ...own(command)])].sort((a, b) => a - b);
}

function own({ exits = [], subcommands = [] }: CommandBody): readonly ExitCode[] {
  return [...exits, ...subcommands.flatMap(own)];
}
