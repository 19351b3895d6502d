/** Errors as node makes them of what the system says: code, errno, syscall, path and message. */
import { getSystemErrorMap } from 'node:util';

const SYSTEM_ERRORS = new Map([...getSystemErrorMap()].map(([errno, [code, message]]) => [code, { errno, message }]));

export interface FailedCall {
  readonly syscall: string;
  readonly path?: string | undefined;
  /** Of a rename, link or copy. */
  readonly dest?: string | undefined;
}

export function systemError(code: string, { syscall, path, dest }: FailedCall): NodeJS.ErrnoException {
  const { errno, message } = SYSTEM_ERRORS.get(code) ?? { errno: -1, message: 'unknown error' };
  const where = `${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`;
  const error = new Error(`${code}: ${message}, ${syscall}${where}`);
  return Object.assign(error, { errno, code, syscall }, path !== undefined && { path }, dest !== undefined && { dest });
}
