/** `riskcli help settings`, made from the tables of settings and variables. */
import { SETTINGS, type Setting } from '../../cli/settings-table.ts';
import { VARIABLES } from '../../cli/variables.ts';

const rows: readonly Setting[] = SETTINGS;

const stored = rows.map(({ name, flag, fallback, help }) => {
  const ends = [...(fallback === undefined ? [] : [`default ${fallback}`]), ...(flag ? [`--${flag}`] : [])];
  return `  ${name.padEnd(17)} ${help}${ends.length > 0 ? `\n  ${''.padEnd(17)} (${ends.join('; ')})` : ''}`;
});

const variables = VARIABLES.map(({ name, help }) => `  ${name.padEnd(25)} ${help}`);

export const settings = `An option beats a variable, which beats what the environment stores, which beats
the default. A blank value counts as none. riskcli config list and riskcli keys
show say what is in effect, and where each value came from.

Settings, stored with riskcli config set NAME VALUE:
${stored.join('\n')}

Variables:
${variables.join('\n')}

An environment is a base URL, a key and settings under one name, "default"
  unless -e NAME or RISKCLI_ENV says otherwise. -e on the command line means its
  own base URL and key: RISKCLI_BASE_URL and RISKCLI_API_KEY are then ignored.

An API key never goes on the command line. Store it with riskcli keys set, which
  asks for it or reads standard input, or give it in one of the two variables. A
  stored key is sent to the origin that it was stored for, and to no other.

A base URL is https; plain http is for loopback only. Redirects are never
  followed, and loopback never goes through a proxy.

Settings are in config.json, which configuration management may write; keys are
  in keys.json, which only you can read. No setting chooses a format or fields,
  so that a script prints the same everywhere.

Durations: 500ms, 3s, 5m, 24h, 7d; a bare number is seconds.

There is no telemetry and no update check: riskcli talks to the service that you
  configure, and to nobody else.

Examples:
  # What is in effect in an environment
  $ riskcli config list -e prod
  # Lists stop before the plan is used up
  $ riskcli config set -e prod monthly-requests 100000
  # Without anything stored
  $ RISKCLI_API_KEY_FILE=/run/secrets/key riskcli profile -f wallets.csv --csv
`;
