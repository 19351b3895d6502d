/** The part of the root help that no command owns: settings, exit codes, where to read on. */
import { topics } from './topics/index.ts';

export const rootHelp = `
Examples:
  # Try it with a sandbox: no account, no network
  $ riskcli profile --sandbox 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
  # Your own service and key
  $ riskcli keys set --base-url https://api.example.com
  $ riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045

Settings (options override variables, which override riskcli config):
  RISKCLI_API_KEY             the API key
  RISKCLI_API_KEY_FILE        a file that contains the API key
  RISKCLI_BASE_URL            address of the service
  RISKCLI_ENV                 environment to use
  RISKCLI_AUTH                header to send the key in: x-api-key or bearer
  RISKCLI_TIMEOUT             time limit for one answer, such as 30s
  RISKCLI_MAX_WAIT            longest time to wait for rate limits
  RISKCLI_MONTHLY_REQUESTS    the plan's limit of requests a month
  RISKCLI_SCORE               path to the headline score
  RISKCLI_WALLET_FORMAT       what counts as a wallet: evm, hex or name
  RISKCLI_CONFIG_DIR          folder for config.json and keys.json
  NO_COLOR, FORCE_COLOR, HTTPS_PROXY, ALL_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS,
  XDG_CONFIG_HOME, XDG_STATE_HOME

Exit codes:
  0 all answered             6 answer not trusted          129 hang-up
  1 fault in riskcli         7 stopped by a limit          130 interrupted
  2 wrong usage or setting   8 local input or output       141 output closed
  3 some rows refused        9 list empty or unreadable    143 terminated
  4 key missing or rejected  10 a condition matched
  5 temporary failure        11 journal in use by another run

Topics:
${topics.map(({ name, summary }) => `  riskcli help ${name.padEnd(12)}  ${summary}`).join('\n')}

Documentation: riskcli help <command>, and README.md in the package
(npm explore -g riskcli)`;
