/**
 * Histories that once broke a rule, kept as data: each has a note of what went wrong, and the rule
 * that it broke.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openStage, play, type Stage } from './play.ts';
import { violationsOf } from './run.ts';
import type { Scenario } from './scenario.ts';

interface KeptHistory {
  readonly note: string;
  readonly rule: string;
  readonly scenario: Scenario;
}

const folder = new URL('found/', import.meta.url);
const histories = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as KeptHistory,
);

let stage: Promise<Stage> | undefined;

it.each(histories)('$note', async ({ scenario }) => {
  stage ??= openStage();
  expect(violationsOf(await play(scenario, await stage))).toEqual([]);
});
