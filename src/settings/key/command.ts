/**
 * A command that prints the key, so that it stays in a vault: it is run when the key is needed, at most once a run, and
 * what it prints is kept nowhere and never said back.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Context, ProgramEnd } from '../../context.ts';
import { KeyError, RiskcliError, UsageError } from '../../errors.ts';
import { systemCode } from '../../files/file-error.ts';
import { quoted, visibleName, withholdKeys } from '../../text/escape.ts';
import { withhold } from '../../text/secret.ts';
import { shellWords } from '../../text/shell.ts';
import { MOST_KEY_BYTES, parseKey } from './key.ts';

/** Long enough to type a passphrase, too short to hold up cron. */
const TIME_MS = 30_000;

type Words = readonly string[];

/** The command as a line to paste, shown as its words were stored. */
export const commandWords = (words: Words) => visibleName(shellWords(words));

/**
 * The command to store for `typed`. A path is stored from the root on: what it leads to must not depend on the folder
 * that riskcli is started in.
 * @throws UsageError that does not say the words back where one of them may be a key.
 */
export function parseKeyCommand(typed: Words, { env }: Pick<Context, 'env'>): Words {
  const [program = '', ...args] = typed;
  const own = env.RISKCLI_API_KEY?.trim();
  if (typed.some((word) => withholdKeys(withhold(word), own ? [own] : []) !== word)) {
    throw new UsageError('--command takes the program that prints the key, and is given what may be the key itself', {
      hint: 'a key never goes on the command line: name the program alone, or a script of your own that runs it',
    });
  }
  if (program.trim() === '') throw new UsageError('--command needs a program', { hint: 'see riskcli help keys set' });
  return [/[\\/]/.test(program) ? resolve(program) : program, ...args];
}

/** Where the system would find `program`; undefined where there is none. Not judged on Windows, which adds endings. */
export function findProgram(program: string, { env, platform }: Pick<Context, 'env' | 'platform'>): string | undefined {
  if (platform === 'win32') return program;
  const folders = program.includes('/') ? [''] : (env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

interface Running {
  readonly context: Context;
  /** Whether the program may ask the user. */
  readonly mayAsk: boolean;
}

/**
 * Runs the command and gives the key: the first line that it prints.
 * @throws KeyError that names the program and nothing that it has printed, SignalError
 */
export async function runKeyCommand(words: Words, { context, mayAsk }: Running): Promise<string> {
  const name = quoted(words[0] ?? '');
  context.report.verbose(`running ${name} for the key`);
  const running = { mayAsk, timeoutMs: TIME_MS, signal: context.signal(), mostBytes: MOST_KEY_BYTES };
  const end = await context.runProgram(words, running).catch((cause: unknown) => {
    throw cause instanceof RiskcliError ? cause : cannotRun(name, cause);
  });
  const trouble = troubleWith(end);
  if (trouble)
    throw noKey(`${name}, which should print the key, ${trouble}`, `run it yourself: ${commandWords(words)}`);
  const [line = ''] = end.output.split('\n', 1);
  const hint = 'the first line that it prints to standard output has to be the key and nothing else';
  return parseKey(line.replace(/\r$/, ''), { what: name, hint });
}

function troubleWith({ timedOut, exitCode, killedBy }: ProgramEnd): string | undefined {
  if (timedOut) return `did not end within ${TIME_MS / 1000}s`;
  if (killedBy) return `was ended by ${killedBy}`;
  return exitCode === 0 ? undefined : `failed with exit code ${exitCode}`;
}

function cannotRun(name: string, cause: unknown): KeyError {
  const code = systemCode(cause);
  const why = code === 'ENOENT' ? 'there is no such program' : (code ?? 'it is no program');
  return noKey(`${name}, which should print the key, cannot be run: ${why}`, 'install it, or see riskcli keys show');
}

/** Without the cause: its message, which --debug prints, quotes the words. */
const noKey = (message: string, hint: string) => new KeyError(message, { code: 'key_command', hint });
