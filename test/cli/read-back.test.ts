/**
 * What riskcli wrote it reads back, in every data format: hostile names and cells of the list, and
 * hostile text of the service.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Node } from '../../src/document/node.ts';
import { parseDocument } from '../../src/document/parse.ts';
import { lookup, type Path } from '../../src/document/path.ts';
import { cellText } from '../../src/document/write.ts';
import { DATA_FORMATS, dataFormat, extensionOf } from '../../src/row/formats.ts';
import { cli } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';
import { fc } from '../fixtures/properties.ts';
import { startServer } from '../fixtures/service/server.ts';

const unit = fc.constantFrom(...'ab01\t\r\n"\'\\=+-@,;|#:.[]{}\0 \u001b\u0085\u2028\ufeffé🦊');
const hostile = fc.oneof(
  fc.string({ unit, maxLength: 6 }),
  fc.constantFrom('=1+1', "'=1", "''=1", '::a::b', "'::", '#a', 'true', '1e5'),
);
const NAMES = ['score', 'status', 'error', 'wallet_address', 'riskcli.score', 'matched', '__proto__', 'constructor'];
const name = fc.oneof(hostile, fc.constantFrom(...NAMES));
const texts = fc.record({ cells: fc.array(hostile, { minLength: 3, maxLength: 3 }), text: hostile });
const lists = fc.record({
  names: fc.uniqueArray(name, { minLength: 3, maxLength: 3, selector: (text) => text.trim().toLowerCase() }),
  member: hostile,
  rows: fc.array(texts, { minLength: 1, maxLength: 3 }),
});

/** Cells know no types, and numbers keep their spelling. */
const textAt = (row: Node, path: Path) => cellText(lookup(row, path));
const quotedPath = (text: string) => `[${JSON.stringify(text)}]`;

const readBack = DATA_FORMATS.filter((format) => dataFormat(format).isReadBack);

it.each(readBack)('reads back from %s each text as it was', async (format) => {
  await fc.assert(
    fc.asyncProperty(lists, async ({ names, member, rows }) => {
      const folder = temporaryFolder();
      const wallets = rows.map((_, i) => address(i + 1));
      await using server = await startServer(({ path }) => {
        const wallet = path.slice(path.lastIndexOf('/') + 1);
        const { text } = rows[wallets.indexOf(wallet)] ?? { text: '' };
        return {
          body: {
            wallet_address: wallet,
            total_collateral_usd: 1,
            defi_score: { score: 1 },
            inside: { [member]: text },
          },
        };
      });
      const list = join(folder, 'list.json');
      const element = ({ cells }: (typeof rows)[number], i: number) =>
        Object.fromEntries([['holder', wallets[i]], ...names.map((one, at) => [one, cells[at]])]);
      writeFileSync(list, JSON.stringify(rows.map(element)));
      const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' };
      const run = (...words: readonly string[]) => cli(words, { env });

      const output = join(folder, `x${extensionOf(format)}`);
      const path = `inside${quotedPath(member)}`;
      const scored = await run('profile', '-f', list, '--column', 'holder', '-o', output, '--fields', `+${path}`);
      expect(scored).toEqual({ stdout: '', stderr: '', exitCode: 0 });

      const before = join(folder, 'before.jsonl');
      expect((await run('profile', address(99), '--jsonl', '-o', before)).exitCode).toBe(0);
      const fields = [path, ...names.map((one) => `input${quotedPath(one)}`)].map((one, i) => `f${i}=${one}?`);
      const { stdout, stderr } = await run('diff', before, output, '--fields', fields.join(','), '--jsonl');
      expect(stderr).toBe('');
      const found = stdout
        .trimEnd()
        .split('\n')
        .map(parseDocument)
        .filter((row) => textAt(row, ['change']) === 'added')
        .map((row) => fields.map((_, i) => textAt(row, [`f${i}`, 'new'])));
      expect(found).toEqual(rows.map(({ text, cells }) => [text, ...cells]));
    }),
  );
});
