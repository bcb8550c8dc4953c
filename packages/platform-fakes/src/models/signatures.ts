import { createHash, randomBytes } from "node:crypto";

/** Signatures of the reasoning that a server sent, which it recognises when a client sends it back. */
export class IssuedSignatures {
  readonly #key = randomBytes(16);

  /**
   * Returns the signature of a text.
   * @param text - reasoning, or what was signed instead of it
   */
  issue(text: string): string {
    return createHash("sha256").update(this.#key).update(text).digest("base64");
  }

  /**
   * Returns true when this server issued the signature for this text.
   * @param signature - as the client sent it
   * @param text - as the client sent it
   */
  isOf(signature: unknown, text: unknown): boolean {
    return typeof text === "string" && signature === this.issue(text);
  }
}
