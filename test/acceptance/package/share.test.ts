/** The files of share/, judged by the programs that they are for. A program that is not installed is skipped by name. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands, loadCommand } from '../../../src/commands/index.ts';
import { ExitCode } from '../../../src/errors.ts';
import { temporaryFolder } from '../../helpers/place/folder.ts';
import { BINARY } from '../../helpers/process/binary.ts';
import { installed } from '../../helpers/process/installed.ts';

const SHARE = fileURLToPath(new URL('../../../share/', import.meta.url));
const read = (path: string) => readFileSync(join(SHARE, path), 'utf8');
const flagsOf = async (name: string) => {
  const { flags = [] } = await loadCommand(commands.find((command) => command.name === name)!);
  return flags.map(({ long }) => `--${long}`);
};

it('the files of share/ are all named in the README', () => {
  const readme = readFileSync(join(SHARE, '../README.md'), 'utf8');
  const files = readdirSync(SHARE, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => !readme.includes(`\`${path}\``))).toEqual([]);
});

describe('the units for systemd', () => {
  const service = read('systemd/riskcli-list@.service');
  const codes = (name: string) =>
    (new RegExp(`^${name}=(.*)$`, 'm').exec(service)?.[1] ?? '').split(' ').map(Number).filter(Boolean);

  it('try again after 5 and nothing else, and take a list that is done for a success', () => {
    const [success, prevented] = [codes('SuccessExitStatus'), codes('RestartPreventExitStatus')];
    expect(success).toEqual([ExitCode.rows, ExitCode.terminated]);
    const { ok, temporary } = ExitCode;
    expect([ok, temporary, ...success, ...prevented].sort()).toEqual(Object.values(ExitCode).sort());
  });

  it('type options that profile has', async () => {
    const typed = /^ExecStart=\/usr\/bin\/riskcli profile (.*)$/m.exec(service)?.[1]?.match(/--[a-z-]+/g);
    expect(typed).toEqual(['--max-age', '--metrics']);
    expect(await flagsOf('profile')).toEqual(expect.arrayContaining(typed ?? []));
  });

  it.skipIf(!installed('systemd-analyze'))('are accepted by systemd-analyze, and leave little open', () => {
    const folder = temporaryFolder();
    const paths = ['riskcli-list@.service', 'riskcli-list@.timer'].map((name) => {
      const path = join(folder, name);
      // systemd-analyze asks whether the program is there.
      writeFileSync(path, read(`systemd/${name}`).replaceAll('/usr/bin/riskcli', BINARY));
      return path;
    });
    const analyze = (...args: string[]) => {
      const { stdout, stderr, status } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      return { told: stdout + stderr, status };
    };
    expect(analyze('verify', '--man=no', ...paths)).toEqual({ told: '', status: 0 });
    // Of 100: what is left is the network, and that the service is not confined to one address.
    expect(analyze('security', '--offline=yes', '--threshold=20', paths[0]!)).toMatchObject({ status: 0 });
  });
});

describe('the check for Icinga', () => {
  it('types options that health has', async () => {
    const typed = [...read('icinga/riskcli.conf').matchAll(/"(--[a-z-]+)" ?=/g)].map(([, flag]) => flag);
    expect(typed.length).toBeGreaterThan(3);
    expect(await flagsOf('health')).toEqual(expect.arrayContaining(typed));
  });
});

describe.skipIf(!installed('promtool'))('the rules for Prometheus (promtool)', () => {
  const RULES = join(SHARE, 'prometheus/riskcli.rules.yml');
  const promtool = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync('promtool', args, { encoding: 'utf8' });
    return { told: stdout + stderr, status };
  };
  const summaryOf = (alert: string) =>
    new RegExp(`alert: ${alert}\\n(?:.*\\n)*? +summary: '(.*)'`).exec(read('prometheus/riskcli.rules.yml'))?.[1] ?? '';

  it('are accepted', () => {
    expect(promtool('check', 'rules', RULES)).toMatchObject({ status: 0, told: expect.stringContaining('SUCCESS') });
  });

  const LIST = { environment: 'prod', list: 'nightly' };
  /** Hours of the test's clock, which begins with 1970, at which the alert is up; it is down at the others. */
  it.each([
    // A list that was never gone through has the time 0, which is when this clock begins.
    { alert: 'WalletListIsOld', series: [['last_complete_timestamp_seconds', '0x50']], up: [27, 40], down: [1, 25] },
    // Gone through after 24 hours, as it should, and not after 48.
    {
      alert: 'WalletListIsOld',
      series: [['last_complete_timestamp_seconds', '0x23 86400x40']],
      up: [51, 60],
      down: [25, 49],
    },
    { alert: 'WalletListIsOld', series: [['requests', '1x50']], labels: {}, up: [1], down: [] },
    { alert: 'WalletListFailed', series: [['last_run_exit_code', '0 0 5x9']], value: '5', up: [4, 8], down: [1, 3] },
    // Tried again within the time that the unit takes.
    { alert: 'WalletListFailed', series: [['last_run_exit_code', '0 5 0x9']], up: [], down: [1, 2, 3, 4] },
    { alert: 'WalletListFailed', series: [['last_run_exit_code', '3x5 10x5']], up: [], down: [4, 9] },
    {
      alert: 'WalletMatched',
      series: [['matched_rows', '0 0 7', { rule: 'low score' }]],
      labels: { ...LIST, rule: 'low score' },
      value: '7',
      up: [2],
      down: [0, 1],
    },
    {
      alert: 'MonthlyRequestsRunOut',
      series: [
        ['monthly_requests_left', '100 50 20'],
        ['requests', '50x2'],
        ['last_run_timestamp_seconds', '0x2'],
      ],
      value: '20',
      up: [2],
      down: [0],
    },
    // February has begun, and the list has not run yet.
    {
      alert: 'MonthlyRequestsRunOut',
      series: [
        ['monthly_requests_left', '20x800'],
        ['requests', '50x800'],
        ['last_run_timestamp_seconds', '0x800'],
      ],
      value: '20',
      up: [31 * 24 - 1],
      down: [31 * 24],
    },
    { alert: 'ApiKeyIsOld', series: [['key_age_seconds', '7776000 7776001']], up: [1], down: [0] },
  ] satisfies Case[])('$alert: up at $up, down at $down', (given: Case) => {
    const { alert, series, labels = LIST, value = '', up, down } = given;
    expectAlerts({
      series: series.map(([name, values, more = {}]) => [`riskcli_list_${name}`, { ...LIST, ...more }, values]),
      alerts: { alert, labels, value, up, down },
    });
  });

  it('say when the service is down for five minutes', () => {
    const labels = { base_url: 'https://api.example.com' };
    const series = [['riskcli_up', labels, '1 0x9']] as const;
    expectAlerts({
      series,
      alerts: { alert: 'WalletRiskServiceIsDown', labels, value: '0', up: [2, 5], down: [0, 1] },
    });
  });

  interface Case {
    readonly alert: string;
    /** Name, values an hour apart, more labels. */
    readonly series: readonly (readonly [string, string, Record<string, string>?])[];
    readonly labels?: Record<string, string>;
    readonly value?: string;
    readonly up: readonly number[];
    readonly down: readonly number[];
  }
  interface Expected extends Omit<Case, 'series'> {
    readonly labels: Record<string, string>;
  }

  function expectAlerts({
    series,
    alerts,
  }: {
    readonly series: readonly (readonly [string, Record<string, string>, string])[];
    readonly alerts: Expected;
  }) {
    const { alert, labels, value = '', up, down } = alerts;
    const words = { ...labels, $value: value } as Record<string, string>;
    const summary = summaryOf(alert).replaceAll(
      /\{\{ (?:\$labels\.)?(\$?\w+) \}\}/g,
      (_, name: string) => words[name] ?? '',
    );
    const isUp = (hour: number, exp_alerts: readonly unknown[]) => ({
      eval_time: `${hour}h`,
      alertname: alert,
      exp_alerts,
    });
    const test = {
      interval: '1h',
      input_series: series.map(([name, labels, values]) => ({
        series: `${name}{${Object.entries(labels).map(([label, value]) => `${label}="${value}"`)}}`,
        values,
      })),
      alert_rule_test: [
        ...up.map((hour) => isUp(hour, [{ exp_labels: labels, exp_annotations: { summary } }])),
        ...down.map((hour) => isUp(hour, [])),
      ],
    };
    const path = join(temporaryFolder(), 'alerts.json');
    writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1h', tests: [test] }));
    expect(promtool('test', 'rules', path)).toMatchObject({ status: 0, told: expect.stringContaining('SUCCESS') });
  }
});
