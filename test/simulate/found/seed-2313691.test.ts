/** Seed 2313691 of scenarios 9: a run that was halted in its first write to a journal whose lock was deleted writes the first line again. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 9,
  seed: 2313691,
  epoch: 1905735210811,
  clock: 0,
  service: {
    kind: 'token bucket',
    rate: 200,
    burst: 400,
    fastest: 10,
    slowest: 10,
    lagging: 0,
    longest: 8000,
    headers: 'all',
    wait: 'body',
    unknown: 0,
    noScore: 0,
    padding: 0,
    faults: {
      empty: 0.3,
      'status 403': 0.3,
      'status 600': 0.1,
    },
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 0",0x6f51e4d8d69bb0a1f22aa6be60c6237e88f34a7c,0.50\n',
    '/home/u/work/list1.txt': '0x588d7e1a02a908383d1779d0c587c105c3deea8f\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['profile', '-f', '/home/u/work/list0.csv', '-o', '/home/u/work/out-0.csv'],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
    },
    {
      at: 100,
      do: 'delete lock',
      journal: '/home/u/work/out-0.csv.journal',
    },
    {
      at: 377,
      do: 'run',
      name: 'C',
      argv: ['profile', '-f', '/home/u/work/list0.csv', '-o', '/home/u/work/out-0.csv'],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
    },
    {
      do: 'halt at call',
      run: 'A',
      call: 'write',
      nth: 2,
      ms: 113103,
    },
  ],
};

holds('a copy of a damaged journal is there, and nothing has damaged it', scenario);
