/** The table of commands, in the order of the help: a line each. */
import type { Command } from './command.ts';

export const commands: readonly Command[] = [];
