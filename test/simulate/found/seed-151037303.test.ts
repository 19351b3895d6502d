/** Seed 151037303 of scenarios 7: after the clock was set back the lock of a killed run was believed for longer, as it had to. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 151037303,
  epoch: 1924991949319,
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
    movesEach: 236722841,
  },
  lists: {
    '/home/u/work/list0.txt': '0x4ffd7222fd2604e220a7e12ddb5442520559809a\n',
  },
  events: [
    {
      at: 111043809,
      do: 'run',
      name: 'D',
      argv: ['review', '/home/u/work/list0.txt', '-o', '/home/u/work/rows.jsonl'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/rows.jsonl',
      journal: '/home/u/work/list0.txt.journal',
      space: '2',
      hostName: 'box',
    },
    {
      at: 111044216,
      do: 'step clock',
      ms: -42875,
    },
    {
      at: 111108704,
      do: 'run',
      name: 'E',
      argv: ['review', '/home/u/work/list0.txt', '-o', '/home/u/work/rows.jsonl'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/rows.jsonl',
      journal: '/home/u/work/list0.txt.journal',
    },
    {
      do: 'kill at call',
      run: 'D',
      call: 'any',
      nth: 13,
    },
  ],
};

holds('exit 11 without a cause', scenario);
