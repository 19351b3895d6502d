/**
 * The kept reviews of a folder, as state, as base and for paid answers. A file that cannot be used
 * is named here, once, for whoever asked for it; the next one takes its place.
 */
import { ListError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import type { PlainFile } from '../lists/source.ts';
import { isoSeconds } from '../text/when.ts';
import { counted } from '../text/words.ts';
import { inspectKept, openKept, type TrustOptions } from './kept-file.ts';
import { openRun, SILENT } from './open-run.ts';
import { type KeptFile, keptFiles } from './review-folder.ts';
import type { ReviewEnd, ReviewHeader } from './review-lines.ts';

/** A kept review that can be used. */
export interface OpenedReview {
  readonly file: KeptFile;
  readonly plain: PlainFile;
  readonly header: ReviewHeader;
  readonly end: ReviewEnd;
  /** Whether it changed after it was saved: its answers are not reused. */
  readonly isModified: boolean;
}

interface KeptOptions extends TrustOptions {
  readonly folder: string;
  /** The service whose answers count; undefined if any do, as for a reprint. */
  readonly baseUrl?: string | undefined;
}

/**
 * A name is later than the start of its review by a second for each name that was taken. More than
 * this means that the file was renamed.
 */
const MAX_NAME_SHIFT_MS = 3_600_000;

export class KeptReviews {
  /** The newest first. */
  readonly files: readonly KeptFile[];
  readonly #options: KeptOptions;
  /** The files that were opened; undefined for those that cannot be used. */
  readonly #opened = new Map<string, OpenedReview | undefined>();
  /** The base URLs of the files that are of another service. */
  readonly #foreign: string[] = [];

  constructor(options: KeptOptions) {
    this.files = keptFiles(options.folder);
    this.#options = options;
  }

  /**
   * Calls `use` with the first of `files` that can be used, which stays open until `close`. A
   * ListError of `use` means that the file cannot be used.
   */
  async firstUsable<T>(files: readonly KeptFile[], use: (kept: OpenedReview) => Promise<T>): Promise<T | undefined> {
    for (const file of files) {
      try {
        const kept = await this.#open(file);
        if (kept) return await use(kept);
      } catch (error) {
        if (!(error instanceof ListError)) throw error;
        this.#skip(file, error.message);
      }
    }
    return undefined;
  }

  /**
   * Reports the files of another service, in one line.
   * @param hasHistory whether others are used
   */
  reportForeign(hasHistory: boolean): void {
    if (this.#foreign.length === 0) return;
    const reviews = counted(this.#foreign.length, 'kept review');
    const urls = [...new Set(this.#foreign)].join(', ');
    const rest = hasHistory ? '' : '; the history begins anew';
    this.#options.context.report.warn(
      `${reviews} in ${shownPath(this.#options.folder)} skipped: from another base URL (${urls})${rest}`,
    );
  }

  close(): void {
    for (const opened of this.#opened.values()) opened?.plain.close();
    this.#opened.clear();
  }

  #skip({ name, path }: KeptFile, why: string): void {
    this.#opened.get(name)?.plain.close();
    this.#opened.set(name, undefined);
    const shown = shownPath(path);
    this.#options.context.report.warn(`the kept review ${shown} is skipped: ${why.replace(`${shown}: `, '')}`);
  }

  /** Undefined for a file that was skipped. @throws ListError for one that cannot be used */
  async #open(file: KeptFile): Promise<OpenedReview | undefined> {
    const { name } = file;
    if (this.#opened.has(name)) return this.#opened.get(name);
    const plain = await openKept(file, this.#options);
    try {
      const kept = await this.#checked(file, plain);
      if (!kept) plain.close();
      this.#opened.set(name, kept);
      return kept;
    } catch (error) {
      plain.close();
      throw error;
    }
  }

  /** Undefined for a review of another service. @throws ListError */
  async #checked(file: KeptFile, plain: PlainFile): Promise<OpenedReview | undefined> {
    const { context, baseUrl } = this.#options;
    const { review: header } = await openRun(plain, { host: context, report: SILENT });
    if (!header) throw new ListError('it is not a kept review');
    if (baseUrl !== undefined && header.baseUrl !== baseUrl) {
      this.#foreign.push(header.baseUrl);
      return undefined;
    }
    if (Math.abs(file.started - header.started) > MAX_NAME_SHIFT_MS) {
      throw new ListError(`it was renamed: its first line has ${isoSeconds(header.started)}`);
    }
    const { end, change } = await inspectKept(plain);
    if (!end) throw new ListError('it is torn: its last line is missing');
    if (change !== undefined) context.report.info(`the kept review ${shownPath(file.path)}: ${change}`);
    return { file, plain, header, end, isModified: change !== undefined };
  }
}
