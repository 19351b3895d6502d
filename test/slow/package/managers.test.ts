/**
 * The tarball, installed by each package manager that a stranger may have, and a clone, installed
 * by those of a developer. The managers come from the npm registry, in versions that run on Node
 * 20.19; without the registry these tests are skipped by name.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isClone, packInto, ROOT, sh, tryOut, WALLET } from '../../fixtures/package/package.ts';
import { bounded, skipOrThrow } from '../../fixtures/package/registry.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const MANAGERS = ['pnpm@10.34.8', '@yarnpkg/cli-dist@4.18.1', 'bun@1.4.5'];
let folder: string;
let home: string;
/** Of the managers, whose own files go into a home of this test. */
let env: Record<string, string>;
/** Undefined when the managers are installed. */
let failure: unknown;

beforeAll(() => {
  folder = temporaryFolder();
  home = temporaryFolder();
  const quiet = { YARN_ENABLE_TELEMETRY: '0', npm_config_update_notifier: 'false', npm_config_userconfig: '/dev/null' };
  env = { ...quiet, HOME: home, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` };
  const install = `npm install --no-audit --no-fund --prefer-offline --prefix '${folder}' ${MANAGERS.join(' ')}`;
  try {
    sh(bounded(install), folder);
  } catch (cause) {
    failure = cause;
  }
}, 600_000);

describe('the package', () => {
  let tarball: string;
  beforeAll(() => {
    tarball = packInto(temporaryFolder());
  }, 600_000);

  /** A project with no other package in it; `$TARBALL` is the path of what is to be installed. */
  function project(line: string): string {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'package.json'), '{}');
    sh(line, cwd, { ...env, TARBALL: tarball });
    return cwd;
  }

  it('works when pnpm has installed it', async (context) => {
    if (failure) skipOrThrow(failure, context);
    const cwd = project('pnpm add --offline "$TARBALL"');
    await tryOut({ before: 'riskcli() { pnpm exec riskcli "$@"; }', cwd, home, env });
  });

  it('works when Yarn has installed it', async (context) => {
    if (failure) skipOrThrow(failure, context);
    const cwd = project('export YARN_NODE_LINKER=node-modules; touch yarn.lock && yarn add "riskcli@file:$TARBALL"');
    await tryOut({ before: 'export YARN_NODE_LINKER=node-modules; riskcli() { yarn riskcli "$@"; }', cwd, home, env });
  });

  it('works when Bun has installed it', async (context) => {
    if (failure) skipOrThrow(failure, context);
    const cwd = project('bun add "$TARBALL"');
    await tryOut({ before: 'riskcli() { bunx riskcli "$@"; }', cwd, home, env });
  });

  // npx takes seconds for each line: what it starts is tried out as the others have installed it.
  it('works when npx runs it and nothing is installed', () => {
    const npx = (args: string) => sh(`npx --yes --offline --package '${tarball}' riskcli ${args}`, home, env);
    expect(npx(`profile --sandbox -q --json ${WALLET}`)).toContain(WALLET);
  });
});

describe.skipIf(!isClone)('a clone', () => {
  it.for([
    ['pnpm', 'pnpm install'],
    ['Bun', 'bun install'],
    // Node cannot require modules in Yarn's packed files.
    ['Yarn, which leaves building to its user', 'export YARN_NODE_LINKER=node-modules; yarn install && yarn build'],
  ])('works when it was installed by %s', async ([, install], context) => {
    if (failure) skipOrThrow(failure, context);
    const clone = join(temporaryFolder(), 'a clone');
    sh(`git clone -q '${ROOT}' '${clone}'`, folder);
    try {
      sh(`timeout 300 bash -c '${install}'`, clone, env);
    } catch (cause) {
      skipOrThrow(cause, context);
    }
    expect(sh(`node bin/riskcli.js profile --sandbox -q --json ${WALLET}`, clone, env)).toContain(WALLET);
  });
});
