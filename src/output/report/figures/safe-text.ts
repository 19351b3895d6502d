/** Texts of others in a report. */
import { withholdText } from '../../../secrets/mnemonic.ts';
import type { WalletFormat } from '../../../secrets/private-key.ts';

const MAX_TEXT_LENGTH = 500;

/** Text of others without what may be a private key, no longer than a page has room for. */
export function safeText(text: string, format: WalletFormat): string {
  const safe = withholdText(text.slice(0, 4 * MAX_TEXT_LENGTH), format);
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH - 1)}…` : safe;
}
