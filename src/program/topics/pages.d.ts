/** A page of docs/ as the build parses it (.config/documents.mjs). */
declare module '*.md' {
  export const blocks: readonly import('./page.ts').Block[];
}
