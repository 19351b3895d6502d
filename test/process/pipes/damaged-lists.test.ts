import { describe, expect, it } from 'vitest';
import { BINARY } from '../../fixtures/cli/process.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';
import { isSlow } from '../../fixtures/sweep.ts';

describe('a list that cannot be used', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /the list is empty/],
    ['invalid UTF-8', Buffer.concat([Buffer.from(`${address(1)}\n`), Buffer.from([0xff, 0x0a])]), /line 2/],
    ['an open quote', `address,note\n${address(1)},a\n${address(2)},"b\n${address(3)},c\n`, /line 3/],
    ['two columns of wallets', `from,to\n${address(1)},${address(2)}\n`, /'?from'?.*'?to'?/],
  ])('holding %s is exit 9, and nothing is sent', async (_, content, message) => {
    await using stage = await startListStage();
    stage.write('list.csv', content);
    for (const args of [
      ['-f', 'list.csv', '--csv'],
      ['-f', 'list.csv', '--dry-run'],
      ['-', '--jsonl'],
    ]) {
      const { stdout, stderr, exitCode } = await stage.cli(['profile', ...args], { stdin: content });
      // A pipe is not read ahead: the rows before the damage have been answered by then.
      const isStream = args[0] === '-' && /line/.test(String(message));
      expect({ args, exitCode, stdout: isStream ? '' : stdout }).toEqual({ args, exitCode: 9, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toMatch(message);
      if (!isStream) expect(stage.server.requests).toEqual([]);
    }
  });

  it('exits with 9 in bounded memory for an endless line', async () => {
    await using stage = await startListStage();
    stage.write(
      'memory.cjs',
      `process.on('exit', () => require('fs').writeFileSync('memory', String(process.resourceUsage().maxRSS)))`,
    );
    const node = `'${process.execPath}' --require ./memory.cjs '${BINARY}'`;
    const lines = [
      `${node} profile -f /dev/zero --csv`,
      `tr '\\0' a < /dev/zero | ${node} profile - --csv`,
      `(echo a,b; echo -n '"'; tr '\\0' 1 < /dev/zero) | ${node} profile - --csv --column a`,
    ];
    for (const line of isSlow ? lines : lines.slice(1)) {
      const { stdout, stderr, exitCode } = await stage.sh(line);
      expect({ line, exitCode, stdout }).toEqual({ line, exitCode: 9, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(Number(stage.read('memory'))).toBeLessThan(300_000);
    }
    expect(stage.server.requests).toEqual([]);
  });
});

it('a wallet of 2 MB is rejected offline, and cut where it is shown', async () => {
  await using stage = await startListStage();
  stage.write('list.txt', `${address(1)}\n0x${'a'.repeat(2_000_000)}\n`);
  const { stdout, exitCode } = await stage.cli(['profile', '-f', 'list.txt', '--csv']);
  expect({ exitCode, requests: stage.server.requests.length }).toEqual({ exitCode: 3, requests: 1 });
  expect(stdout).toMatch(/,invalid,/);
  expect(stdout.length).toBeLessThan(1000);
});
