/** The paths that every row has, whatever the service adds to its documents: what a shell offers where a path is meant. */

/** Of the contract (sections 2.2), and where the headline score usually is. */
const DOCUMENT_PATHS = ['wallet_address', 'total_collateral_usd', 'defi_score.defi_score'];

const META_PATHS = ['line', 'input', 'status', 'score', 'answered_at', 'warning', 'error.code', 'error.message'];

export const FIELD_PATHS: readonly string[] = [...DOCUMENT_PATHS, ...META_PATHS.map((path) => `_meta.${path}`)];

/** Of a comparison. */
export const CHANGE_PATHS: readonly string[] = [
  'wallet_address',
  'change',
  ...['status', 'score', 'total_collateral_usd'].flatMap((name) =>
    ['old', 'new', 'delta'].map((side) => `${name}.${side}`),
  ),
];
