/** What a list accepts as a wallet. This also decides which of its texts may be a secret. */

/**
 * `evm`: 0x and 40 hex digits. `hex`: 0x and 1 to 128 hex digits, for chains with other lengths. `name`: as `evm`, or a name
 * that the service looks up.
 */
export const WALLET_FORMATS = ['evm', 'hex', 'name'] as const;
export type WalletFormat = (typeof WALLET_FORMATS)[number];
