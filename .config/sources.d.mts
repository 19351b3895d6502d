import type { Plugin } from 'vitest/config';

export declare function sourcesInTests(): Plugin;
