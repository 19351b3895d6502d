/** Seed 87853919 of scenarios 4: a temporary file is left behind (/tmp/riskcli-mLqFD3/rows). */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 4,
  seed: 87853919,
  epoch: 1905900131542,
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
    unknown: 0,
    noScore: 0,
    padding: 0,
    faults: {},
  },
  lists: {
    '/home/u/work/list0.csv': 'name,address,amount\n"Holder, 1",0x2a2e3b30802a95c78be71bea9754d23043071df8,3.50\n',
  },
  events: [
    {
      at: 1988,
      do: 'run',
      name: 'B',
      argv: ['profile', '-f', '/home/u/work/list0.csv', '-o', '/home/u/work/out-0.csv', '--fields', '*'],
      list: '/home/u/work/list0.csv',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
    },
    {
      do: 'fail call',
      run: 'B',
      call: 'unlink',
      nth: 1,
      code: 'EACCES',
      times: 2,
    },
  ],
};

holds('a temporary file is left behind', scenario);
