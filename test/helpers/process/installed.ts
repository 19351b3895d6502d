/** What this machine has besides node. A test that needs what is not there is skipped by name. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const installed = (program: string) => spawnSync('which', [program]).status === 0;
/** Debian's own where there is one: a version manager's python3 is a script that takes five times as long to start. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
export const hasPython = installed(PYTHON);
