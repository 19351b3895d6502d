/** Pieces of JSON Schema (2020-12) from which the schemas of outputs are made. */
import { ERROR_CODES } from '../../error-codes.ts';
import { ExitCode } from '../../errors.ts';

export type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const count: Schema = { type: 'integer', minimum: 0 };
export const figure: Schema = { type: 'number' };
export const time: Schema = { type: 'string', format: 'date-time', description: 'ISO 8601, UTC' };
export const anything: Schema = {};

export const said = (schema: Schema, description: string): Schema => ({ ...schema, description });
export const oneOf = (choices: readonly unknown[]): Schema => ({ enum: choices });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** A value from the service: a number as it was spelled, or text. */
export const scalar: Schema = { type: ['number', 'string', 'boolean', 'null'] };

/**
 * An object that has all of `required`; members that are `optional` may be absent. `others` is the schema of other members;
 * without it there may be none.
 */
export function object(
  required: Members,
  { optional = {}, others }: { readonly optional?: Members; readonly others?: Schema | true } = {},
): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: others ?? false,
  };
}

export const errorCode: Schema = oneOf(Object.keys(ERROR_CODES));
export const exitCode: Schema = oneOf(Object.values(ExitCode));
/** Rows of a list by status. */
export const byStatus = object({ scored: count, no_score: count, invalid: count, failed: count, pending: count });
