// Writes what docs/ says that the program's own tables say: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';

const page = (name) => fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url));
const { withSettingsTables } = await importSource('program/documents.ts');
writeFileSync(page('settings'), await withSettingsTables(readFileSync(page('settings'), 'utf8')));
