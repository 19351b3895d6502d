/** Seed 151035616 of scenarios 7: a run that was halted while its lock was deleted found its journal gone, as it had to. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 151035616,
  epoch: 1835481552095,
  clock: 0,
  service: {
    kind: 'token bucket',
    rate: 200,
    burst: 400,
    fastest: 10,
    slowest: 10,
    lagging: 0,
    longest: 29000,
    headers: 'all',
    wait: 'body',
    unknown: 0,
    noScore: 0,
    padding: 0,
    faults: {
      silence: 0.2,
      'status 410': 0.2,
      'status 402': 0.2,
      EMFILE: 0.2,
      interim: 0.1,
    },
  },
  lists: {
    '/home/u/work/list0.txt':
      '0xcd38dab1dfc47a1fa0c5df17be8de0cbac731c59\n0xb6cc2a08fdbc9728e6f3b897f58cd3877f9b0f21\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.json'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/out-0.json.journal',
    },
    {
      at: 344,
      do: 'signal',
      run: 'A',
      signal: 'SIGHUP',
    },
    {
      at: 1344,
      do: 'run',
      name: 'B',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.json'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/out-0.json.journal',
    },
    {
      at: 1363,
      do: 'delete lock',
      journal: '/home/u/work/out-0.json.journal',
    },
    {
      at: 1369,
      do: 'run',
      name: 'D',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.json'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/out-0.json.journal',
    },
    {
      do: 'halt at call',
      run: 'B',
      call: 'lstat',
      nth: 4,
      ms: 51649,
    },
  ],
};

holds('exit 8 without a cause', scenario);
