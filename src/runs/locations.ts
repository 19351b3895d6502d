/** Where the newest record of each wallet is in a file. Wallets are numbered from 0, in the order of their first records. */
import type { RecordLocation } from '../files/record-file.ts';
import { ownCopy } from '../text/own-copy.ts';

export type NumberedLocation = RecordLocation & { readonly number: number };

export class RecordLocations {
  private readonly byId = new Map<string, NumberedLocation>();
  private readonly byNumber: NumberedLocation[] = [];

  get size(): number {
    return this.byId.size;
  }

  /** Where the wallet's newest record is, without its newline. */
  find(id: string): NumberedLocation | undefined {
    return this.byId.get(id);
  }

  at(number: number): NumberedLocation | undefined {
    return this.byNumber[number];
  }

  set(id: string, { offset, length }: RecordLocation): void {
    const known = this.byId.get(id);
    const location = { number: known?.number ?? this.size, offset, length };
    this.byNumber[location.number] = location;
    // An id may be cut out of a long line.
    this.byId.set(known ? id : ownCopy(id), location);
  }
}
