/** `riskcli profile <wallet> --curl`: the request for one wallet, as a line for curl. */
import { UsageError } from '../../errors.ts';
import { profileAddresses } from '../../service/contract.ts';
import { checkWallet } from '../shared/judge-argument.ts';
import { printCurl } from '../shared/print-curl.ts';
import type { ProfileRun } from './options.ts';

/** @throws UsageError for a list, and for what is no wallet */
export async function profileCurl(run: ProfileRun): Promise<undefined> {
  const { options } = run;
  if (options.source.kind !== 'one') {
    throw new UsageError('--curl takes one wallet', { hint: 'give one of the list as an argument' });
  }
  const { address } = await checkWallet(options.source.wallet, options);
  return printCurl(run, { urlOf: (baseUrl) => profileAddresses(baseUrl)(address), authenticated: true });
}
