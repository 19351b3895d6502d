/** The script and the style of a page, made into text by .config/page-parts.mjs. */
declare module '*?page' {
  const text: string;
  export default text;
}
