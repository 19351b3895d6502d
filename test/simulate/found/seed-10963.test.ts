/** Seed 10963 of scenarios 5: the judge did not know that a call returned late, since a process that began inside it was inside one of its own. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 5,
  seed: 10963,
  epoch: 1905350374310,
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
    '/home/u/work/list0.txt': '0xbcb49b249e55c8d2b256d5a9312819da9102d6ea\n',
    '/home/u/work/list1.txt.gz': '0xbcb49b249e55c8d2b256d5a9312819da9102d6ea\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.json'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.json',
      journal: '/home/u/work/out-0.json.journal',
    },
    {
      at: 1,
      do: 'signal',
      run: 'A',
      signal: 'SIGINT',
    },
    {
      at: 5,
      do: 'halt',
      run: 'A',
      ms: 966,
      timersLast: false,
    },
    {
      at: 867,
      do: 'run',
      name: 'D',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.csv'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
    },
    {
      do: 'halt at call',
      run: 'A',
      call: 'write',
      nth: 2,
      ms: 68,
    },
    {
      do: 'halt at call',
      run: 'D',
      call: 'scandir',
      nth: 2,
      ms: 116210,
    },
  ],
};

holds('a signal is not obeyed in time', scenario);
