/** Runs before every test file. */
import { afterAll } from 'vitest';
import { removeFolders } from './place/folder.ts';

afterAll(removeFolders);

// nock 15 needs Promise.withResolvers, which Node 20 lacks.
if (!('withResolvers' in Promise)) {
  Object.assign(Promise, {
    withResolvers() {
      let resolve: unknown;
      let reject: unknown;
      const promise = new Promise((yes, no) => {
        resolve = yes;
        reject = no;
      });
      return { promise, resolve, reject };
    },
  });
}
