/** Everything that the README shows is run here, in its order, by the built program in this process, against a sandbox. */

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXITS } from '../../../src/cli/exits.ts';
import { VARIABLES } from '../../../src/cli/variables.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { createStage, matches, stepsOf } from './transcript.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** What an example may use besides riskcli, and is not there. */
const MISSING = ['curl', 'jq', 'mlr'].filter((tool) => !installed(tool));

/** A file that the README shows in a block of its own. */
const [, policy = ''] = /`policy\.json` is\n\n```json\n(.*?)```/s.exec(readme) ?? [];

let sandbox: Sandbox;
let stage: Awaited<ReturnType<typeof createStage>>;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: testHost(), plan: 'enterprise' });
  stage = await createStage({ RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.keys.working });
  writeFileSync(join(stage.folder, 'key.txt'), `${sandbox.keys.working}\n`);
  writeFileSync(join(stage.folder, 'policy.json'), policy);
  symlinkSync(join(ROOT, 'dist'), join(stage.folder, 'dist'));
  const rows = ['7,0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '8,0x8ba1f109551bD432803012645Ac136ddd64DBA72'];
  writeFileSync(
    join(stage.folder, 'holders.csv'),
    `id,holder\n${rows.join('\n')}\n9,${rows[0]?.slice(2).toLowerCase()}\n`,
  );
});
afterAll(async () => {
  await stage.remove();
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
