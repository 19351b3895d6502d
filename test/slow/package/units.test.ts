/**
 * The units, run by a real systemd, with the package where `npm install -g` puts it: what they may
 * see and write, what a run leaves, what counts as a success and what is tried again. The machine
 * is the test's own (test/fixtures/package/machine.sh).
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Machine, startMachine } from '../../fixtures/package/machine.ts';
import { packInto } from '../../fixtures/package/package.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { startService } from '../../fixtures/service/sandbox.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const UNIT = 'riskcli-list@nightly.service';
const STATE = '/var/lib/private/riskcli';
const UNITS = '/etc/systemd/system';

const machine = process.execPath === '/usr/bin/node' ? await startMachine() : undefined;

const REVOKED = 'wrp_7fKd93LqPz81Mx-Qw4Rt_2vB6nYcJhS';

describe.skipIf(!machine)('the units in a systemd of their own (as root, with namespaces and node in /usr/bin)', () => {
  const { run, read, write, end } = machine ?? ({} as Machine);
  /** Runs `line`, which has to succeed. */
  const well = async (line: string) => {
    const { stdout, stderr, exitCode } = await run(line);
    expect({ line, stderr, exitCode }).toEqual({ line, stderr: '', exitCode: 0 });
    return stdout;
  };
  const properties = async (...names: string[]) => {
    const told = await well(`systemctl show --property=${names.join(',')} ${UNIT}`);
    return Object.fromEntries(
      told
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2)),
    );
  };
  /** What the administrator writes. */
  const configure = ({ url, key = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8', list = addresses(3) }: Configuration) => {
    write('/etc/riskcli/environment', `RISKCLI_BASE_URL=${url}\n`);
    write('/etc/riskcli/key', `${key}\n`, 0o600);
    write('/etc/riskcli/nightly.csv', `id,holder\n${list.map((wallet, i) => `${i},${wallet}\n`).join('')}`, 0o600);
  };
  interface Configuration {
    readonly url: string;
    readonly key?: string;
    readonly list?: readonly string[];
  }
  const journal = () => well('journalctl --quiet --output cat');
  /** How the last run ended. systemd forgets what has not failed. */
  const exitCode = (): number => JSON.parse(read(`${STATE}/nightly.json`)).exit_code;
  const ranToday = () => run(`systemctl reset-failed ${UNIT}; systemctl start ${UNIT}`);

  beforeAll(async () => {
    write('/tmp/riskcli.tgz', readFileSync(packInto(temporaryFolder())));
    await well('npm install --global --offline --prefix /usr /tmp/riskcli.tgz > /tmp/npm.log 2>&1');
    await well(`install -m 644 /usr/lib/node_modules/riskcli/share/systemd/* ${UNITS}`);
  }, 600_000);
  afterAll(() => end(), 120_000);

  it('are switched on by nobody but the administrator', async () => {
    expect(await well("systemctl list-units --all --no-legend 'riskcli*'")).toBe('');
    expect(await well("systemctl list-unit-files --no-legend 'riskcli*'")).toMatch(
      /^(?:riskcli-(?:list|review)@\.service +static .*\n){2}(?:riskcli-(?:list|review)@\.timer +disabled .*\n){2}$/,
    );
    await run('systemctl enable --now riskcli-list@nightly.timer');
    expect(await well('systemctl list-timers --no-legend riskcli-list@nightly.timer')).toContain(UNIT);
    await run('systemctl disable --now riskcli-list@nightly.timer');
  });

  it('score a list with a key that only root can read, and tell how it ended', async () => {
    const { baseUrl, key } = await startService();
    configure({ url: baseUrl, key });
    expect(await ranToday()).toMatchObject({ exitCode: 0 });
    expect(read(`${STATE}/nightly.csv`).split('\n')[0]).toMatch(/^id,holder,wallet_address,status,/);
    expect(read(`${STATE}/nightly.csv`).match(/,scored,/g)).toHaveLength(3);
    expect(JSON.parse(read(`${STATE}/nightly.json`))).toMatchObject({ exit_code: 0, rows: { scored: 3 } });
    expect(await well(`ls ${STATE} | sed 's/-[0-9a-f]\\{32\\}.*//' | sort`)).toBe(
      'limit\nnightly.csv\nnightly.json\nrequests\n',
    );
  });

  it('take a list for done when some of its rows can never have an answer', async () => {
    const { baseUrl, key } = await startService();
    configure({ url: baseUrl, key, list: [...addresses(2), 'nonsense'] });
    expect(await ranToday()).toMatchObject({ exitCode: 0 });
    expect(exitCode()).toBe(3);
  });

  it('fail for good when the key is rejected, and the summary tells', async () => {
    const { baseUrl } = await startService();
    configure({ url: baseUrl, key: REVOKED, list: addresses(9) });
    expect(await ranToday()).toMatchObject({ exitCode: 1 });
    expect(await properties('SubState', 'ExecMainStatus')).toEqual({ SubState: 'failed', ExecMainStatus: '4' });
    expect(exitCode()).toBe(4);
    expect(await journal()).toMatch(/^riskcli: .*401/m);
    expect(await journal()).not.toContain(REVOKED);
  });

  it('try again when the service is down', async () => {
    configure({ url: 'http://127.0.0.1:9', list: addresses(1) });
    await run(`systemctl reset-failed ${UNIT}; systemctl start --no-block ${UNIT}`);
    await expect
      .poll(() => properties('SubState', 'ExecMainStatus'), { timeout: 300_000, interval: 500 })
      .toEqual({ SubState: 'auto-restart', ExecMainStatus: '5' });
    await well(`systemctl stop ${UNIT}`);
  });

  it('are stopped without having failed, and go on from where they were', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using service = await startSlowService({ after: (nth) => (nth > 3 ? released : undefined) });
    const wallets = addresses(20).slice(10);
    configure({ url: service.url, list: wallets });
    await run(`systemctl reset-failed ${UNIT}; systemctl start --no-block ${UNIT}`);
    await service.reached(4);
    const stopped = run(`systemctl stop ${UNIT}`);
    await expect.poll(journal, { timeout: 300_000 }).toContain('waiting up to 8 s for');
    release();
    expect(await stopped).toMatchObject({ exitCode: 0 });
    expect(await run(`systemctl is-failed ${UNIT}`)).toMatchObject({ stdout: 'inactive\n' });
    expect(exitCode()).toBe(143);
    expect(await ranToday()).toMatchObject({ exitCode: 0 });
    expect(read(`${STATE}/nightly.csv`).match(/,scored,/g)).toHaveLength(wallets.length);
  });
});
