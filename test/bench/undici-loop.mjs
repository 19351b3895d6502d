// A list as one would write it with undici alone: 50 at once, a time limit each, answers parsed, a line
// of JSON each on stdout; no order, no journal, no retry. Arguments: base URL, list.
import { readFileSync } from 'node:fs';
import { Pool, request } from 'undici';

const [base, list] = process.argv.slice(2);
const wallets = readFileSync(list, 'utf8').trim().split('\n').values();
const headers = { 'x-api-key': process.env.RISKCLI_API_KEY };
const dispatcher = new Pool(base, { connections: 50 });

async function work() {
  for (const wallet of wallets) {
    const signal = AbortSignal.timeout(30_000);
    const { statusCode, body } = await request(`${base}/v1/risk-profile/${wallet}`, { dispatcher, headers, signal });
    const document = JSON.parse(await body.text());
    process.stdout.write(`${JSON.stringify({ ...document, _meta: { status: statusCode } })}\n`);
  }
}

await Promise.all(Array.from({ length: 50 }, work));
await dispatcher.close();
