import { type DeviceProof, deviceStatement } from "@openclaw/protocol/device";
import { DeviceKeyError } from "../errors.js";

/** Bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 64;

/** Key of a device, with which it connects once the operator of the gateway has approved it (HOST-023). */
export interface DeviceKey {
  /** Raw Ed25519 public key, 32 bytes in Base64url without padding. */
  readonly publicKey: string;
  /** Name that the operator sees, one line of up to 64 characters. */
  readonly name: string;
  /**
   * Signs with the private key.
   * @param statement - bytes to sign
   * @returns Ed25519 signature, 64 bytes
   */
  sign(statement: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/**
 * Answers a challenge of a gateway.
 * @param challenge - challenge, and the host of the URL that the client connects to
 * @throws DeviceKeyError when the key does not sign
 */
export async function proofOf(
  key: DeviceKey,
  { host, challenge }: { readonly host: string; readonly challenge: string },
): Promise<DeviceProof> {
  const { publicKey } = key;
  const statement = deviceStatement({ host, publicKey, challenge });
  let signature: Uint8Array;
  try {
    signature = await key.sign(new TextEncoder().encode(statement));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new DeviceKeyError(`the key of this device did not sign: ${problem}; unlock it`, {
      cause,
    });
  }
  if (signature.length !== SIGNATURE_BYTES) {
    const expected = `expected an Ed25519 signature of ${SIGNATURE_BYTES} bytes`;
    throw new DeviceKeyError(
      `the key of this device is unusable: ${expected}, got ${signature.length}`,
    );
  }
  return { publicKey, challenge, signature: base64url(signature) };
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
