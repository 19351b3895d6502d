/** Rules for the workflows that keep others from publishing in our name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../../.github/workflows', import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly Step[] }>>;
}

it.each(readdirSync(FOLDER))(
  'keeps %s read-only, with actions pinned to a commit, and runs no foreign text',
  (name) => {
    const workflow: Workflow = parse(readFileSync(join(FOLDER, name), 'utf8'));
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps ?? []);
    for (const { uses = '' } of steps) if (uses) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
    expect(workflow.on).not.toHaveProperty('pull_request_target');
    // GitHub puts what stands in ${{ }} into the script as it is.
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  },
);
