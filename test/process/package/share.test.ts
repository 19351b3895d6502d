/** The files of share/, judged by the programs that they are for. A program that is not installed is skipped by name. */
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands, loadCommand } from '../../../src/commands/index.ts';
import { ExitCode } from '../../../src/errors.ts';
import { BINARY, quoted, runLine } from '../../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../../fixtures/cli/users.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { installed } from '../../fixtures/process/installed.ts';

const SHARE = fileURLToPath(new URL('../../../share/', import.meta.url));
const read = (path: string) => readFileSync(join(SHARE, path), 'utf8');
const flagsOf = async (name: string) => {
  const { flags = [] } = await loadCommand(commands.find((command) => command.name === name)!);
  return flags.map(({ long }) => `--${long}`);
};

/** How `program` ends, and all that it has told. */
async function ends(program: string, ...args: string[]) {
  const { stdout, stderr, exitCode } = await runLine([program, ...args].map(quoted).join(' '));
  return { told: stdout + stderr, status: exitCode };
}

it('the files of share/ are all named in the documentation', () => {
  const pages = ['README.md', 'docs/monitoring.md', 'docs/formats.md'].map((path) =>
    readFileSync(join(SHARE, '..', path), 'utf8'),
  );
  const files = readdirSync(SHARE, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => pages.every((page) => !page.includes(`${path}\``)))).toEqual([]);
});

describe('the units for systemd', () => {
  const service = read('systemd/riskcli-list@.service');
  const codes = (name: string) =>
    (new RegExp(`^${name}=(.*)$`, 'm').exec(service)?.[1] ?? '').split(' ').map(Number).filter(Boolean);

  it('retry after exit 5 and no other, and treat a completed list as a success', () => {
    const [success, prevented] = [codes('SuccessExitStatus'), codes('RestartPreventExitStatus')];
    expect(success).toEqual([ExitCode.rows, ExitCode.terminated]);
    const { ok, temporary } = ExitCode;
    expect([ok, temporary, ...success, ...prevented].sort()).toEqual(Object.values(ExitCode).sort());
  });

  it('use options that profile has', async () => {
    const typed = /^ExecStart=\/usr\/bin\/riskcli profile (.*)$/m.exec(service)?.[1]?.match(/--[a-z-]+/g);
    expect(typed).toEqual(['--max-age', '--metrics']);
    expect(await flagsOf('profile')).toEqual(expect.arrayContaining(typed ?? []));
  });

  it.skipIf(!installed('systemd-analyze'))('are accepted by systemd-analyze, and leave little open', async () => {
    const folder = temporaryFolder();
    const paths = ['riskcli-list@.service', 'riskcli-list@.timer'].map((name) => {
      const path = join(folder, name);
      // systemd-analyze asks whether the program is there.
      writeFileSync(path, read(`systemd/${name}`).replaceAll('/usr/bin/riskcli', BINARY));
      return path;
    });
    // Of 100: the rest is due to the network, and because the service is not confined to one address.
    const [verified, judged] = await Promise.all([
      ends('systemd-analyze', 'verify', '--man=no', ...paths),
      ends('systemd-analyze', 'security', '--offline=yes', '--threshold=20', paths[0]!),
    ]);
    expect(verified).toEqual({ told: '', status: 0 });
    expect(judged).toMatchObject({ status: 0 });
  });
});

