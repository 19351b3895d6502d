/** Seed 10536 of scenarios 2: a power cut within a second left NULs in place of a journal's header, under records that were whole. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 2,
  seed: 10536,
  epoch: 1905635734915,
  clock: 0,
  service: {
    kind: 'token bucket',
    rate: 200,
    burst: 400,
    fastest: 2,
    slowest: 91,
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
    '/home/u/work/list0.txt':
      '0x4d28a41413383c58e0ceac9697187113ae3960bd\n0x37a07736441e6eaa5d76df6865ed35b855c3bcd1\n0xab03c8c82da637f24b7a1b2da5c73b9190494343\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 5",0x3ad9716587d22082634760754917dd1128066036,15.50\n',
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
      at: 459,
      do: 'power cut',
    },
  ],
};

holds('a run in peace does not come to its end', scenario);
