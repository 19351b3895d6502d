/** Seed 109936008 of scenarios 4: exit 8 without a cause (run A: riskcli: the journal '/home/u/work/out-0.csv.journal' cannot be removed: no such file or directory; delete it, or the next run will reuse its answers, however old they are). */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 4,
  seed: 109936008,
  epoch: 1906183815573,
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
    '/home/u/work/list0.txt': '0xbd0f3ddef26f40799bfd7bd5bd6fb1505911d0f5\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 10",0x7f72c3be6e73e0e6f137007de78bb347b8562b0a,30.50\n',
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
      at: 64839,
      do: 'run',
      name: 'C',
      argv: ['profile', '-f', '/home/u/work/list0.txt', '-o', '/home/u/work/out-0.csv'],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/out-0.csv',
      journal: '/home/u/work/out-0.csv.journal',
      space: '2',
      hostName: 'box',
    },
    {
      do: 'halt at call',
      run: 'A',
      call: 'unlink',
      nth: 2,
      ms: 75465,
    },
  ],
};

holds('exit 8 without a cause', scenario);
