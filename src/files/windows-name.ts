/**
 * Names that Windows cannot give a file. Node makes one all the same, since it goes past the rules of the system (`\\?\`), and then
 * hardly any other program can open or delete it; a name of a device leads to the device, and what is written is gone.
 */
import { win32 } from 'node:path';
import { IoError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';

/** Devices have their names in every folder, in any case, and whatever follows a dot (Naming Files, Microsoft). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:[.:].*)?$/i;
const NO_NAME = /[<>:"|?*\u0000-\u001f]/;
const DROPPED_END = /[. ]$/;

/** @throws IoError when Windows cannot have a file called as the last part of `path`. Other systems take any name. */
export function refuseWindowsName(path: string, { platform }: { readonly platform: string }): void {
  if (platform === 'win32') refuse(path, win32.basename(path));
}

/** The same for a folder that may have to be made, with its parents. @throws IoError */
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
