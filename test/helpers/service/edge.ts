/** The service at the HTTP edge, by nock: each test says what is answered, and an answer that nobody asked for fails it. */
import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

export const EDGE = 'https://service.test/prefix';

/** Call at the top of a test file: real connections are off while it runs. */
export function useEdge(): void {
  beforeAll(() => {
    // Another file of this process may have ended it.
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const unused = nock.pendingMocks();
    nock.cleanAll();
    expect(unused).toEqual([]);
  });
  afterAll(() => {
    nock.restore();
    nock.enableNetConnect();
  });
}
