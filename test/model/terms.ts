/** The terms of the contract of `riskcli review`. Days are counted from the epoch, in UTC. */

export type Level = 'alarm' | 'watch';
export interface Condition {
  readonly path: string;
  readonly op: '<' | '<=' | '>' | '>=' | '==' | '!=' | 'exists' | 'missing';
  readonly value?: number | string;
}
export interface Rule {
  readonly name: string;
  readonly level: Level;
  readonly join: 'all' | 'any';
  readonly conditions: readonly Condition[];
  /** The condition as text; two rules differ if their texts do. */
  readonly text: string;
}
export interface Exception {
  readonly wallet: string;
  readonly rule: string;
  readonly reason: string;
  readonly until?: number;
}
/** A 200: scores at the two paths that a review may use, collateral, and its day. */
export interface Document {
  readonly scores: { readonly first: number | null; readonly second: number | null };
  readonly collateral: number | null;
  readonly warning: boolean;
  readonly day: number;
}
export type Answer = Omit<Document, 'day'> | 'refused' | 'untrusted' | 'failing';
/** A row of the list: an address, or a text that is not one, and its columns. */
export interface Row {
  readonly wallet: string;
  readonly valid: boolean;
  readonly columns: Readonly<Record<string, string>>;
}
export type Path = 'first' | 'second';
export type Status = 'scored' | 'no_score' | 'invalid' | 'failed';
export interface Review {
  readonly day: number;
  readonly rows: readonly Row[];
  readonly rules: readonly Rule[];
  readonly exceptions: readonly Exception[];
  readonly accept: readonly Status[];
  /** So many days, or a day. */
  readonly since: number | { readonly day: number };
  readonly scorePath: Path;
  readonly answers: Readonly<Record<string, Answer>>;
}

export interface Alarm {
  readonly rule: string;
  readonly level: Level;
  readonly opened: number;
  readonly confirmed: number;
  readonly new?: boolean;
  readonly returned?: string;
  readonly excused?: { readonly reason: string; readonly until?: number };
  /** The value that decided, as text, if it is one of an answer and the wallet is listed once. */
  readonly value?: string;
}
export interface Closed {
  readonly rule: string;
  readonly level: Level;
  readonly opened: number;
  readonly cause: 'list' | 'exception' | 'rule' | 'answer';
  readonly value?: string;
}
export interface Previous {
  readonly status: Status;
  readonly answered: number | null;
  readonly score: number | null;
  readonly collateral: number | null;
  readonly warning: boolean;
  readonly notJudged: boolean;
}
/** A wallet of a kept review; its `previous` is undefined without a base. */
export interface Wallet {
  readonly status: Status;
  readonly score: number | null;
  readonly answer?: Document;
  readonly last?: Document;
  readonly alarms: ReadonlyMap<string, Alarm>;
  readonly closed: readonly Closed[];
  readonly notJudged?: number;
  /** Its first row that matches an alarm, from 0; undefined if none does. */
  readonly firstMatch?: number;
  readonly previous?: Previous | null;
}
export type Damage = 'torn' | 'modified';
export interface Kept {
  readonly day: number;
  readonly scorePath: Path;
  readonly rules: readonly Rule[];
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** Somebody cut its last line off, or changed it. */
  readonly damage?: Damage;
}

export interface Letter {
  readonly exit: number;
  readonly news: boolean;
  readonly base: number | null;
  /** Wallets on today's list, or removed from it, by the section in which they are shown. */
  readonly sections: Readonly<Record<string, readonly string[]>>;
  readonly wallets: ReadonlyMap<string, Wallet>;
  readonly counts: Readonly<Record<string, number>>;
  readonly rules: readonly RuleFigures[];
}
export interface RuleFigures {
  readonly name: string;
  readonly level: Level;
  readonly open: number;
  readonly new: number;
  readonly closed: number;
  /** Whether its condition differs from that in the base. */
  readonly hasChanged: boolean;
}
