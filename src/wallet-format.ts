/** What a list takes for a wallet. It decides as well what else in its texts may be a secret. */

/**
 * `evm`: 0x and 40 hex digits. `hex`: 0x and 1 to 128 hex digits, for chains with other lengths. `name`: as `evm`, or a name
 * that the service looks up.
 */
export const WALLET_FORMATS = ['evm', 'hex', 'name'] as const;
export type WalletFormat = (typeof WALLET_FORMATS)[number];
