/** Types for the part of undici that undici-pool.ts loads. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
