/** `riskcli completion SHELL`: prints the completion script, made from the same table as the parser. */
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { quoted } from '../output/escape.ts';
import { writeAll } from '../output/stream.ts';
import type { Command, Typed } from './command.ts';
import { GLOBAL_FLAGS } from './flags.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion: Command = {
  name: 'completion',
  summary: 'Print the completion script of a shell',
  args: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
  examples: [
    { line: 'source <(riskcli completion bash)', does: 'bash, this session; in ~/.bashrc for every session' },
    { line: 'riskcli completion zsh > "${fpath[1]}/_riskcli"', does: 'zsh, every session' },
    { line: 'riskcli completion fish > ~/.config/fish/completions/riskcli.fish', does: 'fish, every session' },
  ],
  run: printScript,
};

async function printScript(typed: Typed, context: Context): Promise<undefined> {
  const shell = typed.args[0] ?? '';
  const script = await scriptMaker(shell);
  const [{ commands }, { completedCommands }] = await Promise.all([
    import('./index.ts'),
    import('../completion/words.ts'),
  ]);
  await writeAll(context.stdout, script(completedCommands(commands, GLOBAL_FLAGS)));
}

async function scriptMaker(shell: string) {
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.ts')).bashScript;
    case 'zsh':
      return (await import('../completion/zsh.ts')).zshScript;
    case 'fish':
      return (await import('../completion/fish.ts')).fishScript;
    default:
      throw new UsageError(`there is no completion for ${quoted(shell)}`, { hint: `use one of ${SHELLS.join(', ')}` });
  }
}
