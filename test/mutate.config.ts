/** What `npm run test:mutate` runs: the unit tests of a room, then others in process that have most to do with it. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from './vitest.config.ts';

const judging = ['list-rules', 'mistyped-paths', 'policy', 'profile', 'rows', 'rows-of-several', 'unseen-values'].map(
  (name) => `cli/profile/${name}`,
);

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  batch: ['profile', 'monitoring', 'list-rules', 'mistyped-paths'].map((name) => `cli/profile/${name}`),
  'commands/shared/judged-rows.ts': [...judging, 'cli/report-figures', 'recorded/recorded'],
  'commands/shared/list/conclusion.ts': [...judging, 'cli/profile/ends-of-lists', 'recorded/recorded'],
  'commands/shared/list': [
    ...judging,
    'recorded/recorded',
    ...['cards', 'ends-of-lists', 'monitoring', 'several-lists', 'verbose'].map((name) => `cli/profile/${name}`),
    ...['output', 'several-outputs', 'where-bytes-went', 'windows-names'].map((name) => `cli/every-command/${name}`),
    ...['cli/limits', 'cli/review'],
  ],
  files: [
    ...[
      'process/files/lock',
      'process/files/room',
      'unit/journal/answer-room',
      'unit/journal/failing-disk',
      'unit/journal/late-answers',
      'unit/results/*',
      'unit/settings/folders',
    ],
    ...['files-made', 'several-outputs', 'where-bytes-went', 'windows-names'].map(
      (name) => `cli/every-command/${name}`,
    ),
  ],
  journal: ['cli/journal', 'cli/as-of', 'cli/review', 'cli/every-command/several-outputs', 'unit/batch/run'],
  lists: ['cli/profile/several-lists'],
  results: ['cli/diff', 'cli/report*', 'cli/as-of'],
  row: [...judging, 'cli/diff', 'unit/batch/run', 'unit/output/rows/*'],
  secrets: ['cli/profile/secrets', 'unit/wallet/find-wallet', 'unit/service/hostile-answers'],
  service: [
    ...['simulate/limiters', 'cli/health', 'cli/profile/profile', 'cli/profile/hostile-answers'],
    ...['error-codes', 'pages-for-answers', 'where-bytes-went'].map((name) => `cli/every-command/${name}`),
  ],
  session: [
    'cli/health',
    'cli/keys/keys',
    'cli/limits',
    ...['verbose', 'profile', 'list-rules'].map((name) => `cli/profile/${name}`),
  ],
  settings: ['cli/config', 'cli/keys/keys', 'cli/limits'],
};

const { RISKCLI_MUTATE: path = '' } = process.env;
const [room = ''] = path.split('/');
const others = (OTHERS[path] ?? OTHERS[room] ?? []).map((files) => `test/${files}.test.ts`);

/** Most changes are seen by the first test that fails, and no other is run: those of the room take least time. */
class RoomFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfRoom = (file: TestSpecification) => file.moduleId.includes(`/test/unit/${room}/`);
    return [...sorted.filter(isOfRoom), ...sorted.filter((file) => !isOfRoom(file))];
  }
}

export default {
  ...config,
  test: {
    ...config.test,
    include: [`test/unit/${room}/**/*.test.ts`, ...others],
    sequence: { sequencer: RoomFirst },
    // Stryker runs tests in threads, which take no flags of V8.
    execArgv: [],
    // Its hooks, which belong before every file: as a module of node_modules they would be run before the first one only.
    server: { deps: { inline: [/stryker-setup/] } },
    // A change that makes a test wait for ever is seen after this long.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
};
