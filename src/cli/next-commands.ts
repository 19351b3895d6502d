/** Commands that a program may run after an error: complete lines, which cost nothing. */
import type { ErrorCode } from '../error-codes.ts';

export interface NextCommand {
  readonly command: string;
  readonly when: string;
}

type Next = readonly [command: string, when: string];

const WAIT: Next = [
  'riskcli health --wait 60s',
  'before the same command is run again: it ends when the service is up',
];
const KEY: Next = ['riskcli keys show --json', 'to see which key is used, and where it comes from'];
const SET_UP: Next = ['riskcli doctor --json', 'to check the set-up of this machine'];
const LIMITS: Next = ['riskcli limits --json', 'to see the limit, and what is left of the month'];
const SETTINGS: Next = ['riskcli config list --json', 'to see what is set, and where'];

const NEXT: Readonly<Partial<Record<ErrorCode, readonly Next[]>>> = {
  usage: [['riskcli --help', 'to see the commands']],
  no_base_url: [SETTINGS],
  other_origin: [KEY],
  missing_field: [['riskcli profile --fields', 'to see the paths that every answer has']],
  policy: [['riskcli help policy', 'to see a complete policy']],
  key: [KEY, SET_UP],
  key_missing: [KEY],
  key_malformed: [KEY],
  key_command: [KEY],
  key_rejected: [KEY],
  key_refused: [LIMITS],
  temporary: [WAIT],
  network: [WAIT, SET_UP],
  timeout: [WAIT],
  unavailable: [WAIT],
  unhealthy: [WAIT],
  proxy: [SET_UP],
  tls: [SET_UP],
  redirect: [SETTINGS],
  contract: [SETTINGS],
  not_http: [SETTINGS],
  rate_limit: [LIMITS],
  monthly_requests: [LIMITS],
  io: [SET_UP],
  list: [['riskcli help lists', 'to see what a list may be']],
};

/** A name that needs no quotes in any shell. */
const PLAIN_NAME = /^[\w.-]+$/;

/** What helps after `code`, in the environment that the error is about. The last one explains the error. */
export function nextCommands(code: ErrorCode, environment: string | undefined): readonly NextCommand[] {
  const isOwn = environment !== undefined && environment !== 'default' && PLAIN_NAME.test(environment);
  const there = (command: string) =>
    isOwn && /^riskcli (health|keys|doctor|limits|config) /.test(command) ? ` -e ${environment}` : '';
  const steps = (NEXT[code] ?? []).map(([command, when]) => ({ command: command + there(command), when }));
  return [...steps, { command: `riskcli help ${code}`, when: 'to read why it happens, and what to do' }];
}
