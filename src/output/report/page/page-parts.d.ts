/** The script and the style of a page as text, bundled by .config/page-parts.mjs. */
declare module '*?page' {
  const text: string;
  export default text;
}
