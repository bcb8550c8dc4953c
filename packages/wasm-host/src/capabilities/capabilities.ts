import type { AuthCapability } from "./auth.js";

/** Limit of requests in sliding windows. */
export interface RateLimit {
  readonly perMinute: number;
  readonly perHour: number;
}

/** Endpoints that a component may request. */
export interface EndpointPattern {
  /** Exact host, or `*.domain` for its subdomains. */
  readonly host: string;
  readonly pathPrefix?: string | undefined;
  /** All methods when it is empty. */
  readonly methods: readonly string[];
}

/** Place of a credential in a request. */
export type CredentialLocation =
  | { readonly type: "bearer" }
  | { readonly type: "basic"; readonly username: string }
  | { readonly type: "header"; readonly name: string; readonly prefix: string }
  | { readonly type: "query_param"; readonly name: string }
  | { readonly type: "url_path"; readonly placeholder: string };

/** Secret that the host adds to requests. */
export interface Credential {
  readonly secretName: string;
  readonly location: CredentialLocation;
  /** Hosts that receive it, as in an {@link EndpointPattern}. */
  readonly hostPatterns: readonly string[];
}

/** Requests that a component may send. */
export interface HttpCapability {
  readonly allowlist: readonly EndpointPattern[];
  readonly credentials: readonly Credential[];
  readonly rateLimit: RateLimit;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly timeoutMs: number;
}

/** Secret that a channel needs before it starts. */
export interface RequiredSecret {
  readonly name: string;
  readonly prompt: string;
  readonly isOptional: boolean;
  /** Number of characters of a value that the host generates. */
  readonly generatedLength?: number | undefined;
}

/** Further permissions of a channel. */
export interface ChannelCapability {
  readonly allowedPaths: readonly string[];
  readonly allowPolling: boolean;
  readonly minPollIntervalMs: number;
  readonly workspacePrefix: string;
  readonly emitRateLimit: RateLimit;
  readonly maxMessageBytes: number;
  readonly callbackTimeoutMs: number;
  readonly webhook: {
    readonly secretHeader?: string | undefined;
    readonly secretName?: string | undefined;
  };
}

/** Permissions of a component. Anything that is absent is denied. */
export interface Capabilities {
  readonly http?: HttpCapability | undefined;
  /** Names of secrets whose existence it may ask for; the last character may be `*`. */
  readonly secretNames: readonly string[];
  readonly toolInvoke?:
    | { readonly aliases: Readonly<Record<string, string>>; readonly rateLimit: RateLimit }
    | undefined;
  /** Prefixes of files of the workspace that it may read. */
  readonly workspacePrefixes: readonly string[];
  readonly auth?: AuthCapability | undefined;
  readonly channel?: ChannelCapability | undefined;
  readonly requiredSecrets: readonly RequiredSecret[];
  /** Settings that the file has for a channel. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Capabilities of a component without a file: none. */
export const NO_CAPABILITIES: Capabilities = {
  secretNames: [],
  workspacePrefixes: [],
  requiredSecrets: [],
  config: {},
};
