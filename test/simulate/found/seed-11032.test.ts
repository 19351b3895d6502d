/** Seed 11032 of scenarios 2: a journal that cannot be read was an internal error of `journal show`. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 2,
  seed: 11032,
  epoch: 1906177244633,
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
    faults: {},
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 4",0xf37277ce8fb0f932457d433d6001bcad4a2ee077,12.50\n',
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
    },
    {
      at: 1078,
      do: 'run',
      name: 'C',
      journal: '/home/u/work/answers.journal',
      argv: ['journal', 'show', '--journal', '/home/u/work/answers.journal'],
    },
    {
      do: 'fail call',
      run: 'C',
      call: 'read',
      nth: 1,
      code: 'EIO',
      times: 2,
    },
  ],
};

holds('exit 1 without a cause', scenario);
