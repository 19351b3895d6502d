/** V8 lets a piece of a text refer to all of it: a few characters that are kept would keep an answer of megabytes. */

/** `text` by itself. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();
