/** Wallets on the command line: judged before anything is sent. */
import { promises as files } from 'node:fs';
import { UsageError } from '../../errors.ts';
import { withholdEach, withholdText } from '../../secrets/mnemonic.ts';
import { quoted } from '../../secrets/withhold.ts';
import type { NotWallet, Wallet } from '../../wallet/address.ts';
import { readWallet, refuseSecret } from '../../wallet/address.ts';
import type { WalletFormat } from '../../wallet-format.ts';

interface Rules {
  readonly walletFormat: WalletFormat;
  readonly checksum: boolean;
}

/**
 * The wallets that `texts` name.
 * @throws UsageError when one of them is not a wallet; what may be a private key, alone or with its neighbours, is not repeated
 */
export async function checkWallets(texts: readonly string[], rules: Rules): Promise<readonly Wallet[]> {
  const shown = withholdEach(texts, rules.walletFormat);
  const wallets: Wallet[] = [];
  for (const [i, text] of texts.entries()) wallets.push(await check(text, shown[i], rules));
  return wallets;
}

/** The wallet that `text` names. @throws UsageError as checkWallets does */
export const checkWallet = (text: string, rules: Rules): Promise<Wallet> =>
  check(text, withholdText(text, rules.walletFormat), rules);

/** @param shown `text` as it may be printed */
async function check(text: string, shown: string | undefined, rules: Rules): Promise<Wallet> {
  const { walletFormat: format, checksum } = rules;
  const reading = readWallet(text, { format, checksum });
  if (!reading.ok) throw await refusal(text, shown === text ? reading : refuseSecret(text, format));
  // With names, `wallets.csv` could be one.
  if (LIST_NAME.test(text)) throw await fileRefusal(text);
  return reading;
}

const LIST_NAME = /\.(csv|tsv|txt|jsonl?|ndjson|xlsx?|ods|gz)$/i;

async function refusal(text: string, { code, message, hint }: NotWallet): Promise<UsageError> {
  const isSecret = code === 'secret';
  if (!isSecret && (LIST_NAME.test(text) || (await isFile(text)))) return fileRefusal(text);
  const name = isSecret ? 'this argument' : quoted(text);
  return new UsageError(`${name} is not a wallet: ${message}`, { code: 'invalid_wallet', hint });
}

async function fileRefusal(text: string): Promise<UsageError> {
  const name = quoted(text);
  const what = (await isFile(text)) ? 'it is a file' : 'it looks like a file name, but there is no such file';
  return new UsageError(`${name} is not a wallet: ${what}`, {
    code: 'invalid_wallet',
    hint: `to read it as a list, use -f ${name}`,
  });
}

const isFile = (path: string) =>
  files.stat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
