/** Seed 1733104977 of scenarios 7: exit 1 without a cause (run B: riskcli: internal error in riskcli 0.0.0 (Error); run it again with --debug and report what it prints to https://example.invalid). */
import type { Scenario } from '../scenario.ts';
import { holds } from './holds.ts';

const scenario: Scenario = {
  version: 7,
  seed: 1733104977,
  epoch: 1905825844416,
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
    movesEach: 161933675,
  },
  lists: {
    '/home/u/work/list0.txt': '0x7adc8608d29d6a07be925fff6e6175915e0d5eae\n',
  },
  events: [
    {
      at: 0,
      do: 'run',
      name: 'A',
      argv: [
        'review',
        '/home/u/work/list0.txt',
        '-o',
        '/home/u/work/rows-jsonl-json.jsonl',
        '-o',
        '/home/u/work/rows-jsonl-json.json',
      ],
      list: '/home/u/work/list0.txt',
      output: '/home/u/work/rows-jsonl-json.jsonl',
      journal: '/home/u/work/list0.txt.journal',
      others: ['/home/u/work/rows-jsonl-json.json'],
    },
    {
      at: 607861542,
      do: 'run',
      name: 'B',
      argv: ['review', '/home/u/work/list0.txt'],
      list: '/home/u/work/list0.txt',
      journal: '/home/u/work/list0.txt.journal',
    },
    {
      do: 'fail call',
      run: 'B',
      call: 'any',
      nth: 52,
      code: 'EIO',
      times: 1,
    },
  ],
};

holds('exit 1 without a cause', scenario);
