/** Seed 830010122 of scenarios 7: the judge did not know that a signal may come after the last answer, when the review is printed. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 830010122,
  epoch: 1905279140115,
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
    movesEach: 36855516,
  },
  lists: {
    '/home/u/work/list0.txt': '0x56424f86b5c1f71983b2d865adbcc8656caa0cc6\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 0",0x56424f86b5c1f71983b2d865adbcc8656caa0cc6,0.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: ['review', '/home/u/work/list0.txt'],
      list: '/home/u/work/list0.txt',
      journal: '/home/u/work/list0.txt.journal',
    },
    {
      do: 'signal at call',
      run: 'A',
      call: 'any',
      nth: 101,
      signal: 'SIGINT',
    },
  ],
};

holds('a review that was stopped prints', scenario);
