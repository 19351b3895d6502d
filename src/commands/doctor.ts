/** `riskcli doctor`: what is wrong with this machine's set-up, a line each with its remedy. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command, type Options } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { ExitCode, FindingError, gravest, IoError, RiskcliError, SignalError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { octal } from '../files/file-trust.ts';
import { writeAll } from '../files/stream.ts';
import { chooseFormat } from '../output/choose-format.ts';
import { RECORD_FORMATS } from '../row/formats.ts';
import { maskKey, redactApiKeys } from '../secrets/api-key.ts';
import { commandLine, visibleName } from '../secrets/redact.ts';
import { overridingVariable } from '../session/hidden-key.ts';
import { openSession } from '../session/open-session.ts';
import { readConfig, readKeys, readSettingsFile } from '../settings/files.ts';
import { configFolder, refuseForeignFolder, requireStateFolder, stateVariable } from '../settings/folders.ts';
import { ageInDays, KEY_FILE, ROTATION_DAYS } from '../settings/key/key.ts';
import { type ResolvedRun, resolveSettings } from '../settings/resolve.ts';
import { keysSet } from '../settings/sources.ts';
import { SETTING_NAMES, type SettingName, VARIABLES } from '../settings/table.ts';
import { visible } from '../text/escape.ts';
import { didYouMean, nearestName } from '../text/nearest.ts';
import { counted } from '../text/words.ts';
import { recordFlags, requestFlags } from './flags.ts';
import { printRecords } from './print-records.ts';

const doctorFlags = { ...recordFlags, ...requestFlags };

export const doctor = command({
  description: `Check the set-up of this machine: folders, each setting and where it comes from,
the key, then the service's health and clock. It costs no request with the key.
Each finding is ok, warn or fail, with its remedy; the worst one decides the exit
code.`,
  flags: doctorFlags,
  examples: {
    'riskcli doctor -e prod': 'Check another environment',
    'riskcli doctor --json | jq \'.[] | select(.status != "ok")\'': 'Only what is wrong',
  },
  run: examineSetup,
});

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  readonly remedy: string | null;
  /** The exit code of a command that needs it. */
  readonly exitCode?: ExitCode;
}
type Finds = readonly Finding[];
const ok = (check: string, finding: string): Finding => ({ check, status: 'ok', finding, remedy: null });
const warn = (check: string, finding: string, remedy: string): Finding => ({ check, status: 'warn', finding, remedy });

async function examineSetup(options: Options<typeof doctorFlags>, context: Context): Promise<undefined> {
  const run = { settings: resolveSettings(options, context), context };
  const found = [
    ...(await attemptCheck('config-folder', () => checkConfigFolder(run))),
    ...(await attemptCheck('config-folder', () => checkHostNames(run))),
    ...(await attemptCheck('state-folder', () => checkStateFolder(run))),
    ok('environment', `${run.settings.environment.value}, from ${run.settings.environment.source}`),
  ];
  for (const name of SETTING_NAMES) found.push(...(await attemptCheck(name, () => checkSetting(name, run))));
  found.push(...(await attemptCheck('key', () => checkKeyAccess(run))));
  // Nothing is sent when a setting is wrong.
  const isRight = !found.some(({ exitCode }) => exitCode === ExitCode.usage);
  if (isRight) found.push(...(await attemptCheck('service', () => checkService(run))));
  // A file that cannot be read fails the check of every setting in it.
  const findings = found.filter(({ finding }, i) => found.findIndex((one) => one.finding === finding) === i);
  await print(findings, options, context);
  const failures = findings.filter(({ status }) => status === 'fail');
  const exitCode = gravest(failures.map((failure) => failure.exitCode ?? ExitCode.fault));
  if (exitCode === ExitCode.ok) return;
  const message = `${counted(failures.length, 'check')} failed: ${failures.map(({ check }) => check).join(', ')}`;
  throw new FindingError(message, { exitCode, code: 'doctor', hint: 'do what the remedy of each says' });
}

