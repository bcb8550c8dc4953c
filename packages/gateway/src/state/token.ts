import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StateFolderError } from "@openclaw/store/errors";

/** Minimum length of the gateway's token, in characters (GW-013). */
export const MINIMUM_TOKEN_LENGTH = 24;

/**
 * Reads the bearer token of a state folder, and creates it at the first start (GW-013).
 * @param file - path of the token file; written with mode 0600
 * @returns the token; never print it
 * @throws StateFolderError when the file cannot be read or written, or does not contain a token
 */
export function loadGatewayToken(file: string): string {
  const token = readToken(file);
  if (token.length >= MINIMUM_TOKEN_LENGTH && !/\s/.test(token)) return token;
  throw new StateFolderError(
    dirname(file),
    `has a ${basename(file)} that does not contain a token: expected at least ${MINIMUM_TOKEN_LENGTH} characters and no spaces, found ${token.length} characters`,
    { nextStep: "delete that file to get a new one at the next start" },
  );
}

/**
 * Reads the key that protects the buttons of approval requests, and creates it at the first use (APPR-033).
 * @returns 32 bytes
 * @throws StateFolderError when the file cannot be read or written, or does not contain a key
 */
export function loadButtonKey(stateDir: string): Uint8Array {
  return Buffer.from(loadGatewayToken(join(stateDir, "buttons.key")), "base64url");
}

function readToken(file: string): string {
  try {
    if (!existsSync(file)) createToken(file);
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const { message } = cause as Error;
    throw new StateFolderError(
      dirname(file),
      `has a ${basename(file)} that is not usable (${message})`,
      {
        cause,
      },
    );
  }
}

/**
 * Writes a temporary file and links it, so that concurrent starts agree on one token and never read a partial
 * one.
 */
function createToken(file: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    unlinkSync(draft);
  }
}
