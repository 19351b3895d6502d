/** The one table of variables: doctor knows what is set by it, docs/settings.md has them all. */
import { SETTINGS, type Setting } from './settings-table.ts';

export interface Variable {
  readonly name: string;
  readonly help: string;
}

const KEY: readonly Variable[] = [
  { name: 'RISKCLI_API_KEY', help: 'the API key' },
  { name: 'RISKCLI_API_KEY_FILE', help: 'a file that contains the API key' },
];
const ENVIRONMENT: readonly Variable[] = [{ name: 'RISKCLI_ENV', help: 'environment to use' }];
const CONFIG: readonly Variable[] = [
  { name: 'RISKCLI_CONFIG_DIR', help: 'folder for config.json and keys.json' },
  { name: 'XDG_CONFIG_HOME', help: 'folder for these two, if that is not set (default: ~/.config)' },
];
const STATE: readonly Variable[] = [
  { name: 'XDG_STATE_HOME', help: 'folder for what is learned (default: ~/.local/state)' },
];
const NETWORK: readonly Variable[] = [
  { name: 'HTTPS_PROXY', help: 'proxy for https; also https_proxy' },
  { name: 'ALL_PROXY', help: 'proxy where HTTPS_PROXY is not set; also all_proxy' },
  { name: 'NO_PROXY', help: 'hosts that are reached without one; also no_proxy' },
  { name: 'NODE_EXTRA_CA_CERTS', help: 'a file with more CA certificates' },
];
const COLOR: readonly Variable[] = [
  { name: 'NO_COLOR', help: 'no colour, unless empty' },
  { name: 'FORCE_COLOR', help: 'colour whatever the terminal says; of report and review also in a pipe' },
];

const ofSettings = (rows: readonly Setting[]): readonly Variable[] =>
  rows.flatMap(({ variable, help }) => (variable === undefined ? [] : [{ name: variable, help }]));

/** All of them, in the order in which they are listed. */
export const VARIABLES: readonly Variable[] = [
  ...KEY,
  ...ENVIRONMENT,
  ...ofSettings(SETTINGS),
  ...CONFIG,
  ...STATE,
  ...NETWORK,
  ...COLOR,
];
