import { chmodSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { configFolder } from '../fixtures/place/config-folder.ts';

const QUIET = { stdout: '', stderr: '', exitCode: 0 };

it('stores a setting for one environment without output', async () => {
  const folder = configFolder();
  expect(await cli(['config', 'set', 'timeout', '10s', '-e', 'prod'], { env: folder.env })).toEqual(QUIET);
  expect(JSON.parse(folder.read('config.json'))).toEqual({ version: 1, environments: { prod: { timeout: '10s' } } });
  expect((await cli(['config', 'get', 'timeout', '-e', 'prod'], { env: folder.env })).stdout).toBe('10s\n');
  expect((await cli(['config', 'get', 'timeout'], { env: folder.env })).stdout).toBe('30s\n');
});

it('keeps unknown settings, and the mode of the file', async () => {
  const folder = configFolder({ 'config.json': { $schema: 'x', environments: { prod: { later: 1 } } } });
  chmodSync(folder.file('config.json'), 0o644);
  await cli(['config', 'set', 'auth', 'bearer', '-e', 'prod'], { env: folder.env });
  expect(JSON.parse(folder.read('config.json'))).toEqual({
    version: 1,
    $schema: 'x',
    environments: { prod: { later: 1, auth: 'bearer' } },
  });
  expect(statSync(folder.file('config.json')).mode & 0o777).toBe(0o644);
});

it('suggests the nearest name of a setting', async () => {
  const { stderr } = await cli(['config', 'get', 'max_wait'], { env: configFolder().env });
  expect(stderr).toContain('did you mean max-wait?');
});

it('stores a base URL without white space, capitals of the host and a slash at its end', async () => {
  const folder = configFolder();
  await cli(['config', 'set', 'base-url', ' https://API.example.com/risk/ '], { env: folder.env });
  expect(JSON.parse(folder.read('config.json')).environments.default['base-url']).toBe('https://api.example.com/risk');
});

it('removes a misspelt setting that somebody has written into the file', async () => {
  const folder = configFolder({ 'config.json': '{"environments":{"default":{"timeut":"9s","timeout":"8s"}}}' });
  expect(await cli(['config', 'unset', 'timeut'], { env: folder.env })).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(folder.read('config.json')).environments).toEqual({ default: { timeout: '8s' } });
  expect(await cli(['config', 'unset', 'timeut'], { env: folder.env })).toMatchObject({ exitCode: 2 });
});

it('lists settings with their values and where each came from', async () => {
  const { env } = configFolder({ 'config.json': { environments: { prod: { timeout: 5, timeuot: '1s' } } } });
  const { stdout } = await cli(['config', 'list', '--csv'], { env: { ...env, RISKCLI_ENV: 'prod' } });
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'environment,prod,RISKCLI_ENV',
      'base-url,,',
      'auth,x-api-key,default',
      'timeout,5,config.json (prod)',
      'timeuot,,"config.json, but there is no such setting"',
    ]),
  );
});
