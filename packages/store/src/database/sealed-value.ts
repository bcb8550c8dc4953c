/** Encrypted value; each part is base64. */
export interface SealedValue {
  /** ID of the master key, which is not stored. */
  readonly keyId: string;
  readonly salt: string;
  readonly nonce: string;
  readonly ciphertext: string;
  readonly tag: string;
}
