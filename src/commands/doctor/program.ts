/** The program itself and the node that runs it. */
import { ExitCode } from '../../errors.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { VERSION } from '../../version.ts';
import { type Finding, ok } from './finding.ts';

/** As package.json has it (engines). */
const MIN_NODE_VERSION = [20, 19] as const;

export function checkProgram({ context: { nodeVersion, platform } }: ResolvedRun): readonly Finding[] {
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
