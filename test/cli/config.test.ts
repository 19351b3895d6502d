import { chmodSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { configFolder } from '../fixtures/place/config-folder.ts';

const QUIET = { stdout: '', stderr: '', exitCode: 0 };

describe('config set, get, unset', () => {
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

  it('says why a file cannot be written', async () => {
    const env = { RISKCLI_CONFIG_DIR: configFolder({ file: '' }).file('file/x') };
    const { stderr, exitCode } = await cli(['config', 'set', 'timeout', '10s'], { env });
    // Whether node takes a path through a file for one that is not there depends on its version.
    const reason = expect.stringMatching(
      /config\.json cannot be written: (a part of its path is not a directory|something else is in its place);/,
    );
    expect([exitCode, stderr]).toEqual([8, reason]);
  });

  it('removes a misspelt setting that somebody has written into the file', async () => {
    const folder = configFolder({ 'config.json': '{"environments":{"default":{"timeut":"9s","timeout":"8s"}}}' });
    expect(await cli(['config', 'unset', 'timeut'], { env: folder.env })).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(folder.read('config.json')).environments).toEqual({ default: { timeout: '8s' } });
    expect(await cli(['config', 'unset', 'timeut'], { env: folder.env })).toMatchObject({ exitCode: 2 });
  });

  it('prints nothing for a setting that is not set', async () => {
    expect(await cli(['config', 'get', 'score'], { env: configFolder().env })).toEqual(QUIET);
  });

  it('stores a base URL in normalised form', async () => {
    const folder = configFolder();
    await cli(['config', 'set', 'base-url', ' https://API.example.com/risk/ '], { env: folder.env });
    expect((await cli(['config', 'get', 'base-url'], { env: folder.env })).stdout).toBe(
      'https://api.example.com/risk\n',
    );
  });

  it('refuses a value that the setting does not take, and writes nothing', async () => {
    const folder = configFolder();
    const { exitCode, stdout } = await cli(['config', 'set', 'max-wait', '--', '-1s'], { env: folder.env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(() => folder.read('config.json')).toThrow('ENOENT');
  });

  it('suggests the nearest name', async () => {
    const { stderr } = await cli(['config', 'get', 'max_wait'], { env: configFolder().env });
    expect(stderr).toContain('did you mean max-wait?');
  });
});

describe('config list', () => {
  it('shows values and where each came from', async () => {
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
});
