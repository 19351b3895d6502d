// Pages of Markdown (docs/, the skill) as blocks that the program shows: `import page from '../../../docs/lists.md'`. They are
// parsed when the program is built. One plugin for the build, one for the tests, which run the sources.
import { readFileSync } from 'node:fs';
import { marked } from 'marked';

const IS_PAGE = /\.md$/;

/** The blocks of a page of Markdown, as src/program/topics/page.ts describes them. */
export function blocksOf(markdown) {
  return marked.lexer(markdown.replace(/^---\n.*?\n---\n/s, '')).flatMap(blocks);
}

function blocks(token) {
  switch (token.type) {
    case 'heading':
      return [{ kind: 'heading', level: token.depth, text: plain(token.tokens) }];
    case 'paragraph': {
      const text = plain(token.tokens);
      return text === '' ? [] : [{ kind: 'text', text }];
    }
    case 'list':
      return [{ kind: 'list', items: token.items.map((item) => plain(item.tokens)) }];
    case 'code':
      return [{ kind: 'code', lines: token.text.split('\n') }];
    case 'table':
      return [{ kind: 'table', head: token.header.map(cell), rows: token.rows.map((row) => row.map(cell)) }];
    case 'space':
    case 'html':
      return [];
    default:
      throw new Error(`a page may not have this: ${token.raw}`);
  }
}

const cell = ({ tokens }) => plain(tokens);

/** Text without marks: what stands between the marks is read as well without them. */
function plain(tokens) {
  const pieces = tokens.map((token) => {
    if (token.type === 'image' || token.type === 'html') return '';
    if (token.type === 'br') return ' ';
    return token.tokens ? plain(token.tokens) : token.text;
  });
  return pieces.join('').replaceAll(/\s+/g, ' ').trim() === '' ? '' : pieces.join('').replaceAll('\n', ' ');
}

const moduleOf = (path) => `export const blocks = ${JSON.stringify(blocksOf(readFileSync(path, 'utf8')))};`;

export const documents = {
  name: 'documents',
  setup({ onLoad }) {
    onLoad({ filter: IS_PAGE }, ({ path }) => ({ contents: moduleOf(path), loader: 'js', watchFiles: [path] }));
  },
};

/** The same for vite. */
export const documentsInTests = {
  name: 'documents',
  enforce: 'pre',
  load: (id) => (IS_PAGE.test(id) ? moduleOf(id) : undefined),
};
