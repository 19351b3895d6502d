// What a list costs when nothing is promised: undici, JSON.parse, a line a row; no order, no journal, no retry. The yardstick
// of bench:yardsticks. Arguments: base URL, file of addresses, requests in flight, requests a second (no limit when absent).
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers/promises';
import { Pool } from 'undici';

const [, , base, file, inFlight, perSecond] = process.argv;
const { origin, pathname } = new URL(base);
// On a loaded machine a connection may take longer than undici waits for one: 10 s.
const pool = new Pool(origin, { connections: Number(inFlight), connect: { timeout: 60_000 } });
const wallets = readFileSync(file, 'utf8').trim().split('\n');
const headers = { 'x-api-key': process.env.RISKCLI_API_KEY };
let next = 0;

async function ask(wallet) {
  const path = `${pathname.replace(/\/$/, '')}/v1/risk-profile/${wallet}`;
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
  const document = JSON.parse(await body.text());
  process.stdout.write(`${JSON.stringify({ ...document, _meta: { status: statusCode } })}\n`);
}

async function work() {
  while (next < wallets.length) await ask(wallets[next++]);
}

async function atPace() {
  const asked = [];
  for await (const _ of setInterval(1000 / perSecond)) {
    asked.push(ask(wallets[next++]));
    if (next === wallets.length) break;
  }
  await Promise.all(asked);
}

if (perSecond) await atPace();
else await Promise.all(Array.from({ length: Number(inFlight) }, work));
await pool.close();
