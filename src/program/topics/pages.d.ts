/** What a page of docs/ is once the build has parsed it: .config/documents.mjs. */
declare module '*.md' {
  export const blocks: readonly import('./page.ts').Block[];
}
