/** Seed 118461181 of scenarios 4, a mistake of the judge: whoever started first may come to the lock second when the disk is slow. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 4,
  seed: 118461181,
  epoch: 1905896431095,
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
    faults: {},
  },
  lists: {
    '/home/u/work/list0.txt': '0x95aa17b107ffa4fa8a7ae6d28fa8b8cf7e42775a\n',
    '/home/u/work/list1.txt': 'not a wallet\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['profile', '-f', '/home/u/work/list1.txt', '--format', 'csv', '--journal', '/home/u/work/answers.journal'],
      list: '/home/u/work/list1.txt',
      journal: '/home/u/work/answers.journal',
      monthly: 4,
      readerTakes: 1669,
    },
    {
      at: 0,
      do: 'slow disk',
      ms: 14,
      until: 2449,
    },
    {
      at: 11,
      do: 'run',
      name: 'B',
      argv: ['profile', '-f', '/home/u/work/list1.txt', '--format', 'csv', '--journal', '/home/u/work/answers.journal'],
      list: '/home/u/work/list1.txt',
      journal: '/home/u/work/answers.journal',
      monthly: 4,
      readerTakes: 1669,
    },
  ],
};

holds('exit 11 without a cause', scenario);
