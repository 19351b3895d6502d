/** The headers of every request; one that needs the key has one more. */
import { VERSION } from '../../version.ts';

/** Asks for a body as it is: one that is encoded all the same is refused, since its true size is unknown. */
const UNENCODED = { 'accept-encoding': 'identity' };

export const HEADERS = { ...UNENCODED, accept: 'application/json', 'user-agent': `riskcli/${VERSION}` };
