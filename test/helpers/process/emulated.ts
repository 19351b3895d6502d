/** Other systems, emulated on Linux: what a preload makes of it is told at the beginning of the preload. */
import { fileURLToPath } from 'node:url';

/** NODE_OPTIONS of a process that takes this machine for `system`. */
export function emulated(system: 'macos' | 'windows'): string {
  return `--require ${fileURLToPath(new URL(`${system}.cjs`, import.meta.url))}`;
}
