import { isRecord } from "@openclaw/plugin-sdk/kit";
import { WasmCapabilitiesError } from "../errors.js";

/** Login at a service with OAuth 2, whose access token is the secret of the component. */
export interface OAuthCapability {
  /** Page at which a person logs in. */
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** ID of the client, or the variable of the environment that has it. */
  readonly clientId: ClientSetting;
  /** Secret of the client; undefined for a public client. */
  readonly clientSecret: ClientSetting | undefined;
  readonly scopes: readonly string[];
  /** Further parameters of the login page. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A value that the file has, or the variable of the environment that has it. */
export interface ClientSetting {
  readonly value?: string | undefined;
  readonly variable?: string | undefined;
}

/** Request that tells whether a credential is valid. */
export interface ValidationEndpoint {
  readonly url: string;
  readonly method: string;
  /** Status of a response to a valid credential. */
  readonly successStatus: number;
}

/** Login that a tool needs. */
export interface AuthCapability {
  readonly secretName: string;
  readonly displayName: string;
  readonly instructions?: string | undefined;
  readonly setupUrl?: string | undefined;
  readonly oauth?: OAuthCapability | undefined;
  readonly validation?: ValidationEndpoint | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Variables that components may name; any other could be a secret that has nothing to do with a login. */
const CLIENT_VARIABLE = /(?:^|_)CLIENT_(?:ID|SECRET)$/;

/**
 * Reads the section `auth` of a capabilities file (WASM-012).
 * @param component - name of the component
 * @param auth - the section, which fits the schema
 * @throws WasmCapabilitiesError
 */
export function readAuth(component: string, auth: Fields): AuthCapability {
  const secretName = String(auth.secret_name);
  return {
    secretName,
    displayName: text(auth.display_name) ?? secretName,
    instructions: text(auth.instructions),
    setupUrl: text(auth.setup_url),
    oauth: isRecord(auth.oauth) ? readOAuth(component, auth.oauth) : undefined,
    validation: isRecord(auth.validation_endpoint)
      ? readValidation(auth.validation_endpoint)
      : undefined,
  };
}

function readOAuth(component: string, oauth: Fields): OAuthCapability {
  const fail = (key: string, problem: string): never => {
    throw new WasmCapabilitiesError(component, `auth.oauth.${key}`, problem);
  };
  const url = (key: string): string => {
    const value = String(oauth[key]);
    return URL.canParse(value) ? value : fail(key, "is not a URL");
  };
  const setting = (key: string): ClientSetting | undefined => {
    const [value, variable] = [text(oauth[key]), text(oauth[`${key}_env`])];
    if (variable !== undefined && !CLIENT_VARIABLE.test(variable)) {
      fail(`${key}_env`, `is ${variable}, but must end with CLIENT_ID or CLIENT_SECRET`);
    }
    return value === undefined && variable === undefined ? undefined : { value, variable };
  };
  const field = text(oauth.access_token_field) ?? "access_token";
  if (field !== "access_token") {
    fail("access_token_field", `is ${field}, but only access_token is supported`);
  }
  return {
    authorizationUrl: url("authorization_url"),
    tokenUrl: url("token_url"),
    clientId: setting("client_id") ?? fail("client_id", "is needed, or client_id_env"),
    clientSecret: setting("client_secret"),
    scopes: Array.isArray(oauth.scopes) ? oauth.scopes.map(String) : [],
    parameters: Object.fromEntries(
      Object.entries(isRecord(oauth.extra_params) ? oauth.extra_params : {}).map(
        ([name, value]) => [name, String(value)],
      ),
    ),
  };
}

function readValidation(endpoint: Fields): ValidationEndpoint {
  return {
    url: String(endpoint.url),
    method: text(endpoint.method) ?? "GET",
    successStatus: typeof endpoint.success_status === "number" ? endpoint.success_status : 200,
  };
}

/**
 * Returns the lines about a login for the person who consents.
 * @param auth - login of a component; undefined without one
 */
export function loginLines(auth: AuthCapability | undefined): readonly string[] {
  if (auth?.oauth === undefined) return [];
  const { authorizationUrl, tokenUrl, scopes, clientId, clientSecret } = auth.oauth;
  const hosts = new Set([authorizationUrl, tokenUrl].map((url) => new URL(url).host));
  const rights = scopes.length === 0 ? "no scopes" : scopes.join(", ");
  const variables = [clientId, clientSecret].flatMap((setting) => setting?.variable ?? []);
  const from = variables.length === 0 ? "" : `, sends the variables ${variables.join(", ")}`;
  return [`login at ${[...hosts].join(", ")} for ${auth.secretName}: ${rights}${from}`];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
