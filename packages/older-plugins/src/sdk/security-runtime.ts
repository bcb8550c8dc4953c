import { createHash, timingSafeEqual } from "node:crypto";
import { startOfText } from "@openclaw/foundation";

/**
 * Compares secrets in a time that does not depend on where they differ.
 * @param provided - secret of a caller
 * @param expected - configured secret
 * @returns false when one of them is missing
 * @deprecated Use `timingSafeEqual` of `node:crypto`.
 */
export function safeEqualSecret(
  provided: string | null | undefined,
  expected: string | null | undefined,
): boolean {
  if (typeof provided !== "string" || typeof expected !== "string") return false;
  return timingSafeEqual(digestOf(provided), digestOf(expected));
}

/**
 * Rejects when a promise does not settle in time.
 * @param timeoutMs - time in milliseconds
 * @param label - name of the operation, for the message
 * @throws Error when the time is over
 * @deprecated Use `AbortSignal.timeout`.
 */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
  label = "the operation",
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${label} took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a file name without folders and control characters.
 * @param name - name from outside
 * @param fallback - used when nothing remains
 * @deprecated Check the name in the plugin.
 */
export function sanitizeUntrustedFileName(name: string, fallback = "file"): string {
  const last = name.replaceAll("\\", "/").split("/").at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
  const clean = last.replace(/[\u0000-\u001f\u007f]/g, "").trim();
  return clean === "" || clean === "." || clean === ".." ? fallback : startOfText(clean, 200);
}

/** Secrets of different lengths must not differ in the time that their comparison takes. */
function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
