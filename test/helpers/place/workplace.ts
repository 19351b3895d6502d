/** Where a user, or cron, runs riskcli: a folder of the test's own with a home in it, and the built binary. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnv, type Finished, RISKCLI_WORDS, start } from '../process/binary.ts';
import { temporaryFolder } from './folder.ts';

/** What stderr holds of a run that failed: what happened and what to do next; with --json or --jsonl, an object. */
export const ONE_LINE = /^(riskcli: [^\n]+; [^\n]+|\{"error":\{.*"hint":.*\}\})\n$/;

export interface Workplace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  path(name: string): string;
  read(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  /** Runs riskcli with `args`; a last argument that is an object sets the stage. */
  riskcli(
    ...args: (string | { readonly env?: Record<string, string>; readonly input?: string | Buffer })[]
  ): Promise<Finished>;
  /** Runs a line of bash, in which `r` is riskcli. */
  sh(line: string, env?: Record<string, string>): Promise<Finished>;
}

/** A new one, gone with the test; its environment is that of cron and `extra`. */
export function workplace(extra: Readonly<Record<string, string>> = {}): Workplace {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = bareEnv({ HOME: home, ...extra });
  const path = (name: string) => join(folder, name);
  const prelude = `r() { ${RISKCLI_WORDS} "$@"; }\n`;
  return {
    folder,
    env,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
    riskcli(...args) {
      const last = args.at(-1);
      const { env: more, ...options } = typeof last === 'object' ? last : {};
      const typed = args.filter((arg) => typeof arg === 'string');
      return start(typed, { cwd: folder, env: { ...env, ...more }, ...options }).done;
    },
    sh: (line, more) => start(prelude + line, { cwd: folder, env: { ...env, ...more } }).done,
  };
}
