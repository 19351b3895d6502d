/** The version of this build; the build replaces the name with the one in package.json. */
declare const RISKCLI_VERSION: string | undefined;

export const VERSION = typeof RISKCLI_VERSION === 'string' ? RISKCLI_VERSION : 'source';
