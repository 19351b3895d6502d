/** The environments of this machine, for completion. Loaded only when they are offered, since it reads settings. */
import { createReporter } from '../../cli/messages.ts';
import { processHost } from '../../host/process-host.ts';
import { environmentNames } from '../../settings/environments.ts';
import { VERSION } from '../../version.ts';

/** @throws IoError */
export function knownEnvironments(): readonly string[] {
  const host = processHost();
  const flags = { json: false, quiet: true, verbose: false, headers: false, debug: false };
  const report = createReporter({ stderr: host.stderr, version: VERSION, ...flags });
  return environmentNames({ ...host, report });
}
