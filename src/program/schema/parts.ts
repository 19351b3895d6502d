/** Pieces of JSON Schema (2020-12) that the outputs are put together from. */

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

/** A value of the service's own: a number as it was spelled, or text. */
export const scalar: Schema = { type: ['number', 'string', 'boolean', 'null'] };

interface ObjectOptions {
  /** Members that may be absent. */
  readonly optional?: Members;
  /** What members of other names are; none are allowed unless this says so. */
  readonly others?: Schema | true;
}

/** An object that has all of `required`. */
export function object(required: Members, { optional = {}, others }: ObjectOptions = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: others ?? false,
  };
}
