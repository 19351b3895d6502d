/** A name server for A records, slow or unreliable, and a command line under which the system asks it and no other. */
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../place/folder.ts';

/** Port 53 and a mount table of its own are root's. */
export const canServeNames = spawnSync('unshare', ['--mount', 'true']).status === 0 && process.getuid?.() === 0;

export interface NameServer extends AsyncDisposable {
  /** Questions for A records so far. */
  readonly asked: () => number;
  /** Begins a line of bash that is to ask this server. */
  readonly prefix: string;
}

export interface NameServerOptions {
  readonly addresses: readonly string[];
  /** How long each answer takes, milliseconds. */
  readonly latencyMs?: number;
  /** So many questions for A records get SERVFAIL. */
  readonly failures?: number;
}

const A_RECORD = 1;

/** Listens where no other does: `host` is the last number of its address. */
export async function startNameServer(host: number, options: NameServerOptions): Promise<NameServer> {
  const { addresses, latencyMs = 0, failures = 0 } = options;
  const own = `127.53.53.${host}`;
  const file = join(temporaryFolder(), 'resolv.conf');
  writeFileSync(file, `nameserver ${own}\n`);
  let asked = 0;
  let isOpen = true;
  const server = createSocket('udp4').on('message', (message, { port, address }) => {
    const end = message.indexOf(0, 12) + 5;
    const isForA = message.readUInt16BE(end - 4) === A_RECORD;
    if (isForA) asked += 1;
    const hasFailed = isForA && asked <= failures;
    const records = isForA && !hasFailed ? addresses.map(recordOf) : [];
    // RFC 1035, 4.1.1: the question's number; a recursive answer, with its code; one question, so many records.
    const head = [message[0], message[1], 0x81, hasFailed ? 0x82 : 0x80, 0, 1, 0, records.length, 0, 0, 0, 0];
    const answer = Buffer.concat([Buffer.from(head as number[]), message.subarray(12, end), ...records]);
    setTimeout(() => isOpen && server.send(answer, port, address, () => {}), latencyMs);
  });
  server.bind(53, own);
  await once(server, 'listening');
  return {
    asked: () => asked,
    prefix: `unshare --mount bash -c 'mount --bind ${file} /etc/resolv.conf && exec "$@"' -- `,
    async [Symbol.asyncDispose]() {
      isOpen = false;
      server.close();
    },
  };
}

/** RFC 1035, 4.1.3: the name of the question, type A, class IN, kept for a second, four bytes. */
function recordOf(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, A_RECORD, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]);
}
