/** Seed 700003947 of scenarios 6: an output whose folder the disk did not keep was taken for safe, and the journal went. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 6,
  seed: 700003947,
  epoch: 1905541146035,
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
    faults: {},
  },
  lists: {
    '/home/u/work/list0.txt': '0x28d6e0f05a497e7662c23ac0a8d1b74625588c64\n',
    '/home/u/work/list1.csv.gz': '"Holder, 9",0x28d6e0f05a497e7662c23ac0a8d1b74625588c64,27.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.jsonl'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.jsonl',
      journal: '/home/u/work/out-0.jsonl.journal',
    },
    {
      at: 3621,
      do: 'power cut',
    },
    {
      do: 'fail call',
      run: 'A',
      call: 'fsync',
      nth: 1,
      code: 'EMFILE',
      times: 1000,
    },
  ],
};

holds('an output is gone after a power cut', scenario);
