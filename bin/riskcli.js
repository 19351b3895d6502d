#!/usr/bin/env node
// The launcher: checks what node can do, and starts the built program. CommonJS, because node starts it faster than a module.
// Node's compile cache stays off: it gains 1 to 3 ms, and a cache folder is a place to plant code in.
const { writeSync } = require('node:fs');

// Some packages are modules, and the program is not.
if (!process.features.require_module) {
  refuse(`needs Node 20.19, 22.12 or newer, this is ${process.versions.node}; install a newer Node`);
} else if (process.argv.length > 3 || process.argv[2] !== '--version' || !printed(require('../package.json').version)) {
  program()?.start();
}

/** Monitoring asks for the version often. What cannot be written, the program writes again, and says why it cannot. */
function printed(version) {
  try {
    return writeSync(1, `${version}\n`) > version.length;
  } catch {
    return false;
  }
}

/** The smaller programs start sooner: of `profile`, and of a shell that completes a command line. A clone is built by npm and by most of its like, but not by Yarn, nor with --ignore-scripts. */
function program() {
  try {
    if (process.argv[2] === '__complete') return require('../dist/complete.cjs');
    if (process.argv[2] === 'profile') return require('../dist/profile.cjs');
    return require('../dist/main.cjs');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    refuse('the built program is missing; run npm run build in a clone, or install riskcli again');
  }
}

function refuse(message) {
  process.stderr.write(`riskcli: ${message}\n`);
  process.exitCode = 1;
}
