const SEPARATORS = /[^a-z0-9]/g;
const SECRET =
  /(?:password|passwd|passphrase|pwd|secret|secrets|secretkey|token|tokens|apikey|apikeys|accesskey|accesskeyid|privatekey|masterkey|signingkey|encryptionkey|sessionkey|authkey|authorization|credential|credentials|cookie|cookies|bearer|jwt|mnemonic|seedphrase|otp|pin)$/;

/**
 * Whether a field is named like a secret: the name ends in a word such as `password`, `token` or
 * `apiKey`, in any spelling. `tokenCount` and `secretName` are not.
 * @param name - name of a field
 */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.toLowerCase().replace(SEPARATORS, ""));
}
