/** Whole runs against a service in trouble: the exit code, the one line on stderr, the time that a process takes to end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareEnv, RISKCLI_WORDS, runLine, start } from '../../fixtures/cli/process.ts';
import { ABSENT, temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { canUnshare } from '../../fixtures/process/namespaces.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const env = (extra: Record<string, string> = {}) =>
  bareEnv({ RISKCLI_API_KEY: KEY, RISKCLI_CONFIG_DIR: ABSENT, ...extra });

describe('riskcli profile', () => {
  it.skipIf(!canUnshare())('[19] does not call a service down when this machine has no network', async () => {
    const command = `unshare --mount --net ${RISKCLI_WORDS} health --base-url https://203.0.113.1`;
    const { exitCode, stdout } = await runLine(`${command} --json`);
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 5,
      status: 'unknown',
      error_code: 'network',
    });
    // In test/slow also what a monitor is told of it.
    if (!isSlow) return;
    const nagios = await runLine(`${command} --format nagios`);
    expect(nagios).toMatchObject({ exitCode: 3, stdout: expect.stringMatching(/^RISKCLI UNKNOWN - the network of /) });
  });

  it.skipIf(!canUnshare())('[19] does not wait for a name server that is silent', async () => {
    const folder = temporaryFolder();
    // The system itself would take longer than a test may.
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n');
    const server = `require('dgram').createSocket('udp4').bind(53, '127.0.0.1', () => console.log('ready'))`;
    const script = `ip link set lo up && mount --bind ${folder}/resolv.conf /etc/resolv.conf || exit 99
        coproc "${process.execPath}" -e "${server}"
        trap 'kill $COPROC_PID' EXIT
        read -r <&"\${COPROC[0]}"
        ${RISKCLI_WORDS} health --base-url https://service.test --timeout 300ms`;
    writeFileSync(join(folder, 'script'), script);
    const { exitCode, stderr } = await runLine(`unshare --mount --net bash ${folder}/script`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('within 300ms') });
  });

  it.skipIf(process.platform !== 'linux')('[57] has no more requests in flight than it may open files', async () => {
    await using server = await startServer(({ path }) => ({
      body: { ...PROFILE, wallet_address: path.split('/').at(-1) },
      headers: { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' },
      afterMs: 200,
    }));
    const line = `ulimit -n 40; ${RISKCLI_WORDS} profile - --csv --base-url ${server.url}`;
    const { exitCode, stdout, stderr } = await start(line, { env: env(), input: addresses(30).join('\n') }).done;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(31);
    expect(server.connections()).toBeLessThanOrEqual(12);
  });
});
