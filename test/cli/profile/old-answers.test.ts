/**
 * A gate does not rest on old answers of a journal that --journal names, unless --max-age says so.
 */
import { expect, it } from 'vitest';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-26T06:00:00Z');

const GATE = ['--fail-if', 'score < 1'];
const LIST = ['-f', 'list.txt', '--jsonl'];

/** Answers of two wallets from 200 days ago and of a third from today; and a policy. */
async function stage() {
  const place = await startListStage();
  const at = (time: number) => ({ now: () => time });
  const keep = (list: string, time: number) =>
    place.cli(['profile', '-', '--journal', 'kept'], { stdin: list, ...at(time) });
  await keep(`${address(1)}\n${address(2)}\n`, NOW - 200 * DAY_MS);
  await keep(`${address(3)}\n`, NOW);
  place.write('policy.json', '{"rules": [{"name": "low", "if": "score < 1"}]}');
  const list = `${address(1)}\n${address(3)}\n`;
  place.write('list.txt', list);
  place.write('new.txt', `${address(3)}\n${address(4)}\n`);
  const sent = place.server.requests.length;
  const profile = (args: readonly string[]) => place.cli(['profile', ...args], { stdin: list, ...at(NOW) });
  return { ...place, profile, sent: () => place.server.requests.length - sent };
}

it.each([
  ['--fail-if', [...LIST, ...GATE]],
  ['--policy', [...LIST, '--policy', 'policy.json']],
  ['a list from standard input', ['-', '--csv', ...GATE]],
  ['a dry run', [...LIST, ...GATE, '--dry-run']],
  ['an output', ['-f', 'list.txt', '-o', 'out.csv', ...GATE]],
])('refuses a gate on old answers with %s, and sends nothing', async (_, args) => {
  await using place = await stage();
  const { stdout, stderr, exitCode } = await place.profile([...args, '--journal', 'kept']);
  expect([exitCode, stdout, place.sent()]).toEqual([2, '', 0]);
  expect(stderr).toContain("the oldest in the journal 'kept' is dated 2026-05-10T06:00:00.000Z");
  expect(stderr).toContain('--max-age 201d uses it');
});

it.each([
  ['with the --max-age that is named', 0, [...LIST, ...GATE, '--journal', 'kept', '--max-age', '201d']],
  ['with a shorter one, which asks again', 1, [...LIST, ...GATE, '--journal', 'kept', '--max-age', '20h']],
  ['where the list has none of these wallets', 1, ['-f', 'new.txt', '--jsonl', ...GATE, '--journal', 'kept']],
  ['where nothing is a gate', 0, [...LIST, '--where', 'score > 1', '--journal', 'kept']],
])('does not refuse old answers %s', async (_, requests, args) => {
  await using place = await stage();
  expect((await place.profile(args)).exitCode).toBe(0);
  expect(place.sent()).toBe(requests);
});

it('takes old answers from the journal of its own output', async () => {
  await using place = await stage();
  place.write('out.csv.journal', place.read('kept'));
  expect((await place.profile(['-f', 'list.txt', '-o', 'out.csv', ...GATE])).exitCode).toBe(0);
  expect(place.sent()).toBe(0);
});
