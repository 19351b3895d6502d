#!/usr/bin/env node
// The launcher: checks the Node version, turns the compile cache on where Node has one, starts the built program.
import module from 'node:module';
import { join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`riskcli: needs Node 20.19 or newer, this is ${process.versions.node}; install a newer Node\n`);
  process.exitCode = 1;
} else {
  // The user's own cache folder: compiled code in a shared one could be planted by somebody else.
  const { HOME, XDG_CACHE_HOME } = process.env;
  const cache = [XDG_CACHE_HOME, HOME && join(HOME, '.cache')].find((folder) => folder?.startsWith('/'));
  if (cache) module.enableCompileCache?.(join(cache, 'riskcli'));
  const { start } = await import('../dist/main.js');
  await start();
}
