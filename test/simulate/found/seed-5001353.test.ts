/** Seed 5001353 of scenarios 4: a temporary file is left behind (/tmp/riskcli-3pX6nt/rows). */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 4,
  seed: 5001353,
  epoch: 1905354279185,
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
    '/home/u/work/list0.txt': '0x4a0aea07873e4acfc61b4468b9ae2d22b1e24168\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: [
        'profile',
        '-f',
        '/home/u/work/list0.txt',
        '--format',
        'csv',
        '--journal',
        '/home/u/work/answers.journal',
        '--fields',
        '*',
      ],
      list: '/home/u/work/list0.txt',
      journal: '/home/u/work/answers.journal',
    },
    {
      at: 8100,
      do: 'power cut',
    },
  ],
};

holds('a temporary file is left behind', scenario);