/**
 * What `look` finds, or why it cannot. @throws internal errors, and signals, which say nothing
 * about the set-up
 */
async function attemptCheck(check: string, look: () => Finds | Promise<Finds>): Promise<Finds> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof RiskcliError) || error instanceof SignalError) throw error;
    return [{ check, status: 'fail', finding: error.message, remedy: error.hint ?? null, exitCode: error.exitCode }];
  }
}

function checkConfigFolder({ context }: ResolvedRun): Finds {
  const folder = configFolder(context);
  if (folder === undefined)
    return [warn('config-folder', 'there is no home folder to store settings in', 'set HOME or RISKCLI_CONFIG_DIR')];
  refuseForeignFolder(folder, context);
  readConfig(context);
  // Reading makes it private.
  const shared = sharing(join(folder, 'keys.json'), context, 0o077);
  readKeys(context);
  const found = ok('config-folder', describeFolder(folder));
  if (!shared) return [found];
  const remedy = 'if others use this machine, replace the keys in it';
  return [found, warn('keys.json', `${shownPath(join(folder, 'keys.json'))} was ${shared}`, remedy)];
}

/**
 * `readable by others (mode 0644)`; undefined for a file that has none of the bits `wrong`, or is
 * not there.
 */
function sharing(path: string, { platform }: Context, wrong: number): string | undefined {
  const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (platform === 'win32' || (mode & wrong) === 0) return undefined;
  return `readable by others (mode ${octal(mode)})`;
}

const CONFIG_MEMBERS: readonly string[] = ['version', 'environments'];

/** Names that nothing reads, in any environment of config.json and among the variables. */
function checkHostNames({ context }: ResolvedRun): Finds {
  const members = Object.keys(readSettingsFile(context, 'config.json').document).filter(
    (name) => !name.startsWith('$'),
  );
  const variables = Object.keys(context.env).filter((name) => name.startsWith('RISKCLI_'));
  const strange = (names: readonly string[], known: readonly string[]) => names.filter((name) => !known.includes(name));
  return [
    ...strange(members, CONFIG_MEMBERS).map((name) =>
      warn(
        'config.json',
        `${visibleName(name)} is no member that riskcli reads`,
        correction(name, CONFIG_MEMBERS, 'remove it'),
      ),
    ),
    ...[...readConfig(context)].flatMap(([environment, settings]) =>
      strange(Object.keys(settings), SETTING_NAMES).map((name) => checkStoredName(name, environment, context)),
    ),
    ...strange(variables, VARIABLES).map((name) =>
      warn('variables', `riskcli has no variable ${visibleName(name)}`, correction(name, VARIABLES, 'unset it')),
    ),
  ];
}

function checkStoredName(name: string, environment: string, { platform }: Context): Finding {
  const words = ['riskcli', 'config', 'unset', name, ...(environment === 'default' ? [] : ['-e', environment])];
  const remedy = correction(name, SETTING_NAMES, `${commandLine(words, platform)} removes it`);
  return warn('config.json', `${visibleName(name)} of ${visibleName(environment)} is no setting`, remedy);
}

function correction(name: string, known: readonly string[], removal: string): string {
  const nearest = nearestName(name, known, ({ length }) => length / 2);
  return nearest === undefined ? removal : `${didYouMean([nearest])} Otherwise ${removal}`;
}

/** Without a state folder only requests that monthly-requests limits are not sent. */
function checkStateFolder({ settings, context }: ResolvedRun): Finds {
  try {
    const folder = requireStateFolder(context);
    if (canBeMade(folder)) return [ok('state-folder', describeFolder(folder))];
    throw new IoError(`${shownPath(folder)} cannot be created`, {
      hint: `set ${stateVariable(context)} to a folder of your own`,
    });
  } catch (error) {
    if (!(error instanceof IoError) || settings.text('monthly-requests')) throw error;
    const finding = `${error.message}: what is learned of the key is forgotten after each run`;
    return [warn('state-folder', finding, error.hint ?? '')];
  }
}

