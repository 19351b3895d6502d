/** The pacer against every kind of limiter, over more runs than `npm test` has the time for. */
import { testLimiters } from '../fixtures/service/limiters.ts';

testLimiters({ count: 4, first: 1 });
