/** Wallets on the command line: judged before anything is sent. */
import { promises as files } from 'node:fs';
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/redact.ts';
import { type NotWallet, readWallet, type Wallet, type WalletRules } from '../wallet/address.ts';

/**
 * The wallet that `text` names. @throws UsageError when it is not one; what may be a private key is
 * not repeated
 */
export async function checkWallet(text: string, rules: WalletRules): Promise<Wallet> {
  const reading = readWallet(text, rules);
  if (!reading.ok) throw await refusal(text, reading);
  return reading;
}

const LIST_NAME = /\.(csv|tsv|txt|jsonl?|ndjson|xlsx?|ods|gz)$/i;

async function refusal(text: string, { code, message, hint }: NotWallet): Promise<UsageError> {
  const refuse = (name: string, what: string, remedy: string | undefined) =>
    new UsageError(`${name} is not a wallet: ${what}`, { code: 'invalid_wallet', hint: remedy });
  if (code === 'secret') return refuse('this argument', message, hint);
  const name = quoted(text);
  const asList = `to read it as a list, use -f ${name}`;
  if (await isFile(text)) return refuse(name, 'it is a file', asList);
  if (LIST_NAME.test(text)) return refuse(name, 'it looks like a file name, but there is no such file', asList);
  return refuse(name, message, hint);
}

const isFile = (path: string) =>
  files.stat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
