#!/usr/bin/env node
// The launcher: checks the Node version, starts the built program. CommonJS, because node starts it faster than a module.
// Node's compile cache stays off: it gains 1 to 3 ms, and a cache folder is a place to plant code in.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`riskcli: needs Node 20.19 or newer, this is ${process.versions.node}; install a newer Node\n`);
  process.exitCode = 1;
} else {
  require('../dist/main.js').start();
}
