/**
 * `riskcli keys`: the API key of each environment, read from a prompt or a pipe, and shown masked.
 */
import { type CommandBody, type Options, subcommand } from '../cli/command.ts';
import { onOff, texts, withRules } from '../cli/flag.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { madePath } from '../files/file-error.ts';
import type { FlatRecord } from '../output/records.ts';
import { maskKey } from '../secrets/api-key.ts';
import { warnOfHiddenKey } from '../session/hidden-key.ts';
import { keyStateOf } from '../session/key-state.ts';
import { tryKey } from '../session/try-key.ts';
import { baseUrlText } from '../settings/base-url.ts';
import { readKeys, type StoredKey } from '../settings/files.ts';
import { requireOwnFolder } from '../settings/folders.ts';
import { commandWords, parseKeyCommand, runKeyCommand } from '../settings/key/command.ts';
import { ageInDays, hasUsualShape, ROTATION_DAYS } from '../settings/key/key.ts';
import type { KeyDescription } from '../settings/key/lookup.ts';
import { askAddress, receiveKey } from '../settings/key/prompt.ts';
import { type ResolvedRun, resolveSettings, type SettingFlags, type Settings } from '../settings/resolve.ts';
import { forEnvironment } from '../settings/sources.ts';
import { removeStoredKey, storeKey } from '../settings/store.ts';
import { isoTime } from '../text/when.ts';
import { counted } from '../text/words.ts';
import { connectionFlags, keyFlags, recordFlags, requestFlags } from './flags.ts';
import { printRecords } from './print-records.ts';

const ENVIRONMENT_HINT = 'choose the environment with -e NAME';

const setFlags = {
  check: onOff({ help: 'try the key first: costs one request' }),
  command: texts({
    value: 'PROGRAM ARG...',
    help: 'store a command that prints the key; all that follows belongs to it',
    rest: true,
  }),
  ...withRules({ ...requestFlags, ...keyFlags }, { needs: ['check'] }),
  'base-url': { ...requestFlags['base-url'], help: 'address of the service that the key is for' },
  // Also for a key that is piped in; a command has 30 s of its own.
  timeout: { ...requestFlags.timeout, conflicts: ['command'] },
};

const keysSetCommand = subcommand({
  name: 'set',
  summary: 'Store a key, or a command that prints it, and the address it is for',
  description: `Store a key and the address of the service it is for, under the name of an
environment (-e, default "default"). The key is typed at a hidden prompt or read
from standard input (within --timeout), and never given on the command line. It
is only ever sent to the origin of that address. With --check, the key is tried
first, which costs one request, and stored only if the service accepts it.

With --command, a command is stored instead of a key, for a key that a vault
keeps. The command is run when a key is needed, without a shell and once at most;
it may ask on the terminal (not with --no-input) and has 30s. The first line that
it prints is the key, which is not stored. Everything that follows --command belongs
to the command, so give it last.`,
  flags: setFlags,
  examples: {
    'riskcli keys set --base-url https://api.example.com': 'Prompts for the key without showing it',
    'riskcli keys set -e prod --base-url https://api.example.com < key.txt': 'From a file or a pipe',
    'riskcli keys set --check < new-key.txt': 'Rotate: the old key stays if the new one is rejected',
    'riskcli keys set --base-url https://api.example.com --command pass show risk':
      'The key stays in the password store',
  },
  excessHint: 'a key never goes on the command line: type it when asked, or pipe it in: riskcli keys set < key.txt',
  run: setKey,
});

const keysShowCommand = subcommand({
  name: 'show',
  summary: 'Show the key in use, its source and its limit',
  description: `Show which key is used here, masked, where it and the base URL come from, how old
it is, and what earlier runs have learned about it: its limit in requests a second,
how many were left and when, and how many requests this machine has sent with it
in this month (UTC). Nothing is sent.`,
  flags: recordFlags,
  examples: {
    'riskcli keys show': 'Which environment, which key, where it came from, how old it is',
    'riskcli keys show -e prod --json': 'For a script',
  },
  excessHint: ENVIRONMENT_HINT,
  run: showKey,
});

