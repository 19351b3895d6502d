/** What this build is and where it lies. */
declare const RISKCLI_VERSION: string | undefined;

/** The version in package.json, which the build puts in. */
export const VERSION = typeof RISKCLI_VERSION === 'string' ? RISKCLI_VERSION : 'source';

/** The package's folder: both src/ and dist/ lie right below it. */
export const PACKAGE_ROOT = new URL('..', import.meta.url);
