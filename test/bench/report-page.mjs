// How fast the page of 10,000 rows opens and searches in Chromium, which `npm run bench:page` prints: node test/bench/report-page.mjs [rows]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [rows = '10000'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'riskcli-page-'));
const [file, page] = [join(folder, 'scored.jsonl'), join(folder, 'page.html')];
const program = fileURLToPath(new URL('../../bin/riskcli.js', import.meta.url));

function rowOf(i) {
  const score = 300 + ((i * 7919) % 550);
  const wallet = `0x${(i * 7919).toString(16).padStart(40, '0')}`;
  const level = score < 450 ? 'High Risk' : score < 650 ? 'Medium Risk' : 'Low Risk';
  const factors = Array.from({ length: 8 }, (_, n) => ({ factor: `factor ${n}`, impact: ((i * n) % 100) / 7 }));
  return JSON.stringify({
    wallet_address: wallet,
    total_collateral_usd: ((i * 104_729) % 1e9) / 7,
    defi_score: { defi_score: score, risk_level: level, factors },
    _meta: {
      line: i,
      input: { customer: `Customer ${i}`, wallet, desk: ['Alpha', 'Beta', 'Gamma'][i % 3] },
      status: 'scored',
      score,
      answered_at: '2026-01-02T03:04:05.000Z',
    },
  });
}

/** From a letter to the rows that it leaves, laid out: a script for the page. */
const SEARCHES = `['c', 'cu', 'customer', 'customer 7', 'customer 79', 'beta', 'beta 0x0', 'medium risk gamma', ''].map((text) => {
  const field = document.getElementById('search');
  const start = performance.now();
  field.value = text;
  field.dispatchEvent(new Event('input'));
  document.body.offsetHeight;
  return performance.now() - start;
})`;

writeFileSync(file, Array.from({ length: Number(rows) }, (_, i) => `${rowOf(i + 1)}\n`).join(''));
try {
  execFileSync(process.execPath, [program, 'report', file, '-o', page, '--fail-if', 'low: score < 350'], {
    stdio: 'ignore',
  });
} catch (error) {
  // What matched is an alarm.
  if (error.status !== 10) throw error;
}
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const [opened, searched] = [[], []];
for (let run = 0; run < 5; run++) {
  const tab = await browser.newPage();
  await tab.goto(`file://${page}`);
  opened.push(await tab.evaluate("performance.getEntriesByType('navigation')[0].domComplete"));
  searched.push(Math.max(...(await tab.evaluate(SEARCHES))));
  await tab.close();
}
await browser.close();
const median = (values) => Math.round(values.sort((a, b) => a - b)[2]);
console.log(
  `${rows} rows, ${(statSync(page).size / 1e6).toFixed(1)} MB: open after ${median(opened)} ms, slowest search ${median(searched)} ms`,
);
rmSync(folder, { recursive: true });
