/** Seed 700004389 of scenarios 6: the judge did not know that a run was halted until the power went. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 6,
  seed: 700004389,
  epoch: 1919721568235,
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
      ECONNREFUSED: 0.2,
      'status 504': 0.1,
      interim: 0.3,
      'status 302': 0.2,
    },
  },
  lists: {
    '/home/u/work/list0.txt':
      '0x2acafb0166b9adee043ef6fef8342ab1bfea8ec7\n0x167f34cfe097c2112f19a6e92d17d9413cb04735\n',
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
        '-o',
        '/home/u/work/out-0.json',
        '--journal',
        '/home/u/work/answers.journal',
      ],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/answers.journal',
      monthly: 11,
    },
    {
      at: 450,
      do: 'halt',
      run: 'A',
      ms: 177504,
      timersLast: false,
    },
    {
      at: 17914,
      do: 'power cut',
    },
  ],
};

holds('a wallet is asked again that was answered', scenario);
