import { describe, expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';

describe('riskcli without a command', () => {
  it('prints one screen of help for -h and without arguments, and the whole help for --help and help', async () => {
    const screen = await cli(['-h']);
    expect(screen).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await cli([])).toEqual(screen);
    const help = await cli(['--help']);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    for (const heading of ['Commands', 'Options of every command', 'Topics']) {
      expect(help.stdout).toContain(`\n\n${heading}`);
    }
    expect(await cli(['help'])).toEqual(help);
    expect(await cli(['help', '-h'])).toEqual(help);
    expect(await cli(['help', 'health', '-h'])).toEqual(await cli(['help', 'health']));
  });

  it('prints the version and nothing else', async () => {
    expect(await cli(['--version'])).toEqual({ stdout: 'source\n', stderr: '', exitCode: 0 });
  });

  it('refuses a key flag without repeating its value', async () => {
    const { stderr, stdout, exitCode } = await cli(['--api-key=sk_canary1234567890']);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('canary');
    expect(stderr).toContain('riskcli keys set');
  });

  it.each(['profile 0x1 --fields', 'diff old new --fields', 'profile --fail-if'])(
    'takes %s for a script whose variable is empty',
    async (line) => {
      const { stdout, stderr, exitCode } = await cli(line.split(' '));
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toMatch(/^riskcli: --(fields|fail-if) <\w+> needs a value; /);
    },
  );
});
