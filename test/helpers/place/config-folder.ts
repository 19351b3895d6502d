/** A config folder of a test's own, and typed flags without a parser. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReporter } from '../../../src/cli/messages.ts';
import type { Context } from '../../../src/context.ts';
import { type RunOptions, testHost } from '../run.ts';
import { temporaryFolder } from './folder.ts';

export interface ConfigFolder {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  file(name: string): string;
  read(name: string): string;
}

/** A new folder (0700) that goes with the test; objects are written as JSON, strings as they are, all 0600. */
export function configFolder(files: Readonly<Record<string, unknown>> = {}): ConfigFolder {
  const path = temporaryFolder();
  const file = (name: string) => join(path, name);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  }
  return { path, env: { RISKCLI_CONFIG_DIR: path }, file, read: (name) => readFileSync(file(name), 'utf8') };
}

/** One stored key, as keys.json holds it. */
export function storedKeys(entries: Readonly<Record<string, { key: string; base_url: string; stored_at?: string }>>) {
  return { version: 1, keys: entries };
}

/** A context whose notes are collected. */
export function testContext(options: RunOptions = {}): Context & { readonly notes: string[] } {
  const host = testHost(options);
  const silent = { json: false, quiet: false, verbose: false, headers: false, debug: false, version: 'test' };
  const notes: string[] = [];
  const collect = (text: string) => {
    notes.push(text);
  };
  const report = { ...createReporter({ stderr: host.stderr, ...silent }), info: collect, warn: collect };
  return { ...host, report, notes };
}
