/**
 * Answers of a run without a journal. Rows of duplicates may need them much later, so they are on disk; the file cannot be
 * reached by others and does not outlive the process, so records have no checksum and are written in blocks.
 */
import type { Host } from '../context.ts';
import { openRecordFile } from '../files/records/record-file.ts';
import type { AnswerStore } from './answer-store.ts';
import { createLocations } from './locations.ts';
import type { Settled } from './record.ts';

const HINT =
  'free up disk space there, point TMPDIR (on Windows TEMP) elsewhere, or keep the answers with --journal FILE';

/** @throws IoError when there is no room for temporary files */
export function openTemporaryStore(host: Pick<Host, 'temporaryFolder'>): AnswerStore {
  const records = openRecordFile(host, HINT);
  const locations = createLocations();
  return {
    known: 0,
    isKept: false,
    checkLock() {},
    get size() {
      return locations.size;
    },
    has: locations.has,
    get(id) {
      const location = locations.find(id);
      return location && { ...decode(records.read(location)), number: location.number };
    },
    append(id, settled) {
      locations.set(id, records.append(encode(settled)));
    },
    sync: async () => {},
    close: records.close,
    remove: async () => records.close(),
  };
}

/** The separator between the time and the content of a record. */
const [ANSWERED, REFUSED] = [' ', '!'];

const encode = (settled: Settled) =>
  'text' in settled
    ? `${settled.answeredAt}${ANSWERED}${settled.text}`
    : `${settled.answeredAt}${REFUSED}${JSON.stringify(settled.refusal)}`;

function decode(record: string): Settled {
  const answeredAt = Number.parseInt(record, 10);
  const { length } = String(answeredAt);
  const content = record.slice(length + 1);
  return record[length] === REFUSED ? { answeredAt, refusal: JSON.parse(content) } : { answeredAt, text: content };
}
