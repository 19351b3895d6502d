/**
 * Pages of reports in a real browser: clicks, keys, search, filters, printing, and what axe finds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileOf } from '../../src/sandbox/profile.ts';
import { cli } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { hasChromium, openBrowser, openFile } from '../fixtures/process/browser.ts';

const ROWS = 10_000;
const folder = temporaryFolder();
const page10k = join(folder, 'page.html');
const page300 = join(folder, 'some.html');
const hostilePage = join(folder, 'hostile.html');
const walletOf = (i: number) => `0x${(i * 7919 + 1).toString(16).padStart(40, '0')}`;

/** A row of a list as riskcli profile writes it. */
function rowOf(i: number, rules: Readonly<Record<string, number>> = { low: 450 }): string {
  const document = profileOf(walletOf(i));
  const score = /"defi_score":\{"defi_score":(\d+)/.exec(document)?.[1];
  const input = `{"id":"${i}","customer":"Customer ${i}","desk":"${['Alpha', 'Beta', 'Gamma'][i % 3]}"}`;
  const matched = Object.keys(rules).filter((name) => Number(score) < Number(rules[name]));
  const meta = `{"line":${i},"input":${input},"status":"${score ? 'scored' : 'no_score'}","score":${score ?? null},"answered_at":"2026-01-02T03:04:05.000Z","matched":${JSON.stringify(matched)}}`;
  return `${document.slice(0, -1)},"_meta":${meta}}\n`;
}

const ATTACK =
  '</script><script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">\u202e\u0000';

function hostileRow(i: number): string {
  const document = {
    wallet_address: walletOf(i),
    total_collateral_usd: ATTACK,
    defi_score: { defi_score: 300 + i, [ATTACK]: `${ATTACK}${i % 2}` },
    [ATTACK]: [{ [ATTACK]: ATTACK }],
    errors: { [ATTACK]: ATTACK },
    constructor: { prototype: ATTACK },
  };
  const text = JSON.stringify(document).replace('"constructor"', '"__proto__"');
  const meta = {
    line: i,
    input: { [ATTACK]: ATTACK },
    status: 'scored',
    score: 300 + i,
    answered_at: '2026-01-02T03:04:05.000Z',
    warning: ATTACK,
    matched: [ATTACK],
  };
  return `${text.slice(0, -1)},"_meta":${JSON.stringify(meta)}}\n`;
}

let browser: Browser;
beforeAll(async () => {
  if (!hasChromium) return;
  const make = async (name: string, rows: readonly string[], page: string) => {
    const file = join(folder, `${name}.jsonl`);
    writeFileSync(file, rows.join(''));
    await cli(['report', file, '-o', page]);
  };
  const rows = Array.from({ length: ROWS }, (_, i) => rowOf(i + 1));
  await make('scored', rows, page10k);
  // A browser looks through all rows of a page for what axe finds.
  await make('some', rows.slice(0, 300), page300);
  const hostile = Array.from({ length: 40 }, (_, i) => hostileRow(i + 1));
  await make("<img src=x onerror=alert'1'>", hostile, hostilePage);
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const statusOf = (page: Page) => page.locator('#controls [role=status]').textContent();
const walletsOf = (page: Page) => page.locator('#wallets tbody .address').allTextContents();
const violations = async (page: Page) => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
};

/** How many elements a search makes at the most, whatever is found: a script for the page. */
const MADE_BY_SEARCHES = `(async () => {
  let made = 0;
  const count = (node) => (node.nodeType === 1 ? 1 + node.querySelectorAll('*').length : 0);
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) made += count(node);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const field = document.getElementById('search');
  const most = [];
  for (const text of ['b', 'be', 'bet', 'beta', 'beta 0', 'beta 0x', 'beta 0x0', '']) {
    made = 0;
    field.value = text;
    field.dispatchEvent(new Event('input'));
    await new Promise(requestAnimationFrame);
    most.push(made);
  }
  return Math.max(...most);
})()`;

/** What can be moved sideways: scripts for the page. */
const MOVING_SIDEWAYS = `[...document.querySelectorAll('main section, main .scroll')]
  .filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => element.id || element.className)`;
const SCROLLING = `[...document.querySelectorAll('main *')]
  .filter((element) => element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflowY !== 'visible')
  .map((element) => element.getAttribute('aria-label') || element.tagName)`;
/** What takes more than a line; numbers and addresses never may. */
const broken = (selector: string) => `[...document.querySelectorAll('${selector}')].filter((element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if (range.getClientRects().length > 1) return true;
  }
  return false;
}).map((element) => element.textContent)`;
const BROKEN = broken('tbody .number, .address');
/** Words of a chart that its edge cuts: `$100` is not `$100B`. */
const CUT_BY_CHART = `[...document.querySelectorAll('svg.chart')].filter((chart) => chart.clientWidth > 0).flatMap((chart) => {
  const edge = chart.getBoundingClientRect();
  return [...chart.querySelectorAll('text')].filter((text) => {
    const { left, right, top } = text.getBoundingClientRect();
    return left < edge.left - 0.5 || right > edge.right + 0.5 || top < edge.top - 0.5;
  }).map((text) => text.textContent);
})`;
/** What is on paper, and is cut there. */
const CUT = `[...document.querySelectorAll('main table *, main p')]
  .filter((element) => element.getClientRects().length > 0)
  .filter((element) => getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent)`;

describe.skipIf(!hasChromium)('a page of 10,000 wallets', () => {
  it('makes no more rows than it shows, when it opens and with every letter of a search', async () => {
    const { page, complaints } = await openFile(browser, page10k);
    expect(await page.locator('#wallets tbody tr').count()).toBe(50);
    // 50 rows of some 15 elements each.
    expect(await page.evaluate<number>(MADE_BY_SEARCHES)).toBeLessThan(1_500);
    const search = page.getByLabel('Search wallets');
    await search.fill(walletOf(4_711));
    expect(await statusOf(page)).toBe('wallets 1 of 10,000');
    expect(await walletsOf(page)).toEqual([walletOf(4_711)]);
    await search.fill('customer 79');
    expect(await statusOf(page)).toBe('wallets 1 of 10,000');
    expect(complaints).toEqual([]);
  });

  it('filters by a click on a bar, a count and a value, and takes each filter back', async () => {
    const { page, complaints } = await openFile(browser, page10k);
    const found = async () => Number(((await statusOf(page)) ?? '').split(' ')[1]?.replace(',', ''));
    const bar = page.locator('#score .bar').nth(10);
    const [, expected] = /: ([\d,]+) wallets?$/.exec((await bar.locator('title').textContent()) ?? '') ?? [];
    await bar.click();
    expect(await bar.getAttribute('aria-pressed')).toBe('true');
    expect(await found()).toBe(Number(expected?.replace(',', '')));
    await page.getByRole('button', { name: 'Medium Risk', exact: true }).click();
    const both = await found();
    await page.locator('.chip').first().click();
    await page.locator('.chip').click();
    expect(await found()).toBe(ROWS);
    expect(both).toBeGreaterThan(0);
    const matched = page.locator('#rules button.choice').first();
    const count = Number((await matched.textContent())?.replace(',', ''));
    await matched.click();
    expect(await found()).toBe(count);
    expect(await page.locator('#wallets tbody tr').first().textContent()).toContain('low');
    expect(await page.evaluate<boolean>("document.getElementById('rows').getBoundingClientRect().top >= -1")).toBe(
      true,
    );
    expect(await page.locator('.chip').textContent()).toBe('only matched low × undo');
    await page.locator('.chip').click();
    await page.locator('.tile button').first().click();
    expect(await found()).toBe(count);
    await page.locator('.chip').click();
    expect(complaints).toEqual([]);
  });

  it('sorts by every column and turns its pages', async () => {
    const { page } = await openFile(browser, page10k);
    const scores = async () => (await page.locator('#wallets td.score').allTextContents()).map(Number);
    const head = page.locator('#wallets th[data-key=score]');
    await head.getByRole('button').click();
    const rising = await scores();
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').click();
    expect((await scores())[0]).toBeGreaterThan(rising.at(-1) ?? 0);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBeNull();
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.locator('#pager span').textContent()).toBe('rows 51 to 100 of 10,000');
    expect((await walletsOf(page))[0]).toBe(walletOf(51));
  });

  it('shows the whole card of a wallet, every number as it was spelled', async () => {
    const { page, complaints } = await openFile(browser, page10k);
    const wallet = (await page.locator('#matched button.address').first().textContent()) ?? '';
    await page.getByLabel('Search wallets').fill(wallet);
    await page.locator('#wallets').getByRole('button', { name: wallet }).click();
    await page.locator('dialog').waitFor();
    const card = await page.locator('dialog').innerText();
    const document = profileOf(wallet);
    for (const [, number = ''] of document.matchAll(/:(-?\d+\.\d+)[,}]/g)) expect(card).toContain(number);
    expect(card).toContain('collateral_quality');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });

  it('works by keyboard alone', async () => {
    const { page } = await openFile(browser, page10k);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = (name: string) => page.evaluate<string>(`document.activeElement.getAttribute('${name}')`);
    await page.locator('#score summary').focus();
    await press('Enter', 'Tab', 'Enter');
    const range = await page.locator('#score tbody th').first().textContent();
    expect(await page.locator('.chip').first().textContent()).toBe(`only score ${range} × undo`);
    await page.locator('.chip').first().focus();
    await press('Enter');
    expect(await statusOf(page)).toBe('wallets 10,000');
    expect(await focused('id')).toBe('search');
    await page.locator('#wallets tbody button.address').first().focus();
    await press('Enter');
    await page.locator('dialog').waitFor();
    await press('Escape');
    await page.locator('dialog').waitFor({ state: 'hidden' });
    expect(await focused('class')).toBe('address');
  });

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
  ] as const)('has no violation that axe can find: %s, %d pixels wide', async (colorScheme, width) => {
    const { page, complaints } = await openFile(browser, page300, { colorScheme, viewport: { width, height: 900 } });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.evaluate(MOVING_SIDEWAYS)).toEqual([]);
    expect(await page.evaluate(BROKEN)).toEqual([]);
    await page.locator('#wallets tbody button.address').first().click();
    await page.locator('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('fits a phone where names are long and rows are no wallets', async () => {
    const [file, phone] = [join(folder, 'long.jsonl'), join(folder, 'long.html')];
    const customer = (i: number) => `Delta Neutral Fund ${i} (Cayman) Ltd., segregated portfolio of many years`;
    const rows = [1, 2, 3].map((i) => rowOf(i).replace(`"Customer ${i}"`, `"${customer(i)}"`));
    const input = { id: '4', customer: customer(4), desk: 'x'.repeat(60) };
    const meta = { line: 4, input, status: 'invalid', error: { code: 'not_address', message: 'it is no address' } };
    writeFileSync(file, [...rows, `${JSON.stringify({ _meta: meta })}\n`].join(''));
    await cli(['report', file, '-o', phone]);
    const { page } = await openFile(browser, phone, { viewport: { width: 390, height: 900 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it.each([1_280, 390])(
    'has the whole words of a chart whose last amount is at its edge, %d pixels wide',
    async (width) => {
      const [file, charted] = [join(folder, 'charted.jsonl'), join(folder, 'charted.html')];
      const amounts = Array.from({ length: 12 }, (_, i) => 5e9 * (i + 1));
      const amount = /"total_collateral_usd":[\d.]+/;
      const rows = amounts.map((value, i) => rowOf(i + 1).replace(amount, `"total_collateral_usd":${value}`));
      writeFileSync(file, rows.join(''));
      await cli(['report', file, '-o', charted]);
      const { page } = await openFile(browser, charted, { viewport: { width, height: 900 } });
      expect(await page.locator('#collateral svg:visible text').allTextContents()).toContain('$100B');
      expect(await page.evaluate(CUT_BY_CHART)).toEqual([]);
    },
  );

  it.each([1_280, 1_440])('breaks no level and no short rule beside long names, %d pixels wide', async (width) => {
    const [file, wide] = [join(folder, 'wide.jsonl'), join(folder, 'wide.html')];
    const customer = (i: number) => `Delta Neutral Fund ${i} (Cayman) Ltd., segregated portfolio of many years`;
    const rules = { 'below the lower limit': 700, 'a name that is so long that nobody reads it to its end': 700 };
    const rows = Array.from({ length: 40 }, (_, i) =>
      rowOf(i + 1, rules).replace(`"Customer ${i + 1}"`, `"${customer(i + 1)}"`),
    );
    writeFileSync(file, rows.join(''));
    await cli(['report', file, '-o', wide]);
    const { page } = await openFile(browser, wide, { viewport: { width, height: 900 } });
    expect(await page.locator('.rule').count()).toBeGreaterThan(20);
    expect(await page.locator('td.level:not(.empty)').count()).toBeGreaterThan(20);
    expect(await page.evaluate(`${broken('td.level span, .rule')}.filter((text) => text.length <= 24)`)).toEqual([]);
    expect(await page.evaluate(CUT)).toEqual([]);
    expect(await page.evaluate(MOVING_SIDEWAYS)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  it('has every matched row on paper, and no cell that is cut', async () => {
    const { page } = await openFile(browser, page10k, { viewport: { width: 690, height: 900 } });
    const matched = Number((await page.locator('.tile button').first().textContent())?.replace(',', ''));
    await page.emulateMedia({ media: 'print' });
    expect(matched).toBeGreaterThan(10);
    expect(await page.locator('#matched tbody tr:visible').count()).toBe(matched);
    expect(await page.evaluate(CUT)).toEqual([]);
    expect(await page.evaluate(BROKEN)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(690);
  });

  it('prints, and shows figures, charts and the first rows without its script', async () => {
    const { page } = await openFile(browser, page10k, { javaScriptEnabled: false });
    expect(await page.locator('#wallets tbody tr').count()).toBe(50);
    expect(await page.locator('svg.chart:visible').count()).toBe(2);
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    const sizes = [...pdf.toString('latin1').matchAll(/\/MediaBox ?\[([\d. ]+)\]/g)].map(([, size]) =>
      size?.split(' ').map((side) => Math.round(Number(side))),
    );
    expect(sizes.length).toBeGreaterThan(1);
    // A4 in points.
    for (const size of sizes) expect(size).toEqual([0, 0, 595, 842]);
  });
});

it.skipIf(!hasChromium)('shows the rows of a number, and the card of a row of its sections', async () => {
  const [list, reviewed] = [join(folder, 'list.csv'), join(folder, 'review.html')];
  const wallets = Array.from({ length: 60 }, (_, i) => walletOf(i + 1));
  writeFileSync(list, `customer,wallet\n${wallets.map((wallet, i) => `Customer ${i},${wallet}\n`).join('')}`);
  await cli(['review', list, '--sandbox', '--fail-if', 'low: score < 600', '-o', reviewed]);
  const { page, complaints } = await openFile(browser, reviewed);
  const tile = page.locator('.tile button').first();
  const count = await tile.textContent();
  await tile.click();
  expect(await statusOf(page)).toBe(`wallets ${count} of 60`);
  const row = page.locator('#review-open tbody tr').first();
  await row.locator('td').first().click();
  await page.locator('dialog').waitFor();
  expect(await page.locator('#card-title').textContent()).toBe(await row.locator('.address').textContent());
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it.skipIf(!hasChromium)('shows six open alarms on the first screen, and 50 without a box that scrolls', async () => {
  const [list, reviewed] = [join(folder, 'looked.csv'), join(folder, 'looked.html')];
  const label = (i: number) => `Delta Neutral Fund ${i} (Cayman) Ltd.,Alpha`;
  const rows = Array.from({ length: 51 }, (_, i) => `${label(i)},${walletOf(i + 1)}\n`);
  const tops = [];
  for (const shown of [rows.slice(1), rows]) {
    writeFileSync(list, `customer,desk,wallet\n${shown.join('')}`);
    await cli(['review', list, '--sandbox', '--fail-if', 'all: total_collateral_usd >= 0', '-o', reviewed]);
    const { page } = await openFile(browser, reviewed, { viewport: { width: 1_280, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1_280);
    tops.push(
      await page.evaluate(`[...document.querySelectorAll('#review-open tbody tr')][5].getBoundingClientRect().bottom`),
    );
    expect(await page.evaluate(SCROLLING)).toEqual(shown.length > 50 ? ['Table of open alarms'] : []);
    const phone = await openFile(browser, reviewed, { viewport: { width: 390, height: 844 } });
    expect(await phone.page.evaluate(broken('#review-open .address'))).toEqual([]);
    expect(await phone.page.evaluate(MOVING_SIDEWAYS)).toEqual([]);
  }
  expect(Math.max(...(tops as number[]))).toBeLessThan(800);
});

it.skipIf(!hasChromium)('runs nothing of theirs, on the page, in a search and on a card', async () => {
  const { page, complaints } = await openFile(browser, hostilePage);
  await page.getByLabel('Search wallets').fill('<img');
  expect(await statusOf(page)).toBe('wallets 40');
  await page.locator('button.choice:visible').last().click();
  await page.locator('#wallets tbody button.address').first().click();
  await page.locator('dialog').waitFor();
  expect(await page.locator('dialog').innerText()).toContain('<img src=x onerror=');
  expect(await page.locator('dialog').innerText()).toContain('\\u202e\\u0000');
  expect(await page.locator('img, iframe, a').count()).toBe(0);
  expect(await page.title()).toContain('<img src=x onerror=');
  expect(complaints).toEqual([]);
});
