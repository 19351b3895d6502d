/** The whole of a text that comes in blocks. */
export async function whole(blocks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const block of blocks) text += block;
  return text;
}
