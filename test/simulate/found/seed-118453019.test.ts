/** Seed 118453019 of scenarios 4: a request that was counted before the end of the month, and left after it. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 4,
  seed: 118453019,
  epoch: 1924991981090,
  clock: 0,
  service: {
    kind: 'token bucket',
    rate: 200,
    burst: 400,
    fastest: 10,
    slowest: 10,
    lagging: 0,
    longest: 40000,
    headers: 'all',
    wait: 'body',
    unknown: 0,
    noScore: 0,
    padding: 0,
    faults: {
      'status 402': 0.3,
      'reset in the body': 0.05,
    },
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 11",0x99c2126d7d74195fe14f7d981fc2994651cee1f9,33.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: [
        'profile',
        '-f',
        '/home/u/work/list0.csv',
        '-o',
        '/home/u/work/out-0.csv',
        '--journal',
        '/home/u/work/answers.journal',
      ],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/answers.journal',
      monthly: 1,
    },
    {
      do: 'halt at call',
      run: 'A',
      call: 'mkdir',
      nth: 2,
      ms: 160233,
    },
  ],
};

holds("the month's requests are exceeded", scenario);
