/** What the answers say about the key's limit (contract, sections 2.5 and 7). */
export interface RateLimit {
  /** Requests a second for the key. */
  readonly limit?: number;
  readonly remaining?: number;
  /** Milliseconds from now to the reset, never negative. */
  readonly resetMs?: number;
}
