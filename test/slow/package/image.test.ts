/**
 * The image for containers, built by buildah from the Dockerfile and the package, upon a base of
 * this machine's node and of the few programs that the Dockerfile runs: no registry is asked. Its
 * files are then run as a container's are, with a root, a user and process numbers of their own.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { packInto } from '../../fixtures/package/package.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { startService } from '../../fixtures/service/sandbox.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const UNSHARE = 'unshare --pid --fork --mount-proc --kill-child';
const sh = (line: string, cwd: string) =>
  execFileSync('bash', ['--norc', '-c', line], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Programs and what they load, from this machine, below `folder`. */
function copyPrograms(folder: string) {
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
  mkdirSync(join(folder, 'tmp'), { mode: 0o1777 });
  mkdirSync(join(folder, 'proc'));
  for (const program of ['/bin/sh', '/usr/bin/env', '/usr/bin/ln', '/usr/bin/install', process.execPath]) {
    sh(`cp -L --parents $({ echo '${program}'; ldd '${program}' | grep -o '/[^ ]*'; } | sort -u) '${folder}'`, '/');
  }
}

const canRun = process.getuid?.() === 0 && spawnSync('bash', ['-c', `${UNSHARE} true`]).status === 0;

describe.skipIf(!installed('buildah') || !canRun)('the image for containers (buildah, as root)', () => {
  let folder: string;
  let rootfs: string;
  let buildah: (args: string) => string;
  let config: Record<string, unknown> & {
    readonly Env: string[];
    readonly Entrypoint: string[];
    readonly Cmd: string[];
  };

  beforeAll(() => {
    folder = temporaryFolder();
    const store = `--root '${folder}/store' --runroot '${folder}/run' --storage-driver vfs`;
    buildah = (args) => sh(`buildah ${store} ${args}`, folder).trim();
    copyPrograms(join(folder, 'base'));
    const base = buildah('from scratch');
    buildah(`copy --quiet ${base} base /`);
    buildah(`config --env PATH=/usr/local/bin:/usr/bin:/bin ${base}`);
    buildah(`commit --quiet --rm ${base} localhost/base`);
    mkdirSync(join(folder, 'image'));
    packInto(join(folder, 'image'));
    const file = `--build-arg BASE=localhost/base --file '${join(ROOT, 'Dockerfile')}'`;
    buildah(`build --quiet --isolation chroot --pull-never ${file} --tag riskcli image`);
    config = JSON.parse(buildah('inspect --type image riskcli')).OCIv1.config;
    rootfs = buildah(`mount ${buildah('from --pull-never riskcli')}`);
    // Set by whoever runs the container.
    sh(`mknod --mode 666 '${rootfs}/dev/null' c 1 3`, '/');
  }, 600_000);
  afterAll(() => {
    if (buildah) buildah('umount --all');
  });

  /** The line that starts a container with `args`, and `variables` beside those of the image. */
  const container = (args: string, variables: Record<string, string> = {}) => {
    const env = [...config.Env, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
    const words = env.map((word) => `'${word}'`).join(' ');
    const [uid, gid] = String(config.User).split(':');
    const place = `--root '${rootfs}' --wd '${config.WorkingDir}' --setgid ${gid} --setuid ${uid}`;
    return `exec env -i PATH="$PATH" ${UNSHARE} ${place} /usr/bin/env -i ${words} ${config.Entrypoint.join(' ')} ${args}`;
  };

  it('runs riskcli as a user of its own, and shows the help when nothing is asked', async () => {
    expect(config).toMatchObject({ User: '1000:1000', WorkingDir: '/data', Volumes: { '/data': {} } });
    const { stdout, exitCode } = await start(container(config.Cmd.join(' '))).done;
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining('Usage: riskcli'), exitCode: 0 });
  });

  it('holds the package and no key', () => {
    const packed = sh(`tar -tf image/*.tgz | sed 's/^package//' | sort`, folder);
    expect(sh(`cd '${rootfs}/opt/package' && find . -type f | sed 's/^.//' | sort`, folder)).toBe(packed);
    expect(config.Env.map((variable) => variable.split('=', 1)[0]).sort()).toEqual(['HOME', 'PATH']);
    expect(sh(`find '${rootfs}/data' '${rootfs}/tmp'`, folder).trim().split('\n')).toEqual([
      `${rootfs}/data`,
      `${rootfs}/tmp`,
    ]);
  });

  it('takes the key from a file, and keeps what should last in its volume', async () => {
    const { baseUrl, key } = await startService();
    writeFileSync(join(rootfs, 'data/list.txt'), addresses(5).join('\n'));
    // The newest file that is not riskcli's; newer ones are.
    writeFileSync(join(rootfs, 'key'), key, { mode: 0o444 });
    const env = { RISKCLI_BASE_URL: baseUrl, RISKCLI_API_KEY_FILE: '/key' };
    const ran = await start(container('profile -f list.txt -o out.csv', env)).done;
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    const shown = await start(container('keys show --json', env)).done;
    expect(JSON.parse(shown.stdout)).toMatchObject({ requests_this_month: 5 });
    const one = await start(container(`profile ${WALLET} --json`, env)).done;
    expect(JSON.parse(one.stdout)).toMatchObject({ wallet_address: WALLET });
    const owners = sh(`find data -mindepth 1 -newer key -printf '%U\\n' | sort -u`, rootfs).trim();
    expect(owners).toBe('1000');
    expect(sh(`find . -xdev -newer key -type f -not -path './data/*' -not -path './proc/*'`, rootfs)).toBe('');
  });

  it('obeys docker stop as process 1, and the answers that were paid for are kept', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using service = await startSlowService({ after: () => released });
    const env = { RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: 'wrp_q7Zt-Xk_2Lm9Rv4Bn8' };
    writeFileSync(join(rootfs, 'data/stop.txt'), addresses(3).join('\n'));
    const { child, done, said } = start(container('profile -f stop.txt -o stop.csv', env));
    await Promise.race([service.reached(3), done]);
    const [first] = sh(`cat /proc/${child.pid}/task/${child.pid}/children`, '/').trim().split(' ');
    process.kill(Number(first), 'SIGTERM');
    await said('waiting up to 8 s for 3 requests');
    release();
    expect(await done).toMatchObject({ exitCode: 143 });
    const again = await start(container('profile -f stop.txt -o stop.csv', env)).done;
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('answers used again: 3') });
    expect(service.requests()).toBe(3);
  });
});
