/** Seed 810001928 of scenarios 7: a signal while earlier reviews were read was told as a file that cannot be read. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 810001928,
  epoch: 1919721587458,
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
    movesEach: 173561372,
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 0",0x7d10a8954f9d1c9e970c658a14763a8970fc0141,0.50\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 0",0x7d10a8954f9d1c9e970c658a14763a8970fc0141,0.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['review', '/home/u/work/list0.csv'],
      list: '/home/u/work/list0.csv',
      journal: '/home/u/work/list0.csv.journal',
    },
    {
      at: 5736229,
      do: 'run',
      name: 'B',
      argv: ['review', '/home/u/work/list0.csv'],
      list: '/home/u/work/list0.csv',
      journal: '/home/u/work/list0.csv.journal',
    },
    {
      do: 'signal at call',
      run: 'B',
      call: 'any',
      nth: 70,
      signal: 'SIGTERM',
    },
  ],
};

holds('exit 8 without a cause', scenario);
