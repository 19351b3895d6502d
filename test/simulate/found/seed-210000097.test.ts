/** Seed 210000097 of scenarios 5, a mistake of the judge: a row that is no wallet, in columns without a status, behind one left out. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 5,
  seed: 210000097,
  epoch: 1905482718834,
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
    quota: 3,
    unknown: 0,
    noScore: 0,
    padding: 0,
    faults: {
      'status 504': 0.3,
      'no collateral': 0.3,
      'status 301': 0.2,
    },
  },
  lists: {
    '/home/u/work/list0.txt':
      '0xbccc6090d5557b5b4fa01b6ab4c3f3c3bac54e46\nnot a wallet\n0x2a188f87e5ee11e34bc44a61778553ba4ad0324c\n',
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
        'nothing.like_it',
      ],
      list: '/home/u/work/list0.txt',
      journal: '/home/u/work/answers.journal',
    },
    {
      at: 1964,
      do: 'run',
      name: 'B',
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
      readerTakes: 1318,
    },
  ],
};

holds('a row is about another wallet', scenario);
