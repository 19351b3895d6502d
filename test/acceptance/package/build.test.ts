/** What the build must hold to: files that are loaded apart are one program, and what it leaves out is never asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
const bundles = readdirSync(dist).filter((name) => name.endsWith('.js'));
const textOf = (name: string) => readFileSync(dist + name, 'utf8');

describe('the bundles', () => {
  it('share the classes of errors', () => {
    const { outputs } = JSON.parse(textOf('meta.json'));
    const holders = Object.keys(outputs).filter((name) => 'src/errors.ts' in outputs[name].inputs);
    expect(holders).toEqual(['dist/errors.js']);
    expect(bundles.filter((name) => textOf(name).includes('require("./errors.js")')).length).toBeGreaterThan(5);
  });

  it.each(['child_process', 'http2', 'perf_hooks'])('never ask for node:%s', (module) => {
    expect(bundles.filter((name) => textOf(name).includes(`require("node:${module}")`))).toEqual([]);
  });

  it('hold what a report is drawn with in reports, and its page in what makes pages', () => {
    const { outputs } = JSON.parse(textOf('meta.json'));
    const holders = (part: string) =>
      Object.keys(outputs).filter((name) => Object.keys(outputs[name].inputs).some((input) => input.includes(part)));
    expect(holders('report/page/browser/page.ts')).toEqual(['dist/output-report-page-page.js']);
    for (const name of holders('node_modules/d3-')) expect(name).toMatch(/^dist\/(commands|output)-report-/);
  });

  it('ask for node:http where the sandbox is, and nowhere else', () => {
    const users = bundles.filter((name) => textOf(name).includes('require("node:http")'));
    expect(users).toEqual(['sandbox-server.js']);
  });
});
