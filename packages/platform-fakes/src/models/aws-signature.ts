import { createHash, createHmac } from "node:crypto";
import { Rejection } from "./rejection.js";
import type { ModelServerRequest } from "./reply.js";

/** Credentials that a server accepts. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly region: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Checks the Signature Version 4 of a request.
 * @param request - request with its body as it was sent
 * @param credentials - credentials that it must be signed with
 * @throws Rejection with the code of AWS when the signature is missing or wrong
 */
export function checkAwsSignature(request: ModelServerRequest, credentials: AwsCredentials): void {
  const { headers } = request;
  const found = AUTHORIZATION.exec(headers.authorization ?? "");
  if (found === null) {
    throw new Rejection("Missing Authentication Token", 403, "MissingAuthenticationTokenException");
  }
  const [, accessKeyId, day = "", region, service, names = "", signature] = found;
  const { sessionToken } = credentials;
  const unknown = new Rejection(
    "The security token included in the request is invalid.",
    403,
    "UnrecognizedClientException",
  );
  if (accessKeyId !== credentials.accessKeyId) throw unknown;
  if (headers["x-amz-security-token"] !== sessionToken) throw unknown;
  const wrong = (problem: string) =>
    new Rejection(
      `The request signature we calculated does not match the signature you provided. ${problem}`,
      403,
      "InvalidSignatureException",
    );
  const signed = names.split(";");
  const needed = ["host", "x-amz-date", ...(sessionToken ? ["x-amz-security-token"] : [])];
  const unsigned = needed.find((name) => !signed.includes(name));
  if (unsigned !== undefined) throw wrong(`Header ${unsigned} is not signed.`);
  if (region !== credentials.region || service !== "bedrock")
    throw wrong(`Scope ${region}/${service}.`);
  const date = String(headers["x-amz-date"]);
  if (!date.startsWith(day)) throw wrong(`Date ${date} is not of ${day}.`);
  const canonical = canonicalRequest(request, signed);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  if (hmac(key, toSign).toString("hex") !== signature) throw wrong("Check the secret access key.");
}

function canonicalRequest(
  { method, path, headers, text }: ModelServerRequest,
  signed: readonly string[],
): string {
  const [pathname = "", query = ""] = path.split("?");
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`);
  return [
    method,
    // Services other than S3 encode the path that was sent once more.
    pathname.split("/").map(encodeURIComponent).join("/"),
    query,
    lines.join(""),
    signed.join(";"),
    sha256(text),
  ].join("\n");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
