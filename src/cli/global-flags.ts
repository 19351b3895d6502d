/** Flags that are accepted before and after every command. */
import { COLOR_CHOICES } from './color.ts';
import { choice, count, type Flag, flagsOf, off, onOff, text } from './flag.ts';

export const globalFlags = {
  env: text({
    short: 'e',
    value: 'NAME',
    help: 'environment to use: its base URL, key and settings',
    completes: 'environment',
  }),
  color: choice(COLOR_CHOICES, { value: 'WHEN', help: 'colour: auto, always or never' }),
  quiet: onOff({ short: 'q', help: 'no notes and no progress' }),
  verbose: count({ short: 'v', help: "show each request; -vv: also its answer's headers" }),
  debug: onOff({ help: 'add stack traces to errors' }),
  mayPrompt: off({ long: 'no-input', help: 'never prompt' }),
};

export const GLOBAL_FLAGS = flagsOf(globalFlags);

/** Those that print something instead of running a command. */
export const HELP_FLAG: Flag = { long: 'help', short: 'h', help: 'print help' };
export const VERSION_FLAG: Flag = { long: 'version', short: 'V', help: 'print the version' };
