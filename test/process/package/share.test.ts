/**
 * The files of share/, judged by the programs that they are for. A program that is not installed is
 * skipped by name.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadCommand } from '../../../src/cli/command.ts';
import { commands } from '../../../src/commands/index.ts';
import { ExitCode } from '../../../src/errors.ts';
import { BINARY, quoted, runLine } from '../../fixtures/cli/process.ts';
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

  it('count a review that matched as done', () => {
    const text = read('systemd/riskcli-review@.service');
    expect(text).toContain('\nSuccessExitStatus=3 10 143\n');
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/riskcli review - --keep /m);
  });

  it('use options that profile has', async () => {
    const typed = /^ExecStart=\/usr\/bin\/riskcli profile (.*)$/m.exec(service)?.[1]?.match(/--[a-z-]+/g);
    expect(typed).toEqual(['--max-age']);
    expect(await flagsOf('profile')).toEqual(expect.arrayContaining(typed ?? []));
  });

  it.skipIf(!installed('systemd-analyze'))('are accepted by systemd-analyze, and leave little open', async () => {
    const folder = temporaryFolder();
    const paths = ['riskcli-list', 'riskcli-review']
      .flatMap((name) => [`${name}@.service`, `${name}@.timer`])
      .map((name) => {
        const path = join(folder, name);
        // systemd-analyze asks whether the program is there.
        writeFileSync(path, read(`systemd/${name}`).replaceAll('/usr/bin/riskcli', BINARY));
        return path;
      });
    // Of 100: the rest is due to the network, and because the service is not confined to one
    // address.
    const [verified, judged] = await Promise.all([
      ends('systemd-analyze', 'verify', ...paths),
      ends('systemd-analyze', 'security', '--offline=yes', '--threshold=20', paths[0]!),
    ]);
    expect(verified).toEqual({ told: '', status: 0 });
    expect(judged).toMatchObject({ status: 0 });
  });
});

it.skipIf(!installed('systemd-analyze'))(
  'the drop-ins and units of the pages are accepted by systemd-analyze',
  async () => {
    const pages = ['recipes', 'monitoring'].map((name) => readFileSync(join(SHARE, `../docs/${name}.md`), 'utf8'));
    const blocks = pages.flatMap((page) => [...page.matchAll(/```ini\n(.*?)```/gs)].map(([, block = '']) => block));
    expect(blocks).toHaveLength(2);
    const folder = temporaryFolder();
    const review = read('systemd/riskcli-review@.service').replaceAll('/usr/bin/riskcli', BINARY);
    const paths = blocks.map((block, i) => {
      const path = join(folder, `unit${i}@.service`);
      writeFileSync(path, block.includes('ExecStart=') ? block : `${review}\n${block}`);
      return path;
    });
    expect(await ends('systemd-analyze', 'verify', ...paths)).toEqual({ told: '', status: 0 });
  },
);

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

  it('are accepted', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatchObject({
      status: 0,
      told: expect.stringContaining('SUCCESS'),
    });
  });

  const URL_ = 'https://api.example.com';
  const UP = `riskcli_up{base_url="${URL_}"}`;
  it.each([
    [
      'WalletRiskServiceIsDown',
      UP,
      '1 0x9',
      { base_url: URL_ },
      `The service at ${URL_} has been down for five minutes.`,
    ],
    [
      'WalletRiskServiceIsNotChecked',
      UP,
      '1 _x9',
      {},
      'No machine has checked the service for five minutes: look at cron and node_exporter.',
    ],
    [
      'WalletRiskServiceCheckIsOld',
      'node_textfile_mtime_seconds{file="/var/lib/node_exporter/riskcli.prom",instance="a"}',
      '0 120 120x8',
      { file: '/var/lib/node_exporter/riskcli.prom', instance: 'a' },
      'riskcli.prom on a has not been written for five minutes: look at cron.',
    ],
  ])('have %s up after five minutes, and say what it is', async (alertname, series, values, exp_labels, summary) => {
    const at = (eval_time: string, exp_alerts: readonly unknown[]) => ({ eval_time, alertname, exp_alerts });
    const test = {
      interval: '1m',
      input_series: [{ series, values }],
      alert_rule_test: [at('0m', []), at('3m', []), at('12m', [{ exp_labels, exp_annotations: { summary } }])],
    };
    const path = join(temporaryFolder(), 'alerts.json');
    writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }));
    expect(await promtool('test', 'rules', path)).toMatchObject({
      status: 0,
      told: expect.stringContaining('SUCCESS'),
    });
  });
});
