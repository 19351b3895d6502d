/**
 * What a run printed or wrote, without what differs from run to run and from machine to machine.
 */
import { tmpdir } from 'node:os';

interface Machine {
  readonly folder: string;
  readonly key: string;
}

export function normalized(text: string, { folder, key }: Machine): string {
  return (
    withoutPageParts(text)
      .replaceAll(folder, '@')
      // A terminal may have room for its beginning only.
      .replaceAll(new RegExp(`${tmpdir()}/r[\\w/-]*`, 'g'), '@...')
      .replaceAll(key, 'SANDBOX-KEY')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      // Of the key and the service, which has another port each time.
      .replace(/(limit|requests)-[0-9a-f]{32}/g, '$1-HASH')
      // It covers a port.
      .replace(/"crc":"[0-9a-f]{8}"/g, '"crc":"CRC"')
      // How often the line of progress is drawn depends on how fast all goes.
      .replace(/\r[^\r\n]*\u001b\[K/g, '')
      .replace(/^ {4}at .*\n/gm, '')
      .replace(/[^\n\t -~\u00a0-\uffff]/g, shown)
  );
}

const shown = (character: string) =>
  character === '\u001b' ? '\\e' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/**
 * A page without its style and its script, which are made by the build; what it says is a line a
 * tag.
 */
function withoutPageParts(text: string): string {
  if (!/^<!doctype html>/i.test(text)) return text;
  return text
    .replace(/(<(?:style|script)>)[\s\S]*?(?=<\/(?:style|script)>)/g, '$1')
    .replace(/sha256-[\w+/=]{44}/g, 'HASH')
    .replace(/(?<=>)(?=<(?!\/))/g, '\n');
}
