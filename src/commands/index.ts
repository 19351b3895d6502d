/** The table of commands, in the order of the help: a line each. */
import type { Command } from './command.ts';
import { completion } from './completion.ts';
import { config } from './config.ts';
import { health } from './health.ts';
import { keys } from './keys.ts';
import { profile } from './profile.ts';
import { sandbox } from './sandbox.ts';

export const commands: readonly Command[] = [profile, health, keys, config, sandbox, completion];
