import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vite';
import type { Block } from '../src/program/topics/page.ts';

export function blocksOf(markdown: string): Block[];
export const documents: EsbuildPlugin;
export const documentsInTests: Plugin;