describe.skipIf(!canBeOtherUser())('[92] what root does when the unit has stopped (as root)', () => {
  const service = read('systemd/riskcli-list@.service');
  const METRICS = 'riskcli_list_rows{list="a\\\\nb"} 3\n';

  /** A folder that root may have secrets in, and one of another user in which it is to put the metrics. */
  function stage() {
    const root = temporaryFolder();
    chmodSync(root, 0o755);
    const at = (name: string) => join(root, name);
    for (const name of ['state', 'private', 'theirs']) mkdirSync(at(name));
    mkdirSync(at('state/private/riskcli'), { recursive: true });
    chmodSync(at('private'), 0o700);
    writeFileSync(at('private/secret'), 'secret\n');
    writeFileSync(at('state/private/riskcli/nightly.prom'), METRICS);
    chownSync(at('theirs'), OTHER_USER.uid, OTHER_USER.gid);
    // As systemd reads it.
    const command = (/^ExecStopPost=\+((?:.*\\\n)*.*)$/m.exec(service)?.[1] ?? '')
      .replaceAll('\\\n', ' ')
      .replaceAll('\\\\', '\\')
      .replaceAll('$$', '$')
      .replace(/%(.)/g, (_, letter: string) => ({ S: at('state'), i: 'nightly', '%': '%' })[letter] ?? '')
      .replaceAll('/var/lib/prometheus/node-exporter', at('theirs'));
    return { at, stop: () => runLine(command), text: (name: string) => readFileSync(at(name), 'utf8') };
  }

  it('is to give the metrics to node_exporter', async () => {
    const { at, stop, text } = stage();
    expect(await stop()).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
    expect(text('theirs/riskcli-nightly.prom')).toBe(METRICS);
    const { uid, mode } = statSync(at('theirs/riskcli-nightly.prom'));
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: OTHER_USER.uid, mode: 0o644 });
    expect(readdirSync(at('theirs'))).toEqual(['riskcli-nightly.prom']);
  });

  it.each(['nightly.new', 'nightly.prom'])('writes through no link that is planted as riskcli-%s', async (name) => {
    const { at, stop, text } = stage();
    symlinkSync(at('private/secret'), at(`theirs/riskcli-${name}`));
    expect(await stop()).toMatchObject({ stderr: '', exitCode: 0 });
    expect(text('private/secret')).toBe('secret\n');
    expect(lstatSync(at('theirs/riskcli-nightly.prom')).isFile()).toBe(true);
  });

  it('does not wait for a FIFO', async () => {
    const { at, stop, text } = stage();
    for (const name of ['new', 'prom']) makeFifo(at(`theirs/riskcli-nightly.${name}`));
    expect(await stop()).toMatchObject({ stderr: '', exitCode: 0 });
    expect(text('theirs/riskcli-nightly.prom')).toBe(METRICS);
  });

  it('does not follow a link of another user into a folder of root', async () => {
    const { at, stop } = stage();
    rmdirSync(at('theirs'));
    symlinkSync(at('private'), at('theirs'));
    lchownSync(at('theirs'), OTHER_USER.uid, OTHER_USER.gid);
    expect((await stop()).exitCode).not.toBe(0);
    expect(readdirSync(at('private'))).toEqual(['secret']);
  });

  it.each([
    ['a link', (path: string, secret: string) => symlinkSync(secret, path)],
    ['a FIFO', (path: string) => makeFifo(path)],
    ['missing', () => {}],
  ])('leaves what is there where the metrics of the service are %s', async (_, plant) => {
    const { at, stop, text } = stage();
    writeFileSync(at('theirs/riskcli-nightly.prom'), 'old');
    rmSync(at('state/private/riskcli/nightly.prom'));
    plant(at('state/private/riskcli/nightly.prom'), at('private/secret'));
    expect(await stop()).toMatchObject({ stderr: '', exitCode: 0 });
    expect(text('theirs/riskcli-nightly.prom')).toBe('old');
  });
});

describe('the check for Icinga', () => {
  it('uses options that health has', async () => {
    const typed = [...read('icinga/riskcli.conf').matchAll(/"(--[a-z-]+)" ?=/g)].map(([, flag]) => flag);
    expect(typed.length).toBeGreaterThan(3);
    expect(await flagsOf('health')).toEqual(expect.arrayContaining(typed));
  });
});