/** Whether it exists, or could be created below an existing folder. */
function canBeMade(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? found.isDirectory() : dirname(path) !== path && canBeMade(dirname(path));
  } catch {
    return false;
  }
}

function describeFolder(folder: string): string {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode;
  return `${shownPath(folder)}, ${mode === undefined ? 'which is not there yet' : `mode ${octal(mode)}`}`;
}

function checkSetting(name: SettingName, { settings }: ResolvedRun): Finds {
  const { value: environment } = settings.environment;
  if (name === 'base-url') settings.baseUrl(`store one with ${keysSet(environment, 'URL')}`);
  const found = settings.text(name);
  return found ? [ok(name, `${found.value}, from ${found.source}`)] : [];
}

async function checkKeyAccess({ settings, context }: ResolvedRun): Promise<Finds> {
  const { value, source, stored, refusal } = await settings.describeKey();
  if (refusal) throw refusal;
  const found = ok('key', `${value === undefined ? 'printed by a command' : maskKey(value)}, from ${source}`);
  const hiding = overridingVariable({ settings, context });
  if (hiding) return [found, warn('key', `${hiding} hides the stored key`, `unset ${hiding} to use it`)];
  const shared = checkKeyFile(context);
  if (shared && source === KEY_FILE) return [found, shared];
  const days = stored?.key === undefined ? 0 : (ageInDays(stored.storedAt, context.now()) ?? 0);
  if (days < ROTATION_DAYS) return [found];
  const remedy = 'create a new key, store it with riskcli keys set --check, then revoke the old one';
  return [found, warn('key', `stored ${days} days ago: rotation is due after ${ROTATION_DAYS}`, remedy)];
}

/**
 * A group may read it: Kubernetes mounts secrets so. The path is not shown: somebody may have put
 * the key itself there.
 */
function checkKeyFile(context: Context): Finding | undefined {
  const path = context.env[KEY_FILE]?.trim();
  const shared = path ? sharing(path, context, 0o004) : undefined;
  const remedy = 'run chmod 600 on it; if others use this machine, replace the key';
  return shared === undefined ? undefined : warn('key', `the file that ${KEY_FILE} names is ${shared}`, remedy);
}

async function checkService({ settings, context }: ResolvedRun): Promise<Finds> {
  const { client, close } = await openSession({ settings, context }, { sendsKey: false });
  const limits = { signal: context.signal(), timeoutMs: settings.get('timeout').value };
  try {
    const { latencyMs, clockOffsetMs = 0 } = await client.health(limits);
    const apart = `the clocks are ${Math.round(Math.abs(clockOffsetMs) / 1_000)} s apart`;
    // A slow network makes a smaller difference.
    const isWrong = Math.abs(clockOffsetMs) > 30_000;
    const clock = isWrong ? warn('clock', apart, 'let the system set its clock (NTP)') : ok('clock', apart);
    return [ok('service', `healthy, in ${Math.round(latencyMs)} ms`), clock];
  } finally {
    await close();
  }
}

async function print(
  findings: readonly Finding[],
  options: Options<typeof doctorFlags>,
  context: Context,
): Promise<void> {
  const records = findings.map(({ check, status, finding, remedy }) => {
    // Somebody may have put the key where a path or a number belongs.
    return { check, status, finding: redactApiKeys(finding, [context.env.RISKCLI_API_KEY]), remedy };
  });
  const isTable = chooseFormat(options, { choices: RECORD_FORMATS }) === 'table';
  if (!isTable || !context.stdout.isTTY) return printRecords(records, { options, context });
  const width = Math.max(...records.map(({ check }) => check.length));
  for (const { status, check, finding, remedy } of records) {
    const advice = remedy === null ? '' : `${' '.repeat(width + 8)}-> ${visible(remedy)}\n`;
    await writeAll(context.stdout, `${status.padEnd(4)}  ${check.padEnd(width)}  ${visible(finding)}\n${advice}`);
  }
}
