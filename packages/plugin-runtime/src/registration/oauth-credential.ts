import type { OAuthCredential } from "@openclaw/plugin-sdk/plugin-entry";
import {
  type ApiCall,
  describe,
  expectName,
  expectObject,
  expectOneOf,
  expectText,
  expectTexts,
  type NameRule,
  wrongArgument,
} from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** An OAuth credential of a plugin. */
export interface PluginOAuthRegistration extends RegistrationOrigin {
  readonly oauth: OAuthCredential;
}

const ID: NameRule = {
  pattern: /^[a-z0-9][a-z0-9_-]{0,62}$/,
  expected: "1 to 63 of a-z 0-9 _ -, starting with a letter or digit",
};

/** Parameters of the login page that the host sets. */
const HOST_PARAMETERS: ReadonlySet<string> = new Set([
  ...["client_id", "code_challenge", "code_challenge_method", "redirect_uri"],
  ...["request", "request_uri", "response_mode", "response_type", "scope", "state"],
]);

/**
 * Checks the argument of `api.registerOAuthCredential`.
 * @param checkServer - called with each URL of the authorization server; throws when the plugin may not use it
 * @returns the registration, with a copy of the credential
 * @throws PluginRegistrationError naming the field
 * @throws PluginPermissionError for a server that the manifest does not allow
 */
export function readOAuthCredential(
  origin: RegistrationOrigin,
  credential: OAuthCredential,
  checkServer: (url: URL) => void,
): PluginOAuthRegistration {
  const call = { origin, member: "registerOAuthCredential" };
  expectObject(call, "credential", credential);
  const id = expectName(call, "id", credential.id, ID);
  const { issuer, endpoints, label, clientSecret, clientAuthentication } = credential;
  if (issuer === undefined && endpoints === undefined) {
    throw wrongArgument(
      call,
      "issuer",
      "expected the URL of the server, or endpoints, got neither",
    );
  }
  const readUrl = (argument: string, value: string): string => {
    checkServer(expectUrl(call, argument, value));
    return value;
  };
  const oauth: OAuthCredential = {
    id,
    clientId: expectText(call, "clientId", credential.clientId),
    scopes: Object.freeze(expectTexts(call, "scopes", credential.scopes)),
    authorizationParameters: readParameters(call, credential.authorizationParameters),
    ...(label !== undefined && { label: expectText(call, "label", label) }),
    ...(issuer !== undefined && { issuer: readUrl("issuer", issuer) }),
    ...(endpoints !== undefined && { endpoints: readEndpoints(call, endpoints, readUrl) }),
    ...(clientSecret !== undefined && { clientSecret: readClientSecret(call, clientSecret) }),
    ...(clientAuthentication !== undefined && {
      clientAuthentication: expectOneOf(call, "clientAuthentication", clientAuthentication, [
        "basic",
        "post",
      ]),
    }),
  };
  return { ...origin, oauth: Object.freeze(oauth) };
}

function readEndpoints(
  call: ApiCall,
  endpoints: NonNullable<OAuthCredential["endpoints"]>,
  readUrl: (argument: string, value: string) => string,
): NonNullable<OAuthCredential["endpoints"]> {
  expectObject(call, "endpoints", endpoints);
  const { authorization, token, revocation } = endpoints;
  return Object.freeze({
    authorization: readUrl("endpoints.authorization", authorization),
    token: readUrl("endpoints.token", token),
    ...(revocation !== undefined && { revocation: readUrl("endpoints.revocation", revocation) }),
  });
}

/** The message of a wrong secret must not show it. */
function readClientSecret(call: ApiCall, secret: unknown): string {
  if (typeof secret === "string" && secret.trim() !== "") return secret;
  throw wrongArgument(call, "clientSecret", `expected a non-empty string, got ${typeof secret}`);
}

function readParameters(call: ApiCall, parameters: unknown): Readonly<Record<string, string>> {
  if (parameters === undefined) return {};
  const argument = "authorizationParameters";
  expectObject(call, argument, parameters);
  const entries = Object.entries(parameters as object).map(([name, value]: [string, unknown]) => {
    if (HOST_PARAMETERS.has(name)) {
      throw wrongArgument(call, `${argument}.${name}`, "expected no parameter that the host sets");
    }
    return [name, expectText(call, `${argument}.${name}`, value)] as const;
  });
  return Object.freeze(Object.fromEntries(entries));
}

function expectUrl(call: ApiCall, argument: string, value: unknown): URL {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url !== undefined && isHttp && url.hash === "" && url.username + url.password === "") {
    return url;
  }
  throw wrongArgument(
    call,
    argument,
    `expected an https URL without credentials and fragment, got ${describe(value)}`,
  );
}
