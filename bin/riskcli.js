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

// In the user's own cache folder: compiled code in a shared one could be planted by somebody else.
function useCompileCache() {
  const { enableCompileCache } = require('node:module');
  const { HOME, XDG_CACHE_HOME } = process.env;
  const folders = [XDG_CACHE_HOME, HOME && `${HOME}/.cache`];
  const folder = folders.find((path) => path?.startsWith('/'));
  if (enableCompileCache && folder) enableCompileCache(`${folder}/riskcli`);
}
