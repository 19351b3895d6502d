/** Types for the parts of undici that transport.ts loads one by one: the whole package doubles the start-up. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  /** Returns the socket at once, while it still connects. */
  type Connector = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  export default function connector(options?: buildConnector.BuildOptions): Connector;
}
