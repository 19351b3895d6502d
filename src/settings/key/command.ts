/**
 * A command that prints the key, so that the key stays in a vault: it is run when the key is
 * needed, at most once a run, and its output is neither stored nor shown.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join } from 'node:path';
import type { Context, ProgramEnd } from '../../context.ts';
import { KeyError, RiskcliError, UsageError } from '../../errors.ts';
import { systemCode } from '../../files/file-error.ts';
import { absolutePath } from '../../files/identity.ts';
import { commandLine, quoted, redactSecrets } from '../../secrets/redact.ts';
import { MAX_KEY_BYTES, parseKey } from './key.ts';

/** Long enough to type a passphrase, too short to hold up cron. */
const TIME_MS = 30_000;
/**
 * Ctrl-C and service managers stop riskcli and the command at the same time: time for our own
 * signal to arrive.
 */
const SIGNAL_MS = 100;

type Words = readonly string[];

/** The command as a line to paste. */
export const commandWords = (words: Words, { platform }: Context) => commandLine(words, platform);

/**
 * The command to store for `typed`. A relative path is made absolute: it must not depend on the
 * folder in which riskcli is started.
 * @throws UsageError, which does not repeat the words, when one of them may be a key
 */
export function parseKeyCommand(typed: Words, { env }: Context): Words {
  const [program = '', ...args] = typed;
  const own = env.RISKCLI_API_KEY?.trim();
  if (typed.some((word) => redactSecrets(word, [own]) !== word)) {
    throw new UsageError('--command takes the program that prints the key, and this may be the key itself', {
      hint: 'a key never goes on the command line: name the program alone, or a script of your own that runs it',
    });
  }
  if (program.trim() === '') throw new UsageError('--command needs a program', { hint: 'see riskcli help keys set' });
  return [/[\\/]/.test(program) ? absolutePath(program) : program, ...args];
}

/** The programs that Windows runs without a shell: not scripts (.cmd, .bat). */
const RUNS_BY_ITSELF = ['.exe', '.com'];

/**
 * The path of a program on Windows, or undefined. Windows, and node on it, would look in the
 * working folder first, where a downloaded file may have that name.
 */
function findOnWindows(program: string, { PATH = '' }: Context['env']): string | undefined {
  const folders = /[\\/]/.test(program) ? [''] : PATH.split(delimiter).filter(isAbsolute);
  const endings = RUNS_BY_ITSELF.includes(extname(program).toLowerCase()) ? [''] : RUNS_BY_ITSELF;
  return folders.flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`))).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs the command, which may ask the user if `mayAsk`. @returns the key: the first line that it
 * prints
 * @throws KeyError that names the program but nothing that it has printed, SignalError
 */
export async function runKeyCommand(words: Words, context: Context, mayAsk: boolean): Promise<string> {
  const name = quoted(words[0] ?? '');
  context.report.verbose(`running ${name} to get the key`);
  const running = { mayAsk, timeoutMs: TIME_MS, signal: context.signal(), maxBytes: MAX_KEY_BYTES };
  const end = await context.runProgram(toRunnable(words, context), running).catch((cause: unknown) => {
    throw cause instanceof RiskcliError ? cause : cannotRun(name, context, systemCode(cause));
  });
  const problem = problemWithEnd(end);
  if (problem) {
    if (!end.timedOut) await context.sleep(SIGNAL_MS, context.signal());
    throw noKey(`${name}, which should print the key, ${problem}`, `run it yourself: ${commandWords(words, context)}`);
  }
  const [line = ''] = end.output.split('\n', 1);
  const hint = 'the first line that it prints to standard output has to be the key and nothing else';
  return parseKey(line.replace(/\r$/, ''), name, hint);
}

function toRunnable([program = '', ...args]: Words, context: Context): Words {
  if (context.platform !== 'win32') return [program, ...args];
  const found = findOnWindows(program, context.env);
  if (found === undefined) throw cannotRun(quoted(program), context, 'ENOENT');
  return [found, ...args];
}

function problemWithEnd({ timedOut, exitCode, killedBy }: ProgramEnd): string | undefined {
  if (timedOut) return `did not end within ${TIME_MS / 1000}s`;
  if (killedBy) return `was ended by ${killedBy}`;
  return exitCode === 0 ? undefined : `failed with exit code ${exitCode}`;
}

function cannotRun(name: string, { platform }: Context, code: string | undefined): KeyError {
  const why = code === 'ENOENT' ? 'there is no such program' : (code ?? 'it is not a program');
  const asScript = platform === 'win32' ? '; if it is a .cmd or .bat file, store it as cmd /c NAME' : '';
  const hint = `install it, or see riskcli keys show${asScript}`;
  return noKey(`${name}, which should print the key, cannot be run: ${why}`, hint);
}

/** Without the cause, whose message quotes the words; --debug would print it. */
const noKey = (message: string, hint: string) => new KeyError(message, { code: 'key_command', hint });
