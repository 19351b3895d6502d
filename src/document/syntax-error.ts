/** What is wrong with a text that is no JSON document, and where. */
/**
 * The text is no JSON document. The message never quotes the text. `offset` is where it stopped making sense (UTF-16
 * units of the text; bytes when it is not UTF-8): its length exactly when it broke off, so that more could have saved it.
 */
export class DocumentSyntaxError extends Error {
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(`${problem} at offset ${offset}`);
    this.name = 'DocumentSyntaxError';
    this.offset = offset;
  }
}
