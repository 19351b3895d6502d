/** node:dns, loaded when a name is looked up: it takes 1 ms, and an address needs none. */
export const dns = () => process.getBuiltinModule('node:dns');
