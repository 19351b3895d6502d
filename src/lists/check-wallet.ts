/** Wallets on the command line: judged before anything is sent. */
import { promises as files } from 'node:fs';
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { type NotWallet, readWallet, type Wallet, type WalletRules } from '../wallet/address.ts';

/** The wallet that `text` names. @throws UsageError when it is not one; what may be a private key is not repeated */
export async function checkWallet(text: string, rules: WalletRules): Promise<Wallet> {
  const reading = readWallet(text, rules);
  if (!reading.ok) throw await refusal(text, reading);
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
