/**
 * Everything that the README and the pages of docs/ show is run here: each page in a folder of its
 * own and in its order, by the built program in this process, against a sandbox.
 */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { parseLine } from '../../fixtures/cli/parse.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { createStage, matches, type Step, stepsOf } from './transcript.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
/** What an example may use besides riskcli, and is not there. */
const MISSING = ['curl', 'jq'].filter((tool) => !installed(tool));

/** A file that a page shows in a block of its own. */
const [, policy = ''] = /`policy\.json` is:\n\n```json\n(.*?)```/s.exec(textOf('docs/conditions.md')) ?? [];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: testHost(), plan: 'enterprise' });
});
afterAll(() => sandbox.close());

function preparedStage(page: string) {
  // README says that its examples run in an empty folder, without a key.
  if (page === 'README.md') return createStage();
  const stage = createStage({ RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.key });
  writeFileSync(join(stage.folder, 'key.txt'), `${sandbox.key}\n`);
  writeFileSync(join(stage.folder, 'policy.json'), policy);
  symlinkSync(join(ROOT, 'dist'), join(stage.folder, 'dist'));
  const rows = ['7,0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '8,0x8ba1f109551bD432803012645Ac136ddd64DBA72'];
  writeFileSync(
    join(stage.folder, 'holders.csv'),
    `id,holder\n${rows.join('\n')}\n9,${rows[0]?.slice(2).toLowerCase()}\n`,
  );
  return stage;
}

const stepsOfPages = PAGES.map((page) => [page, stepsOf(textOf(page))] as const);
const isMissing = ({ command }: Step) => MISSING.some((tool) => new RegExp(`\\b${tool}\\b`).test(command));
const [incomplete, complete] = [true, false].map((lacks) =>
  stepsOfPages.filter(([, steps]) => steps.some(isMissing) === lacks),
);
// Later steps go on with what earlier ones have left.
// Pages whose tools are not on this machine are named as skipped, not left out silently.
it.skip.each(incomplete!)('runs the examples of %s with programs that are not installed', () => {});
it.each(complete!)('prints what %s shows', async (page, steps) => {
  const stage = preparedStage(page);
  const outcomes = await stage.run(
    steps.map(({ command }) => command.replaceAll('https://api.example.com', sandbox.baseUrl)),
  );
  stage.remove();
  for (const [i, { line, command, expected }] of steps.entries()) {
    const { output = '', exitCode } = outcomes[i] ?? {};
    expect.soft(exitCode, `${page}:${line}: ${command}`).toBe(0);
    if (!matches(output, expected)) {
      expect.soft(output.trimEnd().split('\n'), `${page}:${line}: ${command}`).toEqual(expected);
    }
  }
});

it.each(PAGES)('accepts each command of %s', async (page) => {
  const blocks = textOf(page).matchAll(/```sh\n(.*?)```/gs);
  const lines = [...blocks].flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'));
  const commands = lines.filter((line) => /(^|[;&|{(] *|npx |\d )riskcli /.test(line));
  for (const command of commands) await parseLine(command.replace(/ +# .*$/, ''));
});

it.each(PAGES)('has no broken links in %s', (page) => {
  const folder = page.startsWith('docs/') ? 'docs' : '';
  for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https:)([^)]*)\)/g)) {
    const [path = '', anchor] = target.split('#');
    const text = textOf(join(folder, path));
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    if (anchor !== undefined) expect(anchors, target).toContain(anchor);
  }
});

it('keeps the skill for agents under 900 tokens', () => {
  const skill = textOf('share/skills/riskcli/SKILL.md');
  // A token of English prose is some four characters, of code and tables fewer: words and marks,
  // each counted, are an upper estimate.
  expect(skill.match(/\w+|[^\w\s]/g)?.length).toBeLessThanOrEqual(900);
  expect(skill.length / 4).toBeLessThanOrEqual(900);
});