describe.skipIf(!installed('promtool'))('the rules for Prometheus (promtool)', () => {
  const RULES = join(SHARE, 'prometheus/riskcli.rules.yml');
  const promtool = (...args: string[]) => ends('promtool', ...args);
  const summaryOf = (alert: string) =>
    new RegExp(`alert: ${alert}\\n(?:.*\\n)*? +summary: '(.*)'`).exec(read('prometheus/riskcli.rules.yml'))?.[1] ?? '';

  it('are accepted', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatchObject({
      status: 0,
      told: expect.stringContaining('SUCCESS'),
    });
  });

  const LIST = { environment: 'prod', list: 'nightly' };
  /** Hours of the test's clock, which begins with 1970, at which the alert is up; it is down at the others. */
  const cases: readonly Case[] = [
    // A list that never completed has the time 0, which is when this clock starts.
    {
      alert: 'WalletListIsOld',
      series: [['riskcli_list_last_complete_timestamp_seconds', '0x50']],
      up: [27, 40],
      down: [1, 25],
    },
    // Gone through after 24 hours, as it should, and not after 48.
    {
      alert: 'WalletListIsOld',
      series: [['riskcli_list_last_complete_timestamp_seconds', '0x23 86400x40']],
      up: [51, 60],
      down: [25, 49],
    },
    { alert: 'WalletListIsOld', series: [['riskcli_list_requests', '1x50']], labels: {}, up: [1], down: [] },
    {
      alert: 'WalletListFailed',
      series: [['riskcli_list_last_run_exit_code', '0 0 5x9']],
      value: '5',
      up: [4, 8],
      down: [1, 3],
    },
    // Tried again within the time that the unit takes.
    { alert: 'WalletListFailed', series: [['riskcli_list_last_run_exit_code', '0 5 0x9']], up: [], down: [1, 2, 3, 4] },
    { alert: 'WalletListFailed', series: [['riskcli_list_last_run_exit_code', '3x5 10x5']], up: [], down: [4, 9] },
    {
      alert: 'WalletMatched',
      series: [['riskcli_list_matched_rows', '0 0 7', { rule: 'low score' }]],
      labels: { ...LIST, rule: 'low score' },
      value: '7',
      up: [2],
      down: [0, 1],
    },
    {
      alert: 'WalletNotJudged',
      series: [['riskcli_list_unjudged_rows', '0 0 7', { rule: 'low score' }]],
      labels: { ...LIST, rule: 'low score' },
      value: '7',
      up: [2],
      down: [0, 1],
    },
    {
      alert: 'MonthlyRequestsRunOut',
      series: [
        ['riskcli_list_monthly_requests_left', '100 50 20'],
        ['riskcli_list_requests', '50x2'],
        ['riskcli_list_last_run_timestamp_seconds', '0x2'],
      ],
      value: '20',
      up: [2],
      down: [0],
    },
    // February has begun, and the list has not run yet.
    {
      alert: 'MonthlyRequestsRunOut',
      series: [
        ['riskcli_list_monthly_requests_left', '20x800'],
        ['riskcli_list_requests', '50x800'],
        ['riskcli_list_last_run_timestamp_seconds', '0x800'],
      ],
      value: '20',
      up: [31 * 24 - 1],
      down: [31 * 24],
    },
    { alert: 'ApiKeyIsOld', series: [['riskcli_list_key_age_seconds', '7776000 7776001']], up: [1], down: [0] },
    {
      alert: 'WalletRiskServiceIsDown',
      series: [['riskcli_up', '1 0x9']],
      of: { base_url: 'https://api.example.com' },
      value: '0',
      up: [2, 5],
      down: [0, 1],
    },
  ];

  it('have each alert up and down at its hours, and say what it is', async () => {
    const tests = cases.map(testOf);
    const path = join(temporaryFolder(), 'alerts.json');
    writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1h', tests }));
    expect(await promtool('test', 'rules', path)).toMatchObject({
      status: 0,
      told: expect.stringContaining('SUCCESS'),
    });
  });

  interface Case {
    readonly alert: string;
    /** Name, values an hour apart, more labels. */
    readonly series: readonly (readonly [string, string, Record<string, string>?])[];
    /** Labels of every series; a list's unless said. */
    readonly of?: Record<string, string>;
    readonly labels?: Record<string, string>;
    readonly value?: string;
    readonly up: readonly number[];
    readonly down: readonly number[];
  }

  /** A test as promtool takes it. */
  function testOf({ alert, series, of = LIST, labels = of, value = '', up, down }: Case) {
    const words = { ...labels, $value: value } as Record<string, string>;
    const summary = summaryOf(alert).replaceAll(
      /\{\{ (?:\$labels\.)?(\$?\w+) \}\}/g,
      (_, name: string) => words[name] ?? '',
    );
    const at = (hour: number, exp_alerts: readonly unknown[]) => ({
      eval_time: `${hour}h`,
      alertname: alert,
      exp_alerts,
    });
    return {
      interval: '1h',
      input_series: series.map(([name, values, more = {}]) => ({
        series: `${name}{${Object.entries({ ...of, ...more }).map(([label, value]) => `${label}="${value}"`)}}`,
        values,
      })),
      alert_rule_test: [
        ...up.map((hour) => at(hour, [{ exp_labels: labels, exp_annotations: { summary } }])),
        ...down.map((hour) => at(hour, [])),
      ],
    };
  }
});
