/** The files of share/, judged by the programs that they are for. A program that is not installed is skipped by name. */
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
    expect(typed).toEqual(['--max-age', '--summary']);
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
    // Of 100: the rest is due to the network, and because the service is not confined to one address.
    const [verified, judged] = await Promise.all([
      ends('systemd-analyze', 'verify', '--man=no', ...paths),
      ends('systemd-analyze', 'security', '--offline=yes', '--threshold=20', paths[0]!),
    ]);
    expect(verified).toEqual({ told: '', status: 0 });
    expect(judged).toMatchObject({ status: 0 });
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

  it('are accepted', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatchObject({
      status: 0,
      told: expect.stringContaining('SUCCESS'),
    });
  });

  it('have the alert up after five minutes, and say what it is', async () => {
    const labels = { base_url: 'https://api.example.com' };
    const summary = `The service at ${labels.base_url} has been down for five minutes.`;
    const at = (eval_time: string, exp_alerts: readonly unknown[]) => ({
      eval_time,
      alertname: 'WalletRiskServiceIsDown',
      exp_alerts,
    });
    const test = {
      interval: '1m',
      input_series: [{ series: `riskcli_up{base_url="${labels.base_url}"}`, values: '1 0x9' }],
      alert_rule_test: [at('0m', []), at('3m', []), at('8m', [{ exp_labels: labels, exp_annotations: { summary } }])],
    };
    const path = join(temporaryFolder(), 'alerts.json');
    writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }));
    expect(await promtool('test', 'rules', path)).toMatchObject({
      status: 0,
      told: expect.stringContaining('SUCCESS'),
    });
  });
});