const keysListCommand = subcommand({
  name: 'list',
  summary: 'List the stored keys, masked',
  flags: recordFlags,
  examples: {
    'riskcli keys list': 'Every environment, and which keys are due for rotation',
    "riskcli keys list --json | jq '.[] | select(.rotation_due)'": 'For a script',
  },
  excessHint: 'it lists every environment; riskcli keys show -e NAME shows one',
  run: listKeys,
});

const remove = subcommand({
  name: 'remove',
  summary: 'Remove the stored key of an environment',
  examples: {
    'riskcli keys remove': 'Forget the key; it stays valid until it is revoked',
    'riskcli keys remove -e staging': 'The key of another environment',
  },
  excessHint: ENVIRONMENT_HINT,
  run: removeAndReport,
});

const keysCheckCommand = subcommand({
  name: 'check',
  summary: 'Try the key: costs one request',
  description: `Ask the service for the profile of the zero address to see whether it accepts
the key. This costs one request of the plan's quota. Any answer about the wallet
itself (a profile, or an error saying that it is unknown) shows that the key was
accepted. The exit code is 4 when it was rejected.`,
  flags: { ...recordFlags, ...connectionFlags },
  examples: {
    'riskcli keys check -e prod': 'After a rotation, before the old key is revoked',
    'riskcli keys check --json | jq .remaining': 'For a script',
  },
  excessHint: ENVIRONMENT_HINT,
  run: checkStoredKey,
});

export const keys: CommandBody = {
  subcommands: [keysSetCommand, keysShowCommand, keysListCommand, remove, keysCheckCommand],
  examples: {
    'riskcli keys set --base-url https://api.example.com': 'The first thing to do',
    'riskcli keys show': 'Which key is used here, masked',
  },
};

async function setKey(options: Options<typeof setFlags>, context: Context): Promise<undefined> {
  const settings = await settingsWithAddress(options, context);
  const environment = settings.environment.value;
  const baseUrl = baseUrlText(settings.baseUrl('add --base-url URL').value);
  const timeoutMs = settings.get('timeout').value;
  const command = options.command.length > 0 ? parseKeyCommand(options.command, context) : undefined;
  const mayAsk = options.mayPrompt;
  // Whatever prevents storing a key is found before it is typed.
  requireOwnFolder(context);
  readKeys(context);
  let key = '';
  const readKey = async () => {
    key = await (command ? runKeyCommand(command, context, mayAsk) : receiveKey(context, { mayAsk, timeoutMs }));
    context.report.redact(key);
    return key;
  };
  if (options.check) {
    await tryKey({ settings, context }, readKey);
  } else if (!command) await readKey();
  const source = command ? { command } : { key };
  const path = await storeKey(environment, source, baseUrl, context);
  const what = source.command
    ? `the command ${commandWords(source.command, context)}`
    : `a key of ${counted(key.length, 'character')}`;
  const check = forEnvironment('riskcli keys check', environment);
  const doubt =
    source.key === undefined || hasUsualShape(source.key) ? '' : ', which does not look like one of the service,';
  context.report.hint(`stored ${what}${doubt} for ${environment} (${baseUrl}) in ${madePath(path)}; try ${check}`);
  warnOfHiddenKey({ settings, context });
}

/** The settings; at a terminal the address of the service is asked for if it is not known. */
async function settingsWithAddress(options: Options<typeof setFlags>, context: Context): Promise<Settings> {
  const settings = resolveSettings(options, context);
  const mayAsk = options.mayPrompt && context.stdin().isTTY === true;
  if (!mayAsk || settings.text('base-url')) return settings;
  return resolveSettings({ ...options, 'base-url': await askAddress(context) }, context);
}

type PrintKeyOptions = Options<typeof recordFlags>;

