import { withoutInvisible } from "../text/invisible.js";

const HEADER_NAMES = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-api-key",
  "api-key",
  "apikey",
  "x-auth-token",
  "x-token",
  "x-access-token",
  "x-session-token",
  "x-csrf-token",
  "x-secret",
]);
/** `author` and related words begin like `auth`, but hold no credential. */
const NAME_PARTS = /auth(?!or(?!i[sz]))|token|secret|credential|password/;
const VALUE_SCHEMES = /^\s*(?:bearer|basic|token|digest|hoba|mutual|aws4-hmac-sha256)\s+\S/i;
const MARKS = /\p{M}/gu;
const QUERY_NAMES = new Set([
  "api_key",
  "apikey",
  "api-key",
  "access_token",
  "accesstoken",
  "auth",
  "auth_token",
  "token",
  "key",
  "secret",
  "client_secret",
  "password",
  "passwd",
  "pwd",
  "sig",
  "signature",
  "session_id",
]);

/** One header, as a pair or as an object. */
export type HeaderEntry =
  | readonly [name: string, value: string]
  | { readonly name: string; readonly value: string };

/** Headers as a map, or as a list, which preserves repeated names. */
export type HeaderList = Readonly<Record<string, string>> | readonly HeaderEntry[];

/** Parameters of an HTTP tool that can carry a credential. */
export interface CredentialCarrier {
  readonly url?: string | undefined;
  readonly headers?: HeaderList | undefined;
}

export interface CredentialDetection {
  readonly detected: boolean;
  /** Locations without the values: `header authorization`, `query api_key`, `url userinfo`. */
  readonly places: readonly string[];
}

/**
 * Finds credentials that the model put into a request; such a request needs approval each time
 * (SAFE-051). Names are compared without invisible characters and accents.
 * @param request - parameters of an HTTP tool
 */
export function detectCredentials({
  url = "",
  headers = [],
}: CredentialCarrier): CredentialDetection {
  const places = [
    ...pairsOf(headers).flatMap(([name, value]) => {
      const plain = plainName(name);
      return isHeaderName(plain) || VALUE_SCHEMES.test(withoutInvisible(String(value)))
        ? [`header ${plain}`]
        : [];
    }),
    ...urlPlaces(url),
  ];
  return { detected: places.length > 0, places };
}

function pairsOf(headers: HeaderList): (readonly [string, string])[] {
  if (!isList(headers)) return Object.entries(headers);
  return headers.map((header) => ("name" in header ? [header.name, header.value] : header));
}

function isList(headers: HeaderList): headers is readonly HeaderEntry[] {
  return Array.isArray(headers);
}

function isHeaderName(name: string): boolean {
  return HEADER_NAMES.has(name) || NAME_PARTS.test(name);
}

function urlPlaces(url: string): string[] {
  const plain = withoutInvisible(url);
  if (!URL.canParse(plain)) return [];
  const { username, password, searchParams } = new URL(plain);
  const userinfo = username !== "" || password !== "" ? ["url userinfo"] : [];
  const query = [...searchParams.keys()]
    .map(plainName)
    .filter((name) => QUERY_NAMES.has(name) || NAME_PARTS.test(name));
  return [...userinfo, ...query.map((name) => `query ${name}`)];
}

/**
 * Returns a name without combining marks: the lower case of a dotted İ is an i followed by a
 * combining dot.
 */
function plainName(name: string): string {
  return withoutInvisible(name)
    .normalize("NFKD")
    .replace(MARKS, "")
    .trim()
    .toLowerCase()
    .replaceAll("ı", "i");
}
