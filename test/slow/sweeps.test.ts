/** The tests that sweep over bytes, calls and stops, with all of the sweep: `npm test` has some of it. */
import '../unit/journal/journal-damage.test.ts';
import '../unit/journal/journal.test.ts';
import '../unit/results/open-results.test.ts';
import '../process/files/journal-verbs.test.ts';
import '../process/signals/stops.test.ts';
import '../process/surroundings.test.ts';
import '../process/files/lock.test.ts';
import '../process/files/settings.test.ts';
import '../process/terminal/prompt.test.ts';
import '../process/terminal/terminal-gone.test.ts';
import '../process/systems/windows.test.ts';
import '../process/pipes/output.test.ts';
