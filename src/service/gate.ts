/**
 * The one gate that every authenticated request passes: when the next one may start, and what was learned from the
 * answers. Retries pass before new requests.
 */
import type { RateLimit } from './rate-limit.ts';

/** What one answer (or its absence) teaches about the limiter. */
export interface Observation {
  /** HTTP status; undefined when no answer came. */
  readonly status?: number;
  readonly rate: RateLimit;
  /** For a 429: the wait in milliseconds that the server named, undefined when it named none. */
  readonly retryAfterMs?: number;
}

/** The right to send one request. Exactly one of `cancel` or `sent` followed by `answered` is called. */
export interface Permit {
  cancel(): void;
  sent(): void;
  answered(observation: Observation): void;
}

export interface Gate {
  /**
   * Resolves when one request may be sent.
   * @throws the signal's reason when aborted first.
   */
  enter(options: { readonly retry?: boolean; readonly signal?: AbortSignal }): Promise<Permit>;
}
