import type { Metafile, Plugin } from 'esbuild';
import type { Plugin as VitePlugin } from 'vitest/config';

export declare const pageParts: (keep?: (metafile: Metafile) => void) => Plugin;
export declare const pagePartsInTests: VitePlugin;
