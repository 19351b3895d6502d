/** Seed 830004828 of scenarios 7: a power cut took the header of late answers, and every later run said so again. */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 830004828,
  epoch: 1905758896594,
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
    '/home/u/work/list0.txt':
      '0xbd7dfead737f4d8aaeaa9f0b4eb7094272458f56\n0x6b281874b5a3c2179c198fc3d53cc1cd6e35efed\n0x2d3344680b707bd162b374bd2a84401ccd53ade6\n0x0ca4c47ea9ca6677aa9c4e5f10010237b1058502\n',
    '/home/u/work/list1.csv': 'name,address,amount\n"Holder, 2",0x57751d012545a6bfbe043498ee4c1c7bb36d6e31,6.50\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: [
        'profile',
        '-f',
        '/home/u/work/list0.txt',
        '--format',
        'jsonl',
        '--journal',
        '/home/u/work/answers.journal',
      ],
      list: '/home/u/work/list0.txt',
      journal: '/home/u/work/answers.journal',
      readerTakes: 194,
    },
    { at: 14, do: 'delete lock', journal: '/home/u/work/answers.journal' },
    { at: 78, do: 'power cut' },
  ],
};

holds('a journal has no header', scenario);
