// What a list costs when nothing is promised: undici, JSON.parse, a line a row; no order, no journal, no retry. The yardstick
// of bench:lists. Arguments: base URL, file of addresses, requests in flight.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [, , base, file, inFlight] = process.argv;
const { origin, pathname } = new URL(base);
const pool = new Pool(origin, { connections: Number(inFlight) });
const wallets = readFileSync(file, 'utf8').trim().split('\n');
const headers = { 'x-api-key': process.env.RISKCLI_API_KEY };
let next = 0;

async function work() {
  while (next < wallets.length) {
    const path = `${pathname.replace(/\/$/, '')}/v1/risk-profile/${wallets[next++]}`;
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    const document = JSON.parse(await body.text());
    process.stdout.write(`${JSON.stringify({ ...document, _meta: { status: statusCode } })}\n`);
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, work));
await pool.close();
