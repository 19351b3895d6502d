/** Seed 500446 of scenarios 2: a journal whose size cannot be told was an internal error. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 2,
  seed: 500446,
  epoch: 1905253698003,
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
    '/home/u/work/list0.txt': '0xec456898255f7e6c81e154ab686344b738c0fd9f\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 0",0xec456898255f7e6c81e154ab686344b738c0fd9f,0.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.csv'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
    },
    {
      do: 'fail call',
      run: 'A',
      call: 'any',
      nth: 29,
      code: 'EIO',
      times: 1,
    },
  ],
};

holds('exit 1 without a cause', scenario);
