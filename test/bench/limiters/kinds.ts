/**
 * Limiters as others wrote them, each started in front of the same service. What one does not say
 * of itself is what makes it worth trying: windows that begin with the first request or slide,
 * refusals that count, headers that are missing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LimiterKind, LIMITERS as MODELS, type Plan } from '../pacing/limiters.ts';
import { end, endWithUs, freePort, startProgram } from '../server-program.ts';

export interface Setting {
  readonly plan: Plan;
  /** How long an answer takes, milliseconds. */
  readonly answerMs: { readonly least: number; readonly most: number };
  /** For files of this run alone. */
  readonly folder: string;
}

export interface Running {
  readonly url: string;
  /** Answers with 429 so far, as the limiter itself counts them. */
  refused(): Promise<number>;
  stop(): Promise<void>;
}

export interface Limiter {
  readonly name: string;
  /** The program that it needs; the others are npm packages. */
  readonly program?: string;
  /** When it lets the last of many requests through, at best. */
  readonly ideal: LimiterKind['ideal'];
  /** 429s in 1,000 requests at most; none where only the table shows how it goes. */
  readonly mostRefused?: number;
  readonly start: (setting: Setting) => Promise<Running>;
}

export const LIMITERS: readonly Limiter[] = [
  { name: 'express-rate-limit', ideal: MODELS.fixed.ideal, mostRefused: 2, start: startPackage('express') },
  { name: '@fastify/rate-limit', ideal: MODELS.fixed.ideal, mostRefused: 2, start: startPackage('fastify') },
  { name: 'rate-limiter-flexible', ideal: MODELS.fixed.ideal, mostRefused: 2, start: startPackage('flexible') },
  {
    name: 'nginx limit_req',
    program: 'nginx',
    ideal: MODELS.gcra.ideal,
    mostRefused: 2,
    start: (setting) => startNginx(setting, `add_header X-RateLimit-Limit ${setting.plan.rate} always;`),
  },
  { name: 'nginx limit_req, no headers', program: 'nginx', ideal: MODELS.gcra.ideal, start: startNginx },
  { name: 'HAProxy stick table', program: 'haproxy', ideal: MODELS.strict.ideal, mostRefused: 6, start: startHaproxy },
];

const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));

/**
 * The service in a process of its own, behind the limiter `kind` of an npm package; `none` for
 * behind a proxy.
 */
function startPackage(kind: string): (setting: Setting) => Promise<Running> {
  return async ({ plan, answerMs }) => {
    const child = endWithUs(fork(SERVER, [kind, plan.rate, answerMs.least, answerMs.most].map(String)));
    const [port] = await once(child, 'message');
    return {
      url: `http://127.0.0.1:${port}`,
      async refused() {
        child.send('refused?');
        const [count] = await once(child, 'message');
        return Number(count);
      },
      stop: () => end(child),
    };
  };
}

async function startNginx({ plan, answerMs, folder }: Setting, headers = ''): Promise<Running> {
  const service = await startPackage('none')({ plan, answerMs, folder });
  const port = await freePort();
  const log = join(folder, 'access.log');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/tmp;`);
  const config = `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    worker_rlimit_nofile 16384;
    events { worker_connections 8000; }
    http {
      ${paths.join('\n')}
      log_format status '$status';
      access_log ${log} status;
      limit_req_zone $http_x_api_key zone=keys:1m rate=${plan.rate}r/s;
      limit_req_status 429;
      limit_req_log_level info;
      upstream service { server ${new URL(service.url).host}; keepalive 2000; }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        ${headers}
        location / {
          limit_req zone=keys burst=${plan.burst} nodelay;
          proxy_pass http://service;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
    }`;
  const child = await startProgram('nginx', {
    config,
    folder,
    port,
    args: (file) => ['-e', 'stderr', '-p', folder, '-c', file],
  });
  return {
    url: `http://127.0.0.1:${port}`,
    refused: async () => readFileSync(log, 'utf8').split('429').length - 1,
    stop: async () => void (await Promise.all([end(child), service.stop()])),
  };
}

/** As its manual has it: a request is counted, refused or not, and the last second slides. */
async function startHaproxy({ plan, answerMs, folder }: Setting): Promise<Running> {
  const service = await startPackage('none')({ plan, answerMs, folder });
  const port = await freePort();
  const statisticsPort = await freePort();
  const config = `
global
  maxconn 8000
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend api
  bind 127.0.0.1:${port}
  stick-table type string len 64 size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 hdr(x-api-key)
  http-request set-var(txn.rate) sc_http_req_rate(0)
  http-after-response set-header X-RateLimit-Limit ${plan.rate}
  http-after-response set-header X-RateLimit-Remaining 0
  http-after-response set-header X-RateLimit-Remaining %[int(${plan.rate}),sub(txn.rate)] if { var(txn.rate) -m int le ${plan.rate} }
  http-after-response set-header X-RateLimit-Reset %[date(1)]
  http-request return status 429 content-type application/json string '{"error":"rate limit exceeded","retry_after":1}' if { var(txn.rate) -m int gt ${plan.rate} }
  default_backend service
backend service
  server service ${new URL(service.url).host} maxconn 8000
frontend statistics
  bind 127.0.0.1:${statisticsPort}
  stats enable
  stats uri /
`;
  const child = await startProgram('haproxy', { config, folder, port, args: (file) => ['-db', '-f', file] });
  return {
    url: `http://127.0.0.1:${port}`,
    refused: () => haproxyRefusals(statisticsPort),
    stop: async () => void (await Promise.all([end(child), service.stop()])),
  };
}

/**
 * Of the frontend, from the statistics as CSV (HAProxy's management guide, section 9.1): it answers
 * 4xx only with 429.
 */
async function haproxyRefusals(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/;csv`);
  const [head, ...rows] = (await response.text()).split('\n').map((line) => line.split(','));
  const frontend = rows.find((row) => row[0] === 'api' && row[1] === 'FRONTEND');
  return Number(frontend?.[head?.indexOf('hrsp_4xx') ?? -1]);
}
