/** What would go wrong on Windows, emulated on Linux by `fixtures/cli/windows.cjs`: the built binary runs on no Windows here. */
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { emulated } from '../../fixtures/cli/systems.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY } from '../../fixtures/service/client.ts';
import { startHeldService } from '../../fixtures/service/slow-service.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const COUNT = 4;

/** A list of wallets, and riskcli as a process that takes this machine for Windows. */
async function stage() {
  const place = await startListStage();
  onTestFinished(() => place[Symbol.asyncDispose]());
  place.write('list.txt', `${addresses(COUNT).join('\r\n')}\r\n`);
  const variables = {
    NODE_OPTIONS: emulated('windows'),
    RISKCLI_CONFIG_DIR: place.path('settings'),
    LOCALAPPDATA: place.path('state'),
  };
  return {
    ...place,
    /** On Linux, without a process: what was there before. */
    prepare: (line: string, input = '') => place.cli(line.split(' '), { env: variables, stdin: input }),
    windows: (line: string, env: Record<string, string> = {}, input = '') =>
      start(line.split(' '), { cwd: place.folder, env: { ...place.env, ...variables, ...env }, input }).done,
    files: () => readdirSync(place.folder).filter((name) => !['home', 'list.txt', 'state'].includes(name)),
    wallets: (name: string) =>
      place
        .read(name)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).wallet_address),
  };
}

describe('a signal on Windows, emulated', () => {
  // test/slow also has the other two, which share the code from there.
  const SIGNALS = [
    ['Ctrl-Break', 'SIGUSR2', 130],
    ['the window that closes', 'SIGHUP', 129],
    ['Ctrl-C', 'SIGINT', 130],
  ] as const;
  it.each(SIGNALS.slice(0, isSlow ? undefined : 1))(
    '%s stops a list, at once when it comes twice, and the same command goes on',
    async (_, signal, exitCode) => {
      await using service = await startHeldService(1);
      const variables = { RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: KEY, NODE_OPTIONS: emulated('windows') };
      const place = workplace(variables);
      place.write('list.txt', addresses(2).join('\n'));
      const command = ['profile', '-f', 'list.txt', '-o', 'out.jsonl'];
      const running = start(command, { cwd: place.folder, env: place.env });
      await Promise.race([service.reached(2), running.done]);
      // The header and the first answer, however late this machine lets it be kept.
      await expect
        .poll(() => place.read('out.jsonl.journal').trimEnd().split('\n'), { timeout: 50_000 })
        .toHaveLength(2);
      running.child.kill(signal);
      await running.said('already sent and paid for');
      running.child.kill(signal);
      expect(await running.done).toMatchObject({ exitCode, signal: null });
      service.release();
      expect(await place.cli(command, { via: 'process' })).toMatchObject({ exitCode: 0 });
      expect(service.requests()).toBe(3);
    },
  );
});

describe('a command that prints the key on Windows, emulated', () => {
  const ASK = `profile ${address(1)} --json`;

  /** A vault along PATH that does what `script` says. */
  async function vault(script: string) {
    const staged = await stage();
    const { path, write, env } = staged;
    mkdirSync(path('bin'));
    chmodSync(write('bin/vault.exe', `#!/bin/bash\n${script}\n`), 0o700);
    const variables = { PATH: `${path('bin')}:${env.PATH}`, RISKCLI_API_KEY: '' };
    const windows = (line: string, more = {}) => staged.windows(line, { ...variables, ...more });
    const set = `keys set --base-url ${env.RISKCLI_BASE_URL} --command vault`;
    expect(await staged.prepare(set)).toMatchObject({ exitCode: 0 });
    return { ...staged, windows };
  }

  it('is found in PATH, not in the current folder', async () => {
    const { windows, write, files } = await vault(`echo ${KEY}`);
    chmodSync(write('vault.exe', '#!/bin/bash\ntouch planted\n'), 0o700);
    expect(await windows(ASK)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(files()).not.toContain('planted');
  });

  it('may not be a script that only cmd runs, which the message says', async () => {
    const { windows, path } = await vault('');
    renameSync(path('bin/vault.exe'), path('bin/vault.cmd'));
    const { exitCode, stderr } = await windows(ASK);
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('there is no such program')]);
    expect(stderr).toContain('if it is a .cmd or .bat file, store it as cmd /c NAME');
  });
});

