/** Seed 23322670 of scenarios 7: a file of late answers that could be neither filled nor removed was an internal error. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 23322670,
  epoch: 1905492884735,
  clock: 0,
  service: {
    kind: 'token bucket',
    rate: 200,
    burst: 400,
    fastest: 3334,
    slowest: 3334,
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
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 11",0x5718773e41e7152b2551bc54cc389d5a42a0b068,33.50\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 7",0xc743a0eec2eea49b801c2ae02d4b21486c5e97bb,21.50\n',
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
      at: 860,
      do: 'delete lock',
      journal: '/home/u/work/answers.journal',
    },
    {
      at: 2477,
      do: 'fill disk',
      bytes: 3,
    },
    {
      do: 'fail call',
      run: 'A',
      call: 'unlink',
      nth: 2,
      code: 'ENOENT',
      times: 1,
    },
  ],
};

holds('exit 1 without a cause', scenario);
