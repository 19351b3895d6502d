/** Reads small JSON objects of riskcli's own files. */

/** The members of the object in `text`, unchecked; none when it is not JSON. */
export function jsonMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
