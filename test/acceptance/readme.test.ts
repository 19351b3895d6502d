/** Everything that the README shows is run here, in its order, against a sandbox. */

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXITS } from '../../src/cli/exits.ts';
import { VARIABLES } from '../../src/cli/variables.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { installed } from '../helpers/installed.ts';
import { testHost } from '../helpers/run.ts';
import { createStage, matches, stepsOf } from '../helpers/transcript.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** What an example may use besides riskcli, and is not there. */
const MISSING = ['curl', 'jq', 'mlr', 'promtool'].filter((tool) => !installed(tool));

/** Files that the README shows in blocks of their own; the first line of the rules is a comment with their name. */
const [, rulesName = '', rules = ''] = /```yaml\n# (\S+)\n(.*?)```/s.exec(readme) ?? [];
const [, policy = ''] = /`policy\.json` is\n\n```json\n(.*?)```/s.exec(readme) ?? [];

let sandbox: Sandbox;
let stage: ReturnType<typeof createStage>;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: testHost(), plan: 'enterprise' });
  stage = createStage({ RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.keys.working });
  writeFileSync(join(stage.folder, 'key.txt'), `${sandbox.keys.working}\n`);
  writeFileSync(join(stage.folder, rulesName), rules);
  writeFileSync(join(stage.folder, 'policy.json'), policy);
  symlinkSync(join(ROOT, 'dist'), join(stage.folder, 'dist'));
  const rows = ['7,0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '8,0x8ba1f109551bD432803012645Ac136ddd64DBA72'];
  writeFileSync(
    join(stage.folder, 'holders.csv'),
    `id,holder\n${rows.join('\n')}\n9,${rows[0]?.slice(2).toLowerCase()}\n`,
  );
});
afterAll(async () => {
  stage.remove();
  await sandbox.close();
});

describe('the README', () => {
  it.for(stepsOf(readme))('line $line: $command', async ({ command, expected }, { skip }) => {
    const missing = MISSING.find((tool) => new RegExp(`\\b${tool}\\b`).test(command));
    if (missing) skip(`${missing} is not installed`);
    const { stdout, exitCode } = await stage.run(command.replaceAll('https://api.example.com', sandbox.baseUrl));
    expect(exitCode).toBe(0);
    if (!matches(stdout, expected)) expect(stdout.trimEnd().split('\n')).toEqual(expected);
  });

  it.skipIf(!installed('promtool'))('alerts when a list is old, was never gone through, or is gone', async () => {
    const complete = 'riskcli_list_last_complete_timestamp_seconds{list="nightly"}';
    const alert = (eval_time: string, labels?: Record<string, string>) => ({
      eval_time,
      alertname: 'WalletListIsOld',
      exp_alerts: labels ? [{ exp_labels: labels, exp_annotations: { summary: summaryFor(labels.list ?? '') } }] : [],
    });
    const summaryFor = (list: string) => `The list ${list} has not been scored for 26 hours.`;
    const old = { list: 'nightly' };
    const tests = [
      // The clock of these tests begins at 0, as does a list that has never been gone through.
      { series: complete, values: '0x50', alerts: [alert('25h'), alert('27h', old)] },
      // Is complete after 24 hours, as it should, and not after 48.
      { series: complete, values: '0x24 86400x40', alerts: [alert('25h'), alert('49h'), alert('51h', old)] },
      { series: 'up', values: '1x50', alerts: [alert('1h', {})] },
    ].map(({ series, values, alerts }) => ({
      interval: '1h',
      input_series: [{ series, values }],
      alert_rule_test: alerts,
    }));
    writeFileSync(join(stage.folder, 'alerts.test.json'), JSON.stringify({ rule_files: [rulesName], tests }));
    const checked = await stage.run('promtool test rules alerts.test.json');
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('SUCCESS') });
  });

  it('opens with the two lines that a newcomer types', () => {
    const [first, second] = [...readme.matchAll(/```sh\n(.*)\n```/g)].map((match) => match[1]);
    expect(first).toBe('npm ci && npx riskcli profile --sandbox 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045');
    expect(second).toBe('npm cit');
  });

  it('lists the exit codes and variables that the help lists', () => {
    for (const { name } of VARIABLES) expect(readme).toContain(`\`${name}\``);
    for (const { code } of EXITS) expect(readme).toContain(`| ${code} |`);
  });
});
