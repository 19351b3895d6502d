/** Seed 830002019 of scenarios 7: a simulated stream threw what a failing close had against it, which no stream of node does. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 830002019,
  epoch: 1919721573852,
  clock: 0,
  service: {
    kind: 'fixed window of bursts',
    rate: 2,
    burst: 4,
    fastest: 10,
    slowest: 10,
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
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 21",0xe4d930bd47f2a9c23a4f1549659c469c8311873d,63.50\n',
    '/home/u/work/list1.txt':
      '0x785922383715C486D05FFABD5141F183580F6348\n0x5e38b4eb8219661dfab7d43a64c4f9223cbf9bca\n',
  },
  events: [
    {
      at: 3,
      do: 'run',
      name: 'B',
      argv: ['profile', '-f', '/home/u/work/list1.txt', '-o', '/home/u/work/out-1.jsonl'],
      list: '/home/u/work/list1.txt',
      output: '/home/u/work/out-1.jsonl',
      journal: '/home/u/work/out-1.jsonl.journal',
    },
    {
      at: 2311,
      do: 'revoke key',
      until: 21510,
    },
    {
      at: 9154,
      do: 'run',
      name: 'C',
      argv: ['profile', '-f', '/home/u/work/list1.txt', '-o', '/home/u/work/out-1.jsonl'],
      list: '/home/u/work/list1.txt',
      output: '/home/u/work/out-1.jsonl',
      journal: '/home/u/work/out-1.jsonl.journal',
    },
    {
      do: 'fail call',
      run: 'C',
      call: 'close',
      nth: 11,
      code: 'EACCES',
      times: 1,
    },
  ],
};

holds('exit 1 without a cause', scenario);
