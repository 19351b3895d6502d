/**
 * What the pages give to cron and systemd, run as cron runs it: no terminal, a short PATH, a mail
 * of all that is printed.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { startService } from '../../fixtures/service/sandbox.ts';
import { CLOSED_PORT } from '../../fixtures/service/server.ts';

const textOf = (page: string) => readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), 'utf8');
const blocksOf = (page: string) => [...textOf(page).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

/** A place with riskcli where npm may have put it, and with `curl` as the shell lines say. */
function machine(curl = 'exit 0') {
  const place = workplace();
  for (const folder of ['bin', 'srv', 'var']) mkdirSync(place.path(folder));
  const write = (name: string, lines: string) => {
    place.write(name, lines);
    return place.sh(`chmod 755 ${name}`);
  };
  const ready = Promise.all([
    write('bin/riskcli', `#!/bin/sh\nexec ${RISKCLI_WORDS} "$@"\n`),
    write('bin/curl', `#!/bin/sh\necho "$*" >> ${place.path('calls')}\n${curl}\n`),
  ]);
  const here = (text: string) =>
    text
      .replaceAll('/srv', place.path('srv'))
      .replaceAll('/var/lib/node_exporter', place.path('var'))
      .replaceAll('/usr/local/bin', place.path('bin'));
  return { ...place, ready, here };
}

describe.each(['README.md', 'docs/monitoring.md'])('the crontab of %s', (page) => {
  const crontab = blocksOf(page).find((block) => /^\* \* \* \* \* /m.test(block)) ?? '';

  it('runs the crontab of a page without a mail in an outage, which its Prometheus file shows', async () => {
    const { ready, here, sh, read } = machine();
    await ready;
    const variables = Object.fromEntries(
      [...here(crontab).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const [, job = ''] = /^\* \* \* \* \* +(.*)$/m.exec(here(crontab)) ?? [];
    const env = { ...variables, RISKCLI_BASE_URL: `http://127.0.0.1:${CLOSED_PORT}` };
    expect(await sh(job, env)).toMatchObject({ stdout: '', stderr: '', exitCode: 5 });
    expect(read('var/riskcli.prom')).toMatch(/^riskcli_up\{.*\} 0$/m);
  });
});

const script = blocksOf('docs/recipes.md').find((block) => block.includes('hc-ping')) ?? '';
const policy = JSON.stringify({ rules: [{ name: 'all', if: 'score > 0' }] });

it.each([
  ['with success when rows match', 'exit 0', true, 10, 0],
  ['with the exit code in an outage', 'exit 0', false, 5, 5],
  ['and keeps its exit code when the call fails', 'exit 7', true, 10, 0],
])('calls the watchdog of the recipe %s', async (_, curl, isUp, exitCode, code) => {
  const service = await startService();
  const { ready, here, sh, write, read, path } = machine(curl);
  await ready;
  write('srv/list.csv', `${address(1)}\n`);
  write('srv/policy.json', policy);
  const url: Record<string, string> = isUp
    ? {}
    : { RISKCLI_BASE_URL: `http://127.0.0.1:${CLOSED_PORT}`, RISKCLI_TIMEOUT: '1s' };
  const ended = await sh(here(script), { ...service.env, ...url, PATH: `${path('bin')}:/usr/bin:/bin` });
  expect([ended.exitCode, existsSync(path('calls'))]).toEqual([exitCode, true]);
  expect(read('calls')).toMatch(new RegExp(` https://hc-ping\\.com/UUID/${code}\n$`));
});
