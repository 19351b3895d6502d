/**
 * The check for Icinga, made by Icinga: its daemon runs in a folder of the test's own and asks a
 * sandbox.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BINARY, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { startService } from '../../fixtures/service/sandbox.ts';

const CHECK = readFileSync(fileURLToPath(new URL('../../../share/icinga/riskcli.conf', import.meta.url)), 'utf8');

describe.skipIf(!installed('icinga2'))('the check for Icinga (icinga2)', () => {
  it('is a configuration that icinga2 accepts', async () => {
    const { accepts } = icinga(CHECK, { base_url: 'https://api.example.com' });
    expect(await accepts()).toMatchObject({ exitCode: 0 });
  });

  it('needs the address of the service', async () => {
    expect(await icinga(local(CHECK), {}).firstResult()).toMatch(/^UNKNOWN .*base-url/);
  });

  it('finds a service that is up, and one that is slower than asked for', async () => {
    const { baseUrl } = await startService();
    // A busy machine must not make the service look slow.
    const patient = { base_url: baseUrl, warning: '20s', critical: '25s', timeout: '25s' };
    const well = await icinga(local(CHECK), patient).firstResult();
    expect(well).toMatch(/^OK RISKCLI OK - \d+ ms ?\|time=\S+;20;25;0$/);
    const slow = await icinga(local(CHECK), { ...patient, warning: '0.001ms' }).firstResult();
    expect(slow).toMatch(/^WARNING RISKCLI WARNING - \d+ ms, slower than/);
  });
});

/** The built binary in place of the installed one. */
const local = (check: string) =>
  check.replace('"/usr/bin/riskcli"', [process.execPath, BINARY].map((word) => `"${word}"`).join(', '));

/** Icinga with `check`, and a service that sets these of its variables. */
function icinga(check: string, vars: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  for (const name of ['data', 'cache', 'log', 'run', 'spool']) mkdirSync(path(name));
  writeFileSync(path('riskcli.conf'), check);
  writeFileSync(
    path('icinga2.conf'),
    `include <itl>
include "${path('riskcli.conf')}"
library "checker"
library "perfdata"
object CheckerComponent "checker" { }
object PerfdataWriter "perfdata" {
  service_perfdata_path = "${path('result')}"
  service_temp_path = "${path('unfinished')}"
  host_perfdata_path = "${path('host')}"
  host_temp_path = "${path('host-unfinished')}"
  service_format_template = "$service.state$ $service.output$|$service.perfdata$"
  rotation_interval = 1s
}
object Host "machine" { check_command = "dummy" }
object Service "wallet-risk" {
  host_name = "machine"
  check_command = "riskcli_health"
  check_interval = 1s
  retry_interval = 1s
  ${Object.entries(vars)
    .map(([name, value]) => `vars.riskcli_${name} = "${value}"`)
    .join('\n  ')}
}
`,
  );
  const { username } = userInfo();
  const places = { DataDir: 'data', CacheDir: 'cache', LogDir: 'log', InitRunDir: 'run', SpoolDir: 'spool' };
  const constants = [
    ...Object.entries(places).map(([name, place]) => `-D ${name}='${path(place)}'`),
    `-D RunAsUser=${username} -D RunAsGroup="$(id -gn)"`,
  ].join(' ');
  const line = `exec icinga2 daemon -c '${path('icinga2.conf')}' ${constants}`;
  /** What the daemon has made of checks so far, a line each. */
  const results = () =>
    readdirSync(folder)
      .filter((name) => /^result\.\d+$/.test(name))
      .sort()
      .flatMap((name) => readFileSync(path(name), 'utf8').split('\n'))
      .filter((result) => result !== '');
  return {
    accepts: () => start(`${line} -C 2>&1`).done,
    async firstResult() {
      const { child, done, collected } = start(`${line} 2>&1`);
      try {
        await expect.poll(() => results().length, { timeout: 120_000, message: collected.stdout }).toBeGreaterThan(0);
        return results()[0];
      } finally {
        child.kill();
        await done;
      }
    },
  };
}