async function showKey(options: PrintKeyOptions, context: Context): Promise<undefined> {
  const settings = resolveSettings(options, context);
  const baseUrl = settings.text('base-url');
  const found = await settings.describeKey();
  if (found.source === undefined) throw found.refusal;
  const age = keyAge(found.stored, context);
  const record = {
    environment: settings.environment.value,
    environment_source: settings.environment.source,
    key: found.value === undefined ? null : maskKey(found.value),
    key_source: found.source,
    key_for: found.stored?.baseUrl ?? null,
    base_url: baseUrl?.value ?? null,
    base_url_source: baseUrl?.source ?? null,
    ...age,
    ...limitsOf({ settings, context }, found),
  };
  await printRecords([record], { options, context, single: true });
  if (age.rotation_due) hintRotation([settings.environment.value], context);
}

/**
 * What earlier runs have learned about the key: its limit, what was left of it until when, and how
 * many requests this machine has sent with it in this UTC month. When a command supplies the key,
 * nothing is known before that command has run.
 */
function limitsOf(run: ResolvedRun, key: KeyDescription) {
  const state = keyStateOf(run, key);
  const learned = state?.lastLimit();
  return {
    limit: learned?.limit ?? null,
    remaining: learned?.remaining ?? null,
    reset_at: isoTime(learned?.resetAt),
    seen_at: isoTime(learned?.learnedAt),
    requests_this_month: state?.sentThisMonth() ?? null,
  } satisfies FlatRecord;
}

async function listKeys(options: PrintKeyOptions, context: Context): Promise<undefined> {
  const stored = [...readKeys(context)].sort(([a], [b]) => (a < b ? -1 : 1));
  const records = stored.map(([environment, entry]) => ({
    environment,
    key: entry.command ? null : maskKey(entry.key),
    base_url: entry.baseUrl,
    ...keyAge(entry, context),
    command: entry.command ? commandWords(entry.command, context) : null,
  }));
  await printRecords(records, { options, context });
  if (records.length === 0) context.report.hint('no key is stored; riskcli keys set stores one');
  const due = records.filter((record) => record.rotation_due).map(({ environment }) => environment);
  if (due.length > 0) hintRotation(due, context);
}

/**
 * The columns that tell a key's age; null when it is not known, such as for a key that a command
 * prints.
 */
function keyAge({ command, storedAt }: Partial<StoredKey> = {}, context: Context) {
  const days = command ? undefined : ageInDays(storedAt, context.now());
  return {
    stored_at: storedAt ?? null,
    age_days: days ?? null,
    rotation_due: days === undefined ? null : days >= ROTATION_DAYS,
  } satisfies FlatRecord;
}

function hintRotation(environments: readonly string[], context: Context): void {
  const whose = environments.join(', ');
  context.report.hint(
    `rotation is due for ${whose} (after ${ROTATION_DAYS} days): create a new key, store it with riskcli keys set, ` +
      'try it with riskcli keys check, then revoke the old one',
  );
}

async function removeAndReport(options: SettingFlags, context: Context): Promise<undefined> {
  const environment = resolveSettings(options, context).environment.value;
  if (!(await removeStoredKey(environment, context))) {
    throw new UsageError(`no key is stored for the environment ${environment}`, {
      hint: `riskcli keys list shows the stored keys; ${ENVIRONMENT_HINT}`,
    });
  }
  context.report.hint(`removed the key of ${environment}; the service accepts it until it is revoked in the dashboard`);
}

async function checkStoredKey(options: PrintKeyOptions, context: Context): Promise<undefined> {
  const settings = resolveSettings(options, context);
  const { baseUrl, rateLimit } = await tryKey({ settings, context });
  const { isSandbox } = settings;
  const key = isSandbox ? undefined : await settings.describeKey();
  const record = {
    environment: isSandbox ? 'sandbox' : settings.environment.value,
    key: key?.value === undefined ? null : maskKey(key.value),
    key_source: key?.source ?? 'sandbox',
    base_url: baseUrlText(baseUrl),
    accepted: true,
    limit: rateLimit.limit ?? null,
    remaining: rateLimit.remaining ?? null,
  };
  await printRecords([record], { options, context, single: true });
}
