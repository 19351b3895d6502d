import type { Plugin } from 'esbuild';
import type { Plugin as VitePlugin } from 'vitest/config';

export declare const pageParts: Plugin;
export declare const pagePartsInTests: VitePlugin;
