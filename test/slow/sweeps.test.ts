/** The tests that sweep over bytes and calls, with every place of the sweep: `npm test` has some of them. */
import '../unit/journal/journal-damage.test.ts';
import '../unit/journal/journal.test.ts';
import '../unit/results/open-results.test.ts';
import '../faults/files/journal-verbs.test.ts';
