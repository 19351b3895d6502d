/** Seed 1733006522 of scenarios 7: a temporary file is left behind (/home/u/work/.out-0.json.1001-684c9029.fbfc45465b63dbb5.tmp). */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 1733006522,
  epoch: 1905761355530,
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
      EAI_AGAIN: 0.1,
      'reset in the body': 0.2,
      'other wallet': 0.1,
      'status 600': 0.3,
      array: 0.2,
    },
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 6",0xab795b9d59389509a2c45babd2641dab0701fd0d,18.50\n',
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
      at: 4771,
      do: 'run',
      name: 'B',
      argv: ['profile', '-f', '-', '-o', '/home/u/work/out-0.json', '--journal', '/home/u/work/answers.journal'],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/answers.journal',
      stdin: {
        path: '/home/u/work/list0.csv',
        pieces: 3,
        gapMs: 2446,
      },
      env: {
        RISKCLI_BASE_URL: 'https://other.test',
      },
    },
    {
      at: 6853,
      do: 'kill',
      run: 'B',
    },
    {
      at: 9510,
      do: 'remove',
      path: '/home/u/work/answers.journal',
    },
  ],
};

holds('a temporary file is left behind', scenario);
