/**
 * The completion scripts under a Tab key that is pressed, on a real terminal, in each shell that is
 * installed.
 */
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal, type Step } from '../../fixtures/cli/terminal.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { installed } from '../../fixtures/process/installed.ts';

const completions = fileURLToPath(new URL('../../../completions', import.meta.url));

interface Shell {
  /**
   * Has the shell run `start` of a file called .zshrc before its first prompt, and nothing of the
   * user's.
   */
  readonly argv: readonly string[];
  readonly start: string;
}

/** riskcli prints its arguments: GOT<a><b>. */
const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    argv: ['bash', '--noprofile', '--rcfile', '.zshrc', '-i'],
    start: `
      bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
      source ${completions}/riskcli.bash
      riskcli() { printf GOT; printf '<%s>' "$@"; echo; }
      PS1='ready> '`,
  },
  zsh: {
    argv: ['zsh', '-d', '-i'],
    start: `
      unsetopt beep prompt_sp
      autoload -Uz compinit && compinit -u -D
      source ${completions}/_riskcli
      riskcli() { printf GOT; printf '<%s>' "$@"; echo; }
      PS1='ready> '`,
  },
  fish: {
    argv: ['fish', '--no-config', '-C', 'source .zshrc', '-i'],
    start: `
      source ${completions}/riskcli.fish
      function riskcli; printf GOT; printf '<%s>' $argv; echo; end
      function fish_prompt; printf 'ready> '; end`,
  },
};

/** What is typed before the Tab, and the arguments that riskcli then has. */
const TYPED: readonly (readonly [string, ...string[]])[] = [
  ['prof', 'profile'],
  ['journal pru', 'journal', 'prune'],
  ['health --sandb', 'health', '--sandbox'],
  ['profile --format=tab', 'profile', '--format=table'],
  ['profile --format tab', 'profile', '--format', 'table'],
  ['keys show -e pr', 'keys', 'show', '-e', 'prod'],
  ['-e prod keys che', '-e', 'prod', 'keys', 'check'],
  ['help cond', 'help', 'conditions'],
  ['schema rev', 'schema', 'review'],
  ['config set time', 'config', 'set', 'timeout'],
  ['config set timeout time', 'config', 'set', 'timeout', 'time'],
  ['profile -f my', 'profile', '-f', 'my wallets.csv'],
  ['diff my', 'diff', 'my wallets.csv'],
  ['profile --fields _meta.st', 'profile', '--fields', '_meta.status'],
  ['profile --fields wallet_address,_meta.st', 'profile', '--fields', 'wallet_address,_meta.status'],
  ['profile --fields=a.b,c,_meta.st', 'profile', '--fields=a.b,c,_meta.status'],
  ['profile --fields +_meta.st', 'profile', '--fields', '+_meta.status'],
  ['profile --accept failed,inv', 'profile', '--accept', 'failed,invalid'],
  ['diff --accept added,rem', 'diff', '--accept', 'added,removed'],
];

async function typeInto({ argv, start }: Shell, steps: readonly Step[]): Promise<string> {
  const place = workplace();
  chmodSync(place.write('riskcli', `#!/bin/sh\nexec ${RISKCLI_WORDS} "$@"\n`), 0o755);
  const environments = { prod: { timeout: '3s' }, '$(touch evil)': {}, '*': {}, 'pr\n"$(touch evil)\'': {} };
  place.write('config.json', JSON.stringify({ environments }));
  place.write('my wallets.csv', '');
  place.write('$(touch evil).csv', '');
  place.write('.zshrc', `stty rows 40 cols 200${start}\n`);
  const path = `${place.folder}:${place.env.PATH}`;
  const env = { ...place.env, PATH: path, RISKCLI_CONFIG_DIR: place.folder, ZDOTDIR: place.folder };
  const end: Step[] = [
    ['type', `test -e evil || echo "no ""harm"\n`],
    ['wait', 'no harm'],
  ];
  return await atTerminal({ ...place, env }, [['wait', 'ready> '], ...steps, ...end], argv);
}

describe.skipIf(!hasTerminal).each(Object.entries(SHELLS))('%s, typed into', (name, shell) => {
  const inShell = it.skipIf(!installed(name));

  // One terminal for all: zsh takes long to start.
  inShell('completes words, choices, environments, topics, files and the last of several paths', async () => {
    const steps = TYPED.flatMap(([typed, ...args]): Step[] => [
      ['type', `riskcli ${typed}\t\n`],
      ['wait', `GOT${args.map((arg) => `<${arg}>`).join('')}\r\n`],
    ]);
    // fish draws its list by moving the cursor, for which this terminal is too simple.
    const lists: Step[] = [
      ['type', 'riskcli journal \t\t'],
      ['wait', 'show'],
      // The line is cancelled by a key: a signal would discard the input after it.
      ['type', '\u0015'],
    ];
    const shown = await typeInto(shell, name === 'fish' ? steps : [...steps, ...lists]);
    const listed = shown.slice(shown.lastIndexOf('GOT<'));
    if (name !== 'fish') for (const command of ['prune', 'show']) expect(listed).toContain(command);
  });
});

it.skipIf(!hasTerminal || !installed('zsh')).each([
  ['and runs it later', 'autoload -Uz compinit && compinit -u -D'],
  ['and never runs it', ''],
])('completes in zsh %s', async (_, later) => {
  const start = `
      unsetopt beep prompt_sp
      source ${completions}/_riskcli || exit
      ${later}
      riskcli() { printf GOT; printf '<%s>' "$@"; echo; }
      PS1='ready> '`;
  const typed: Step[] = [
    ['type', 'riskcli prof\t\n'],
    ['wait', 'GOT<profile>\r\n'],
  ];
  expect(await typeInto({ argv: ['zsh', '-d', '-i'], start }, typed)).not.toContain('not found');
});
