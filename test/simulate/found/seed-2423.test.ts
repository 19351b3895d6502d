/** Seed 2423 of scenarios 5: what remembers the reviews cannot be read, and that was an internal error. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 5,
  seed: 2423,
  epoch: 1906185558944,
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
    movesEach: 27867050,
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 4",0x1719e1b63a2a9f1aeb441fb6228f46b7db78e674,12.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: [
        'review',
        '/home/u/work/list0.csv',
        '--journal',
        '/home/u/work/answers.journal',
        '-o',
        '/home/u/work/rows.csv',
      ],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/rows.csv',
      journal: '/home/u/work/answers.journal',
      monthly: 14,
    },
    {
      at: 424385,
      do: 'run',
      name: 'B',
      argv: [
        'review',
        '/home/u/work/list0.csv',
        '--journal',
        '/home/u/work/answers.journal',
        '-o',
        '/home/u/work/rows.csv',
      ],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/rows.csv',
      journal: '/home/u/work/answers.journal',
      monthly: 14,
    },
    {
      do: 'fail call',
      run: 'B',
      call: 'any',
      nth: 65,
      code: 'ENOENT',
      times: 1,
    },
  ],
};

holds('exit 1 without a cause', scenario);
