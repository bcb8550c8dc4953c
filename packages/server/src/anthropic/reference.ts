/*
 * The reasoning that a provider signed stays in the session of its turn. A client receives the text with a signature
 * that names the turn, and the next request with it continues with everything that the model knew.
 */

const SIGNATURE = /^openclaw_([0-9a-f]{32})$/;

/**
 * Returns the signature of the reasoning of a reply for its client.
 * @param messageId - ID of the message that the reply answers
 */
export function signatureOf(messageId: string): string {
  return `openclaw_${messageId.replaceAll("-", "")}`;
}

/**
 * Returns the message that a signature of this gateway names.
 * @param signature - signature from a client
 * @returns undefined for a signature that this gateway did not make
 */
export function readSignature(signature: string): string | undefined {
  const [, hex] = SIGNATURE.exec(signature) ?? [];
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
