/** Prints a review: the letter, the document, or a few lines. */
import { writeAll } from '../../files/stream.ts';
import { briefLines } from '../../output/review/brief.ts';
import { reviewText } from '../../output/review/document.ts';
import { letterLines } from '../../output/review/letter.ts';
import { paged } from '../../output/terminal/paged.ts';
import { terminalOrPipe } from '../../output/terminal/terminal-of.ts';
import type { Review } from '../../review/review.ts';
import type { ReviewRun } from './review-options.ts';

export async function printReview(
  review: Review,
  { options: { format, brief, color, mayPrompt }, context }: ReviewRun,
): Promise<void> {
  if (format === 'json') {
    await writeAll(context.stdout, reviewText(review));
    return;
  }
  const terminal = terminalOrPipe({ output: undefined, color }, context);
  const lines = brief ? briefLines(review) : await letterLines(review, terminal);
  const text = `${lines.join('\n')}\n`;
  for await (const block of paged([text], { context, mayWait: mayPrompt && context.stdout.isTTY === true })) {
    await writeAll(context.stdout, block);
  }
}
