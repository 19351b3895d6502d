/** A vault that asks its user, on a real terminal: through riskcli, whatever else riskcli reads. */
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal, type Step } from '../../fixtures/cli/terminal.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const WALLET = PROFILE.wallet_address;

const serve = () => startServer(({ path }) => ({ body: { ...PROFILE, wallet_address: path.split('/').at(-1) } }));

/** Takes the passphrase from `from`, hidden, and gives the key for the right one. */
const asking = (from: string) => `
read -rs -p 'Pass'phrase: word < ${from} || { echo 'nobody to ask' >&2; exit 2; }
echo >&2
[ "$word" = open-sesame ] && echo '${KEY}'`;

/** A place where `vault`, found along the PATH, prints the key of `server`. */
async function placeWith(script: string, server: TestServer) {
  const place = workplace();
  const program = place.write('vault', `#!/bin/bash\n${script}\n`);
  chmodSync(program, 0o700);
  const set = ['keys', 'set', '--base-url', server.url.origin, '--command', 'vault', 'read', '-q'];
  const stored = await cli(set, { env: { RISKCLI_CONFIG_DIR: place.path('home/.config/riskcli') } });
  expect(stored).toMatchObject({ exitCode: 0, stderr: '' });
  const env = { ...place.env, PATH: `${place.folder}:${place.env.PATH}`, TERM: 'dumb' };
  return { ...place, env, sh: (line: string) => place.sh(line, env) };
}

const READY: Step[] = [
  ['type', "PS1=rea'dy> '\n"],
  ['wait', 'ready> '],
  ['type', `r() { ${RISKCLI_WORDS} "$@"; }; before=$(stty -g)\n`],
  ['wait', 'ready> '],
];
const AS_IT_WAS: Step[] = [
  ['wait', 'ready> '],
  ['type', '[ "$before" = "$(stty -g)" ] && echo as-it-"was"\n'],
  ['wait', 'as-it-was'],
];

describe.skipIf(!hasTerminal)('a vault that asks on the terminal', { concurrent: true }, () => {
  const ASKED = [
    ['/dev/stdin', `r profile ${WALLET} --fields wallet_address`],
    ['/dev/tty', `echo ${WALLET} | r profile - --jsonl --fields wallet_address | cat`],
    ['/dev/tty', `r profile ${WALLET} --fields wallet_address`],
  ] as const;
  it.each(ASKED.slice(0, isSlow ? undefined : 2))(
    'lets a key command of %s ask on the terminal: %s',
    async (from, line) => {
      await using server = await serve();
      const place = await placeWith(asking(from), server);
      const shown = await atTerminal(place, [
        ...READY,
        ['type', `${line}\n`],
        ['wait', 'Passphrase:'],
        ['raw'],
        ['type', 'open-sesame\n'],
        ['wait', WALLET],
        ...AS_IT_WAS,
      ]);
      expect(shown).not.toContain('sesame');
      expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
    },
  );

  it('stops a key command on Ctrl-C, and restores the terminal', async () => {
    await using server = await serve();
    const shown = await atTerminal(await placeWith(asking('/dev/tty'), server), [
      ...READY,
      ['type', `r profile ${WALLET}\n`],
      ['wait', 'Passphrase:'],
      ['raw'],
      ['type', '\u0003'],
      ['wait', 'ready> '],
      ['type', 'echo "ended: $?"\n'],
      ['wait', 'ended: 130'],
      ...AS_IT_WAS,
    ]);
    expect(shown).not.toContain('which should print the key');
    expect(server.requests).toEqual([]);
  });

  it('gives a key command no terminal with --no-input', async () => {
    await using server = await serve();
    const shown = await atTerminal(await placeWith(asking('/dev/tty'), server), [
      ...READY,
      ['type', `r profile ${WALLET} --no-input; echo "ended: $?"\n`],
      ['wait', 'ended: 4'],
      ...AS_IT_WAS,
    ]);
    expect(shown).toContain('nobody to ask');
    expect(shown).toMatch(/error:\S* 'vault', which should print the key, failed with exit code 2; run/);
  });
});

it('keeps a key command from reading the list, and passes its stderr through', async () => {
  await using server = await serve();
  const place = await placeWith(`cat >&2; echo 'unlocking "$*"' >&2; echo '${KEY}'`, server);
  const { stdout, stderr, exitCode } = await place.sh(`echo ${WALLET} | r profile - --csv --fields wallet_address`);
  expect({ stdout, exitCode }).toEqual({ stdout: `wallet_address\n${WALLET}\n`, exitCode: 0 });
  expect(stderr).toBe('unlocking "$*"\n');
});

it('ends a key command when riskcli ends', async () => {
  await using server = await serve();
  const { env } = await placeWith('echo "vault $$." >&2; exec sleep 600', server);
  const { child, said, done, collected } = start(['profile', WALLET], { env });
  await said('.\n');
  child.kill('SIGINT');
  expect(await done).toMatchObject({ exitCode: 130, stdout: '' });
  const [, pid = ''] = /vault (\d+)/.exec(collected.stderr) ?? [];
  expect(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout).toMatch(/^(Z.*\n)?$/);
});
