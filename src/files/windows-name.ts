/**
 * File names that Windows does not allow. Node can still create such a file, since it bypasses the rules (`\\?\`), and hardly any
 * other program can then open or delete it; the name of a device refers to the device, and what is written to it is lost.
 */
import { win32 } from 'node:path';
import { IoError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';

/** Device names apply in every folder, in any case, and with any extension (Naming Files, Microsoft). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:[.:].*)?$/i;
const NO_NAME = /[<>:"|?*\u0000-\u001f]/;
const DROPPED_END = /[. ]$/;

/** @throws IoError on Windows when the last part of `path` is not a valid file name */
export function refuseWindowsName(path: string, { platform }: { readonly platform: string }): void {
  if (platform === 'win32') refuse(path, win32.basename(path));
}

/** The same for a folder that may have to be made, and its parents. @throws IoError */
export function refuseWindowsFolder(path: string, { platform }: { readonly platform: string }): void {
  if (platform !== 'win32') return;
  const { root } = win32.parse(path);
  for (const name of path.slice(root.length).split(/[\\/]/)) refuse(path, name);
}

function refuse(path: string, name: string): void {
  if (name === '.' || name === '..') return;
  if (DEVICE_NAME.test(name)) {
    throw new IoError(`${quoted(path)} has the name of a device`, {
      hint: 'choose another name; where nothing is to be kept, redirect standard output to NUL',
    });
  }
  if (NO_NAME.test(name)) {
    throw new IoError(`${quoted(path)} cannot be the name of a file on Windows`, {
      hint: 'leave out < > : " | ? * and control characters, as in 2030-01-31T0900.csv',
    });
  }
  if (DROPPED_END.test(name)) {
    throw new IoError(`${quoted(path)} ends with a dot or a space, which no file name on Windows can`, {
      hint: 'remove what it ends with',
    });
  }
}
