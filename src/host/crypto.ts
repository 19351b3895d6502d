/** node:crypto, loaded when it is asked for: it takes 3 ms, and most runs with one wallet have no use for it. */
export const crypto = () => process.getBuiltinModule('node:crypto');
