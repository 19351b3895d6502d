/**
 * Each journal parses, and every record in it is an answer that the service gave for that wallet.
 */
import type { SentRequest, Violation } from '../history.ts';
import { type Case, mayBeRefusal } from './case.ts';
import { type JournalRecord, readJournal } from './readers.ts';

export function* judgeJournals(history: Case): Generator<Violation> {
  const bases = new Set(history.runs.map(({ env }) => env.RISKCLI_BASE_URL));
  const paths = new Set(history.runs.flatMap(({ journal }) => journal ?? []));
  for (const [path, bytes] of history.files) {
    if (!paths.has(path)) continue;
    const { base, records, damaged, torn } = readJournal(bytes);
    if (base === undefined) yield { rule: 'a journal has no header', detail: path };
    else if (!bases.has(base)) yield { rule: 'a journal is of another service', detail: `${path}: ${base}` };
    // A damaged record is reported, and its wallet asked again; it stays.
    const mayBeDamaged = history.has(/^power cut$|^failing call|^disk nearly full$/);
    if (damaged.length > 0 && !mayBeDamaged)
      yield { rule: 'a journal has damaged lines', detail: `${path}: ${damaged.join(', ')}` };
    if (torn > 0) yield { rule: 'a journal is torn', detail: `${path}: ${torn} characters` };
    for (const record of records) {
      if (!isReal(history, record))
        yield {
          rule: 'a record is not what the service answered',
          detail: `${path}: ${record.wallet} ${record.content.slice(0, 200)}`,
        };
    }
  }
}

function isReal({ requests }: Case, { wallet, kind, content }: JournalRecord): boolean {
  const mine = requests.filter((request) => request.wallet === wallet);
  return kind === 'document' ? mine.some((request) => wasAnswered(request, content)) : mine.some(mayBeRefusal);
}

/**
 * What the service says about other wallets, and what is no profile, is no answer, whatever it
 * says.
 */
const NO_PROFILE =
  /^other wallet$|^no collateral$|^score list$|^bad utf8$|^truncated$|^close|^reset|^encoded$|^too long$/;

const wasAnswered = ({ status, body, fault, deliveredAt }: SentRequest, content: string) =>
  deliveredAt !== undefined && status === 200 && body === content && !NO_PROFILE.test(fault ?? '');
