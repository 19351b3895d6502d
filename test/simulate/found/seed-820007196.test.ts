/** Seed 820007196 of scenarios 7: two runs that lived at once in one namespace had one pid. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 820007196,
  epoch: 1905246214931,
  clock: 0,
  service: {
    kind: 'token bucket',
    rate: 200,
    burst: 400,
    fastest: 709,
    slowest: 709,
    lagging: 0,
    longest: 8000,
    headers: 'all',
    wait: 'body',
    unknown: 0,
    noScore: 0,
    padding: 0,
    faults: {},
  },
  lists: {
    '/home/u/work/list0.txt': '0x657cdd867f8e74251962d01e98de93544800b2ec\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'B',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.csv'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
      monthly: 7,
      space: '2',
      hostName: 'desk',
    },
    {
      at: 1,
      do: 'run',
      name: 'C',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.json'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/out-0.json.journal',
      monthly: 7,
    },
    {
      at: 11,
      do: 'run',
      name: 'D',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.jsonl'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.jsonl',
      journal: '/home/u/work/out-0.jsonl.journal',
      monthly: 7,
      space: '2',
      hostName: 'desk',
    },
    {
      at: 501,
      do: 'signal',
      run: 'D',
      signal: 'SIGINT',
    },
    {
      at: 517,
      do: 'signal',
      run: 'D',
      signal: 'SIGINT',
    },
  ],
};

holds('a run ends with an exception that nobody catches', scenario);
