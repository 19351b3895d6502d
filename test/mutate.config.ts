/** What `npm run test:mutate` runs: the unit tests of a room, and those of the commands that have most to do with it. */
import { documentsInTests } from '../.config/documents.mjs';
import { pagePartsInTests } from '../.config/page-parts.mjs';
import config from './vitest.config.ts';

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  batch: ['profile/list-*', 'profile/rows*', 'profile/mistyped-paths*', 'profile/several-lists*'],
  journal: ['journal*', 'profile/rows*'],
  lists: ['profile/rows*', 'profile/several-lists*', 'profile/names*'],
  results: ['diff*', 'report*'],
  row: ['profile/list-rules*', 'profile/policy*', 'profile/unseen-values*', 'profile/rows*'],
  service: ['health*', 'profile/profile*', 'profile/hostile-answers*'],
  settings: ['config*', 'keys/*', 'limits*'],
};

const [room = ''] = (process.env.RISKCLI_MUTATE ?? '').split('/');
const commands = (COMMANDS[room] ?? []).map((files) => `test/cli/${files}.test.ts`);

export default {
  ...config,
  // Without those that make modules of the sources once: Stryker changes them.
  plugins: [pagePartsInTests, documentsInTests],
  test: {
    ...config.test,
    include: [`test/unit/${room}/**/*.test.ts`, ...commands],
    // Stryker runs tests in threads, which take no flags of V8.
    execArgv: [],
  },
};
