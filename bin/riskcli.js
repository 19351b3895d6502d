#!/usr/bin/env node
// The launcher: checks the Node version, turns the compile cache on where Node has one, starts the built program.
// CommonJS, because node starts it faster than a module.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`riskcli: needs Node 20.19 or newer, this is ${process.versions.node}; install a newer Node\n`);
  process.exitCode = 1;
} else {
  if (major >= 22) useCompileCache();
  require('../dist/main.js').start();
}

// In the user's own cache folder: compiled code in a shared one could be planted by somebody else. The folder is made here,
// because node tries for ever where none can be made (in /proc, say).
function useCompileCache() {
  const { mkdirSync } = require('node:fs');
  const { HOME, XDG_CACHE_HOME } = process.env;
  const caches = [XDG_CACHE_HOME, HOME && `${HOME}/.cache`].find((path) => path?.startsWith('/'));
  if (!caches) return;
  for (const folder of [caches, `${caches}/riskcli`]) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (error.code !== 'EEXIST') return;
    }
  }
  require('node:module').enableCompileCache?.(`${caches}/riskcli`);
}
