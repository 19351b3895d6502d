/** Seed 810000473 of scenarios 7: a journal whose new file was replaced meanwhile was an internal error. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 810000473,
  epoch: 1919721549058,
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
    '/home/u/work/list0.txt': '0x27d1bc643b5fe1823e8671edd56ce5d75027c800\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 2",0x6d5cc27ccc590bdf82b774820fd7ea0dc49ebe97,6.50\n',
  },
  events: [
    {
      at: 2997,
      do: 'run',
      name: 'B',
      argv: [
        'profile',
        '-f',
        '/home/u/work/list0.txt',
        '-o',
        '/home/u/work/out-0.csv',
        '--journal',
        '/home/u/work/answers.journal',
      ],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/answers.journal',
    },
    {
      at: 6464,
      do: 'run',
      name: 'C',
      journal: '/home/u/work/answers.journal',
      argv: [
        'journal',
        'purge',
        '--journal',
        '/home/u/work/answers.journal',
        '0x27d1bc643b5fe1823e8671edd56ce5d75027c800',
      ],
    },
    {
      do: 'fail call',
      run: 'C',
      call: 'lstat',
      nth: 5,
      code: 'EIO',
      times: 1000,
    },
  ],
};

holds('exit 1 without a cause', scenario);
