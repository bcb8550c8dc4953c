import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { LobsterError } from "../errors.js";
import type { Key, Keys } from "./keys.js";

const MOST_BYTES = 4096;

/** Content of a resume token (LOB-023). */
export interface TokenPayload {
  readonly v: 1;
  readonly kind: "pipeline" | "workflow";
  /** ID of the suspended run. */
  readonly id: string;
  readonly sessionKey: string;
  readonly agentId: string;
  /** SHA-256 of the pipeline or of the workflow files, and of the arguments. */
  readonly pipelineDigest: string;
  /** Number of the gate within the run, from 1. */
  readonly gate: number;
  /** Time in milliseconds since the epoch at which the token expires. */
  readonly exp: number;
  /** ID of the key. */
  readonly key: string;
}

/** Session that presents a token. */
export interface TokenBearer {
  readonly sessionKey: string;
  readonly agentId: string;
}

/**
 * Creates a token: the payload and its HMAC-SHA256, both in base64url.
 * @param payload - content without the key
 * @param keys - keys of the installation
 */
export async function signToken(payload: Omit<TokenPayload, "key">, keys: Keys): Promise<string> {
  const key = await keys.current();
  const body = encode({ ...payload, key: key.id });
  return `${body}.${signature(body, key)}`;
}

/** Outcome of the check of a token: its content, or why it is not accepted. */
export type CheckedToken =
  | { readonly payload: TokenPayload; readonly problem?: undefined }
  | { readonly payload?: undefined; readonly problem: LobsterError };

/**
 * Checks a token: size, encoding, signature, session, agent and expiry, in this order (LOB-024). The work is the same for
 * every token: the keys are read twice and one signature is computed.
 * @param token - token as the caller gave it
 * @param bearer - session and agent of the caller
 * @param keys - keys of the installation
 * @param now - milliseconds since the epoch
 */
export async function checkToken(
  token: string,
  bearer: TokenBearer,
  keys: Keys,
  now: number,
): Promise<CheckedToken> {
  const [body = "", mac = "", ...rest] =
    Buffer.byteLength(token) > MOST_BYTES ? [] : token.split(".");
  const payload = rest.length === 0 ? decode(body) : undefined;
  const key = await keys.withId(payload?.key ?? "");
  const current = await keys.current();
  const expected = Buffer.from(signature(body, key ?? current));
  const given = Buffer.from(mac);
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  const isAccepted =
    payload !== undefined &&
    key !== undefined &&
    isSigned &&
    payload.sessionKey === bearer.sessionKey &&
    payload.agentId === bearer.agentId;
  if (!isAccepted) {
    const problem =
      "the token is not valid in this session; use the resumeToken of the envelope that this session received, unchanged";
    return { problem: new LobsterError("token_invalid", problem) };
  }
  if (payload.exp <= now) {
    const problem = "the token has expired; start the run again";
    return { problem: new LobsterError("token_expired", problem) };
  }
  return { payload };
}

function encode(payload: TokenPayload): string {
  const { v, kind, id, sessionKey, agentId, pipelineDigest, gate, exp, key } = payload;
  const ordered = { v, kind, id, sessionKey, agentId, pipelineDigest, gate, exp, key };
  return Buffer.from(JSON.stringify(ordered)).toString("base64url");
}

/** Returns the payload of a body in its only valid encoding; undefined for every other text. */
function decode(body: string): TokenPayload | undefined {
  let found: unknown;
  try {
    found = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return undefined;
  const fields = found as { readonly [Field in keyof TokenPayload]?: unknown };
  const isPayload =
    fields.v === 1 &&
    (fields.kind === "pipeline" || fields.kind === "workflow") &&
    typeof fields.id === "string" &&
    typeof fields.sessionKey === "string" &&
    typeof fields.agentId === "string" &&
    typeof fields.pipelineDigest === "string" &&
    Number.isSafeInteger(fields.gate) &&
    Number.isSafeInteger(fields.exp) &&
    typeof fields.key === "string";
  if (!isPayload) return undefined;
  const payload = found as TokenPayload;
  return encode(payload) === body ? payload : undefined;
}

function signature(body: string, { bytes }: Key): string {
  const key = Buffer.from(hkdfSync("sha256", bytes, "", "lobster token", 32));
  return createHmac("sha256", key).update(body).digest("base64url");
}
