#!/usr/bin/env node
// The launcher: checks the Node version, starts the built program. CommonJS, because node starts it faster than a module.
// Node's compile cache stays off: it gains 1 to 3 ms, and a cache folder is a place to plant code in.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`needs Node 20.19 or newer, this is ${process.versions.node}; install a newer Node`);
} else {
  program()?.start();
}

/** A shell that completes a command line waits for less of the program. A clone is built by npm and by most of its like, but not by Yarn, nor with --ignore-scripts. */
function program() {
  try {
    return process.argv[2] === '__complete' ? require('../dist/complete.js') : require('../dist/main.js');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    refuse('the built program is missing; run npm run build in a clone, or install riskcli again');
  }
}

function refuse(message) {
  process.stderr.write(`riskcli: ${message}\n`);
  process.exitCode = 1;
}
