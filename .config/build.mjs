// Builds dist/: the program, the program of `profile` alone, what answers a shell that completes a
// command line, and the table that it answers from. Packages stay outside: npm installs them.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pageParts } from './page-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version, bugs } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  define: {
    ...(await pageParts()),
    RISKCLI_VERSION: JSON.stringify(version),
    RISKCLI_ISSUES: JSON.stringify(bugs.url),
  },
};

/** One file, whose packages are loaded when they are needed: as modules in pieces, or as one module, it starts later. */
const program = {
  ...options,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { ...options.define, 'import.meta.dirname': '__dirname' },
};

/** Leaves the other commands out of the program that the launcher starts for `profile`. */
const profileAlone = {
  name: 'profile alone',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, ({ importer, path }) =>
      importer.endsWith('/src/commands/index.ts') && path !== './profile/profile.ts'
        ? { path, external: true }
        : undefined,
    ),
};

rmSync(`${root}/dist`, { recursive: true, force: true });
await build({ ...program, entryPoints: ['src/main.ts', 'src/complete.ts'] });
// Node compiles a third less, which is 8 % of the time of `profile WALLET`.
await build({ ...program, entryPoints: { profile: 'src/main.ts' }, plugins: [profileAlone] });

const table = `${root}/node_modules/.cache/completion-table.mjs`;
const contents = `import { completionTable } from './src/cli/completion/table.ts';
import { loadCommand } from './src/cli/command.ts';
import { commands } from './src/commands/index.ts';
export default completionTable(await Promise.all(commands.map(loadCommand)));`;
await build({ ...options, stdin: { contents, resolveDir: root }, outfile: table, format: 'esm' });
const { default: offered } = await import(pathToFileURL(table).href);
writeFileSync(`${root}/dist/completion.json`, JSON.stringify(offered));
