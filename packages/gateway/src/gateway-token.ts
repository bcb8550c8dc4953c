import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { StateFolderError } from "./errors.js";

const MINIMUM_LENGTH = 24;

/**
 * Reads the bearer token of a state folder, making it at the first start (GW-013).
 * @param file - path of the token file; written with mode 0600
 * @returns the token; never print it
 * @throws StateFolderError when the file holds something that is no token
 */
export function loadGatewayToken(file: string): string {
  if (!existsSync(file)) createToken(file);
  const token = readFileSync(file, "utf8").trim();
  if (token.length < MINIMUM_LENGTH || /\s/.test(token)) {
    throw new StateFolderError(
      file,
      `holds no usable token (at least ${MINIMUM_LENGTH} characters without spaces); delete the file to get a new one`,
    );
  }
  return token;
}

/** Written aside and linked, so that two starts at once agree on one token and none reads half of it. */
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

/**
 * Whether a presented token is the right one, in time that does not depend on where they differ.
 * @param presented - what the client sent
 * @param token - the gateway's token
 */
export function tokenMatches(presented: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}
