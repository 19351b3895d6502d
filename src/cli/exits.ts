/** The one table of exit codes: help and docs/errors.md are made from it. */
import { ExitCode } from '../errors.ts';
import type { CommandBody } from './command.ts';

/** `brief` is for the help of a command. */
export const EXITS: readonly { readonly code: ExitCode; readonly brief: string; readonly meaning: string }[] = [
  { code: ExitCode.ok, brief: 'all answered', meaning: 'everything that was asked was answered' },
  { code: ExitCode.fault, brief: 'internal error', meaning: 'an internal error in riskcli' },
  {
    code: ExitCode.usage,
    brief: 'wrong usage or setting',
    meaning: 'the command line or a setting is wrong, or a path that no answer had',
  },
  {
    code: ExitCode.rows,
    brief: 'some rows refused',
    meaning: 'some rows were refused for good, or are not wallets',
  },
  { code: ExitCode.key, brief: 'key missing or rejected', meaning: 'the key is missing, malformed or rejected' },
  {
    code: ExitCode.temporary,
    brief: 'temporary failure',
    meaning: 'temporary: network, time-out, 5xx; rerun the same command to resume',
  },
  {
    code: ExitCode.untrusted,
    brief: 'answer not trusted',
    meaning: 'the answer cannot be trusted: TLS, a redirect, not the contract',
  },
  {
    code: ExitCode.limit,
    brief: 'stopped by a limit',
    meaning: 'a limit stopped it: rate, quota, --max-requests, monthly-requests',
  },
  { code: ExitCode.io, brief: 'local input or output', meaning: 'local input or output failed' },
  { code: ExitCode.list, brief: 'list empty or unreadable', meaning: 'the list is empty or cannot be read' },
  { code: ExitCode.matched, brief: 'a condition matched', meaning: 'a --fail-if or a rule of --policy matched' },
  { code: ExitCode.locked, brief: 'journal in use', meaning: 'another run holds the journal' },
  { code: ExitCode.hangup, brief: 'hang-up', meaning: 'hang-up' },
  { code: ExitCode.interrupt, brief: 'interrupted', meaning: 'interrupted' },
  { code: ExitCode.pipe, brief: 'reader gone', meaning: 'the reader of standard output is gone' },
  { code: ExitCode.terminated, brief: 'terminated', meaning: 'terminated' },
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
