/** What this machine has besides node. A test that needs what is not there is skipped by name. */
import { spawnSync } from 'node:child_process';

export const installed = (program: string) => spawnSync('which', [program]).status === 0;
export const hasPython = installed('python3');
