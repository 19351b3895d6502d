/** `riskcli doctor`: what is wrong with this machine's set-up, each finding with its remedy. */

import { chooseFormat } from '../../cli/choose-format.ts';
import { command, type Options } from '../../cli/command.ts';
import { onOff } from '../../cli/flag.ts';
import { RECORD_FORMATS } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { ExitCode, FindingError } from '../../errors.ts';
import { writeAll } from '../../files/stream.ts';
import { drawingOn } from '../../output/terminal/lines.ts';
import { withholdApiKeys } from '../../secrets/api-key.ts';
import { type ResolvedRun, resolveSettings } from '../../settings/resolve.ts';
import { counted } from '../../text/words.ts';
import { VERSION } from '../../version.ts';
import { baseUrlFlag, keyFlags, timeoutFlag } from '../shared/flags.ts';
import { printRecords, recordFlags } from '../shared/print-records.ts';
import { terminalOf } from '../shared/terminal.ts';
import { type Check, type Finding, findingLines, ok, withoutRepeats, worst } from './finding.ts';
import { checkConfigFolder, checkStateFolder } from './folders.ts';
import { checkCertificates, checkProxy } from './network.ts';
import { checkKey, checkSettings, checkVariables } from './settings.ts';

const flags = {
  online: onOff({ help: 'also check the service and the key: costs one request' }),
  ...recordFlags,
  baseUrl: baseUrlFlag,
  timeout: timeoutFlag,
  ...keyFlags,
};

export const doctor = command({
  description: `Check the set-up of this machine: Node, where each setting comes from and what
contradicts it, the key, the folders and who can write them, the proxy and the CA
certificates. Nothing is sent.

With --online, and if no setting is wrong, it also looks up the service's name,
shows its certificate, asks for its health and compares the clocks; then it tries
the key, which costs one request. Keys are shown masked.

Each finding is ok, warn or fail, with its remedy. The exit code is 0, or that
of the worst failure.`,
  flags,
  examples: [
    { line: 'riskcli doctor', does: 'What is wrong here; sends nothing' },
    { line: 'riskcli doctor --online -e prod', does: 'The way to the service as well; costs one request' },
    { line: `riskcli doctor --json | jq '.[] | select(.status != "ok")'`, does: 'For a script' },
  ],
  excessHint: 'choose the environment with -e NAME',
  run: examine,
});

// Files are looked at before they are read: reading makes a key file private that others could read.
const CHECKS: readonly Check[] = [
  checkProgram,
  checkConfigFolder,
  checkStateFolder,
  checkVariables,
  checkSettings,
  checkKey,
  checkProxy,
  checkCertificates,
];

async function examine(options: Options<typeof flags>, context: Context): Promise<undefined> {
  const run = { settings: resolveSettings(options, context), context };
  const found: Finding[] = [];
  for (const check of CHECKS) found.push(...(await check(run)));
  // Nothing is sent when a setting is wrong.
  const areSettingsValid = !found.some(({ exitCode }) => exitCode === ExitCode.usage);
  if (options.online && areSettingsValid) {
    const { checkService } = await import('./online.ts');
    found.push(...(await checkService(run)));
  }
  const findings = withoutRepeats(found);
  await print(findings, options, run);
  const exitCode = worst(findings);
  if (exitCode !== ExitCode.ok) throw verdict(findings, exitCode);
  const warnings = findings.filter(({ status }) => status === 'warn').length;
  context.report.hint(warnings > 0 ? `no check failed; ${counted(warnings, 'warning')}` : 'all is well');
}

async function print(
  findings: readonly Finding[],
  options: Options<typeof flags>,
  { settings, context }: ResolvedRun,
): Promise<void> {
  // Somebody may have put the key where a path or a number belongs.
  const key = await settings.describeKey({ waits: false }).catch(() => undefined);
  const safe = findings.map((found) => ({ ...found, finding: withholdApiKeys(found.finding, [key?.value]) }));
  const format = chooseFormat(options, { choices: RECORD_FORMATS });
  const terminal = format === 'table' ? terminalOf({ color: options.color }, context) : undefined;
  if (terminal) return writeAll(context.stdout, findingLines(safe, { ...(await drawingOn(terminal)), ...options }));
  const records = safe.map(({ check, status, finding, remedy = null }) => ({ check, status, finding, remedy }));
  await printRecords(records, { options, context, format });
}

function verdict(findings: readonly Finding[], exitCode: ExitCode): FindingError {
  const failures = findings.filter(({ status }) => status === 'fail');
  const names = [...new Set(failures.map(({ check }) => check))].join(', ');
  const count = `${counted(failures.length, 'check')} failed`;
  return new FindingError(`${count} (${names})`, {
    exitCode,
    code: 'doctor',
    hint: 'each finding names its remedy',
  });
}

/** As package.json has it (engines). */
const MIN_NODE_VERSION = [20, 19] as const;

function checkProgram({ context: { nodeVersion, platform } }: ResolvedRun): readonly Finding[] {
  return [ok('riskcli', VERSION), checkNode(nodeVersion, platform)];
}

function checkNode(version: string, platform: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor < MIN_NODE_VERSION[1]);
  if (!isOld) return ok('node', `${version} on ${platform}`);
  return {
    check: 'node',
    status: 'fail',
    finding: `Node ${version} is too old`,
    remedy: `install Node ${MIN_NODE_VERSION.join('.')} or newer`,
    exitCode: ExitCode.fault,
  };
}
