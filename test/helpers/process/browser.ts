/** Debian's Chromium, for pages. It is driven by playwright-core, which brings no browser along. */
import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What drives it is loaded when it is wanted: most runs of the tests open no page. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}

export interface OpenPage {
  readonly page: Page;
  /** What a page must not do: messages on the console, faults, requests for anything but itself. */
  readonly complaints: readonly string[];
}

/** Opens the file at `path` as somebody does who was mailed it. */
export async function openFile(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  const own = `file://${path}`;
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`fault: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== own) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(own);
  return { page, complaints };
}
