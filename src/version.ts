/** The version of this build, and its folder. */
import { join } from 'node:path';

declare const RISKCLI_VERSION: string | undefined;
declare const RISKCLI_ISSUES: string | undefined;

/** The version in package.json, which the build puts in. */
export const VERSION = typeof RISKCLI_VERSION === 'string' ? RISKCLI_VERSION : 'source';

/**
 * The address for reports of faults: below the repository in package.json, which the build inserts.
 */
export const ISSUES = typeof RISKCLI_ISSUES === 'string' ? RISKCLI_ISSUES : 'the project page';

/** The package's folder, right above both src/ and dist/. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..');