describe('Windows, emulated', () => {
  it('variables are found regardless of case', async () => {
    const { windows } = await stage();
    const { exitCode, stderr } = await windows('profile -f list.txt --csv', { riskcli_timeout: 'soon' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('RISKCLI_TIMEOUT')]);
  });

  it('a key is stored, shown and removed', async () => {
    const { windows, prepare, path } = await stage();
    const set = 'keys set --base-url https://api.example.com';
    expect(await windows(set, { EMULATED_BUSY: '2' }, KEY)).toMatchObject({ exitCode: 0 });
    expect((await prepare('keys list')).stdout).toContain('https://api.example.com');
    expect(await windows('keys remove')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(path('settings'))).toEqual(['keys.json']);
  });

  // A replaced file shares the code, and is longer.
  it.runIf(isSlow)('a list is answered, and leaves nothing but its output', async () => {
    const { windows, files, wallets } = await stage();
    expect(await windows('profile -f list.txt -o out.jsonl')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wallets('out.jsonl')).toEqual(addresses(COUNT));
    expect(files()).toEqual(['out.jsonl']);
  });

  it('a file next to the list, its lock and its journal are replaced, with retries while another program has them open', async () => {
    const { windows, files, wallets, write } = await stage();
    write('out.jsonl', 'old');
    // A virus scanner, a process that still reads the last lock, and a backup of the folder.
    const hands = { EMULATED_BUSY: '3', EMULATED_PENDING: '7', EMULATED_SYNCED: '3' };
    expect(await windows('profile -f list.txt -o out.jsonl', hands)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wallets('out.jsonl')).toEqual(addresses(COUNT));
    expect(files()).toEqual(['out.jsonl']);
  });

  it('a journal torn by a kill is continued', async () => {
    const { prepare, windows, path, server } = await stage();
    const list = 'profile -f list.txt --jsonl --journal answers.journal';
    expect(await prepare(list)).toMatchObject({ exitCode: 0 });
    appendFileSync(path('answers.journal'), readFileSync(path('answers.journal')).subarray(-99, -9));
    expect(await windows(list)).toMatchObject({ exitCode: 0 });
    expect(server.requests).toHaveLength(COUNT);
    expect(await prepare('journal show answers.journal --json')).toMatchObject({ exitCode: 0 });
  });

  it('a journal is pruned', async () => {
    const { prepare, windows, read } = await stage();
    await prepare('profile -f list.txt --jsonl --journal answers.journal');
    const [first = ''] = addresses(COUNT);
    expect(await windows(`journal prune answers.journal --wallet ${first}`)).toMatchObject({ exitCode: 0 });
    expect(read('answers.journal')).not.toContain(first);
    // It is rewritten by the same code.
    const prune = isSlow ? windows : prepare;
    expect(await prune('journal prune answers.journal --older-than 0s')).toMatchObject({ exitCode: 0 });
    expect(read('answers.journal').split('\n')).toHaveLength(2);
  });

  it('a file that another program keeps open is not replaced, and the message says so', async () => {
    const { windows, path, read } = await stage();
    writeFileSync(path('out.jsonl'), 'old');
    const { exitCode, stderr } = await windows('profile -f list.txt -o out.jsonl', { EMULATED_BUSY: '99' });
    expect([exitCode, stderr]).toEqual([
      8,
      expect.stringContaining("'out.jsonl' cannot be written: another program is using it"),
    ]);
    expect(read('out.jsonl')).toBe('old');
  });
});
