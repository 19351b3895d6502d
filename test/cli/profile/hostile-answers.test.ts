/**
 * Hostile answers through the whole program: nothing that it prints is a command to a terminal or
 * to a CI runner.
 */

import { expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

/** Answers wallet number n with the nth of `bodies`, in which WALLET stands for its address. */
function startAnswering(bodies: readonly (string | Buffer)[]) {
  return startServer(({ path }) => {
    const wallet = path.slice(path.lastIndexOf('/') + 1);
    const body = bodies[Number.parseInt(wallet, 16)] ?? '';
    return { body: typeof body === 'string' ? body.replace('WALLET', wallet) : body };
  });
}

const place = (url: URL) => workplace({ RISKCLI_BASE_URL: url.href, RISKCLI_API_KEY: KEY });
const wallets = (bodies: readonly unknown[]) => bodies.map((_, i) => address(i));

// https://github.com/actions/runner ActionCommand.cs: `::` after white space, `##[` anywhere;
// Azure Pipelines and TeamCity alike.
const COMMANDS = [
  '::set-output name=a::b',
  '##[error]no',
  '##vso[task.setvariable variable=a]b',
  "##teamcity[a 'b']",
  '\u001b]52;c;AAAA\u0007\u009b31m\r\u202eevil\u2066\u0000::error::',
];
const OBEYED = /^\s*::[a-z-]+|##[a-z]*\[|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/im;
const COLOUR_OR_PROGRESS = /\u001b\[\d+m|\r[^\r\n]*\u001b\[K/g;

it.each(COMMANDS)('prints no text that a CI runner or a terminal would obey: %s', async (command) => {
  const text = JSON.stringify(`${command}\u009b`);
  const score = `{"defi_score":450,"risk_level":${text},${text}:${text}}`;
  const body = `{"wallet_address":"WALLET","total_collateral_usd":1,"defi_score":${score},${text}:[${text},{${text}:${text}}],"errors":{${text}:${text}}}`;
  await using server = await startAnswering([body, body, body]);
  await using refusing = await startServer(() => ({ status: 400, body: { error: command } }));
  const { cli, write, path } = place(server.url);
  const label = (i: number) => `"${command.replaceAll('\0', '')} ${'x'.repeat(i)}"`;
  const list = write(
    'list.csv',
    `name,wallet\n${wallets([1, 1])
      .map((wallet, i) => `${label(i)},${wallet}\n`)
      .join('')}`,
  );
  const more = write(
    'more.csv',
    `name,wallet\n${wallets([1, 1, 1])
      .map((wallet, i) => `${label(9 - i)},${wallet}\n`)
      .join('')}`,
  );
  const rule = ['--fail-if', 'low: score < 500'];
  const runs = [
    ['profile', address(0)],
    ['profile', address(0), '--json'],
    ['profile', '-f', list],
    ['profile', '-f', list, '-o', path('old.jsonl')],
    ['profile', '-f', more, '-o', path('new.jsonl'), ...rule],
    ['diff', path('old.jsonl'), path('new.jsonl')],
    ['report', path('new.jsonl')],
    ['report', path('new.jsonl'), '--json'],
    ['review', list, '--keep', path('kept'), ...rule],
    ['review', more, '--keep', path('kept'), ...rule],
    ['review', more, '--keep', path('kept'), '--brief', ...rule],
    ['review', more, '--keep', path('kept'), '--json', ...rule],
  ];
  const denied = place(refusing.url).cli;
  const failing = [
    await cli(['profile', address(0), '--fields', 'liszt']),
    await denied(['profile', address(0), '--debug', '-v']),
    await denied(['profile', address(0), address(1), '--format', 'table']),
  ];
  expect(failing.map(({ exitCode }) => exitCode)).toEqual([2, 3, 3]);
  for (const { stdout, stderr } of failing) expect(`${stdout}\n${stderr}`).not.toMatch(OBEYED);
  for (const args of runs) {
    for (const tty of [{}, { stdout: true, stderr: true }]) {
      const { stdout, stderr, exitCode } = await cli(args, { tty, columns: 60 });
      expect([0, 10]).toContain(exitCode);
      const shown = `${stdout}\n${stderr}`.replaceAll(COLOUR_OR_PROGRESS, '');
      expect(`${args.join(' ')}\n${shown}`).not.toMatch(OBEYED);
    }
  }
});
