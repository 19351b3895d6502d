/**
 * The workflows hold what could publish something: rules that no linter knows. actionlint reads
 * them in test/slow.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../../.github/workflows', import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const texts = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
const read = (name: string) => parse(texts.get(name) ?? '') as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const linesOf = (workflow: Workflow) => stepsOf(workflow).flatMap(({ run = [] }) => run);

describe.each([...texts.keys()])('the workflow %s', (name) => {
  const workflow = read(name);

  it('pins third-party actions to a commit, and names the version', () => {
    const used = stepsOf(workflow).flatMap(({ uses = [] }) => uses);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      expect(texts.get(name)).toMatch(new RegExp(`uses: ${action} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  it('has read-only permissions unless a job overrides them', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
    for (const { uses, with: options } of stepsOf(workflow)) {
      if (uses?.startsWith('actions/checkout@')) expect(options).toMatchObject({ 'persist-credentials': false });
    }
  });

  it('never runs foreign text as a command, and has a time limit', () => {
    expect(workflow.on).not.toHaveProperty('pull_request_target');
    expect(linesOf(workflow).filter((line) => line.includes('${{'))).toEqual([]);
    const jobs = Object.values(workflow.jobs).filter(({ uses }) => uses === undefined);
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
  });
});

describe('continuous integration', () => {
  it('runs .ci/run, and on other systems what is run there by node alone', () => {
    expect(linesOf(read('ci.yml'))).toEqual([
      'sudo env "PATH=$PATH" .ci/run',
      'npm ci',
      'node --test-reporter=spec test/smoke.mjs',
    ]);
  });
});

describe('a release', () => {
  const { on, jobs } = read('release.yml');

  it('is made from a tag named after the version, after all checks and an approval', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(jobs.check).toMatchObject({ uses: './.github/workflows/ci.yml', permissions: { contents: 'read' } });
    expect(jobs.publish).toMatchObject({ needs: 'check', environment: 'release' });
    expect(linesOf(read('release.yml'))[0]).toMatch(/^test "\$GITHUB_REF_NAME" = "v\$\(node -p .*version.*\)"$/);
  });

  it('publishes the packed file with provenance, and signs the bill of materials, without stored tokens', () => {
    const { steps = [], permissions } = jobs.publish ?? {};
    expect(permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
    const publish = steps.findIndex(({ run }) => run?.startsWith('npm publish'));
    expect(steps[publish]?.run).toBe('npm publish --provenance --access public ./riskcli-*.tgz');
    const before = steps.slice(0, publish);
    const packs = 'npm pack && node .config/bill-of-materials.mjs riskcli-*.tgz > riskcli.cdx.json';
    expect(before.map(({ run }) => run)).toContain(packs);
    expect(before.map((step) => step.with?.['sbom-path'])).toContain('riskcli.cdx.json');
    expect(texts.get('release.yml')).not.toContain('secrets.');
  });
});
