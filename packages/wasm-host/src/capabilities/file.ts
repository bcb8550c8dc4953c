import { misfits } from "@openclaw/foundation";
import { errorMessage, isRecord } from "@openclaw/plugin-sdk/kit";
import { WasmCapabilitiesError } from "../errors.js";
import { readAuth } from "./auth.js";
import {
  type Capabilities,
  type ChannelCapability,
  type CredentialLocation,
  type HttpCapability,
  NO_CAPABILITIES,
  type RateLimit,
} from "./capabilities.js";
import { CAPABILITIES_SCHEMA } from "./schema.js";

/** A capabilities file that was read. */
export interface ReadCapabilities {
  readonly capabilities: Capabilities;
  /** Keys that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}

const HTTP_RATE: RateLimit = { perMinute: 60, perHour: 1000 };
const EMIT_RATE: RateLimit = { perMinute: 100, perHour: 5000 };
const MEBIBYTE = 1024 * 1024;
/** Shortest interval of polling in milliseconds. */
const MIN_POLL_INTERVAL_MS = 30_000;
const MAX_SECONDS = 600;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a capabilities file (WASM-008).
 * @param component - name of the component, which is a part of the prefix of a channel
 * @param text - content of `name.capabilities.json`; undefined when there is none
 * @throws WasmCapabilitiesError with the JSON path of a value of a wrong type
 */
export function readCapabilities(component: string, text: string | undefined): ReadCapabilities {
  if (text === undefined) return { capabilities: NO_CAPABILITIES, warnings: [] };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new WasmCapabilitiesError(component, "", `is not JSON: ${errorMessage(error)}`);
  }
  const warnings: string[] = [];
  for (const { path, kind, message } of misfits(document, CAPABILITIES_SCHEMA)) {
    if (kind !== "unknown-key") throw new WasmCapabilitiesError(component, jsonPath(path), message);
    warnings.push(`${jsonPath(path)}: the key has no effect`);
  }
  const reader = new CapabilitiesReader(component);
  return { capabilities: reader.read(fields(document)), warnings };
}

class CapabilitiesReader {
  readonly #component: string;

  constructor(component: string) {
    this.#component = component;
  }

  read(document: Fields): Capabilities {
    const nested = fields(document.capabilities);
    const of = (name: string) => nested[name] ?? document[name];
    const { auth, setup, config } = document;
    const toolInvoke = of("tool_invoke");
    return {
      http: of("http") === undefined ? undefined : this.#http(fields(of("http"))),
      secretNames: texts(fields(of("secrets")).allowed_names),
      toolInvoke:
        toolInvoke === undefined
          ? undefined
          : {
              aliases: fields(fields(toolInvoke).aliases) as Readonly<Record<string, string>>,
              rateLimit: this.#rate(fields(toolInvoke).rate_limit, HTTP_RATE, "requests"),
            },
      workspacePrefixes: texts(fields(of("workspace")).allowed_prefixes),
      auth: auth === undefined ? undefined : readAuth(this.#component, fields(auth)),
      channel: of("channel") === undefined ? undefined : this.#channel(fields(of("channel"))),
      requiredSecrets: list(fields(setup).required_secrets).map((secret) => ({
        name: String(secret.name),
        prompt: String(secret.prompt),
        isOptional: secret.optional === true,
        generatedLength:
          secret.auto_generate === undefined
            ? undefined
            : this.#number(
                fields(secret.auto_generate).length,
                32,
                "auto_generate.length",
                16,
                1024,
              ),
      })),
      config: fields(config),
    };
  }

  #http(http: Fields): HttpCapability {
    return {
      allowlist: list(http.allowlist).map(({ host, path_prefix, methods }) => ({
        host: String(host).toLowerCase(),
        pathPrefix: text(path_prefix),
        methods: texts(methods).map((method) => method.toUpperCase()),
      })),
      credentials: Object.entries(fields(http.credentials)).map(([id, credential]) => {
        const { secret_name, location, host_patterns } = fields(credential);
        const place = `http.credentials.${id}.location`;
        return {
          secretName: String(secret_name),
          location: this.#location(fields(location), place),
          hostPatterns: texts(host_patterns).map((host) => host.toLowerCase()),
        };
      }),
      rateLimit: this.#rate(http.rate_limit, HTTP_RATE, "requests"),
      maxRequestBytes: this.#number(http.max_request_bytes, MEBIBYTE, "http.max_request_bytes"),
      maxResponseBytes: this.#number(
        http.max_response_bytes,
        10 * MEBIBYTE,
        "http.max_response_bytes",
      ),
      timeoutMs: this.#seconds(http.timeout_secs, 30, "http.timeout_secs"),
    };
  }

  #location(location: Fields, path: string): CredentialLocation {
    const required = (name: string) => {
      const value = text(location[name]);
      if (value !== undefined && value !== "") return value;
      throw this.#wrong(`${path}.${name}`, `is needed for the type "${location.type}"`);
    };
    switch (location.type) {
      case "basic":
        return { type: "basic", username: required("username") };
      case "header":
        return { type: "header", name: required("name"), prefix: text(location.prefix) ?? "" };
      case "query_param":
        return { type: "query_param", name: required("name") };
      case "url_path":
        return { type: "url_path", placeholder: required("placeholder") };
      default:
        return { type: "bearer" };
    }
  }

  #channel(channel: Fields): ChannelCapability {
    const prefix = `channels/${this.#component}/`;
    const given = text(channel.workspace_prefix) ?? prefix;
    if (given !== prefix) {
      throw this.#wrong("channel.workspace_prefix", `is "${given}", but must be "${prefix}"`);
    }
    const webhook = fields(channel.webhook);
    return {
      allowedPaths: texts(channel.allowed_paths),
      allowPolling: channel.allow_polling === true,
      minPollIntervalMs: this.#number(
        channel.min_poll_interval_ms,
        MIN_POLL_INTERVAL_MS,
        "channel.min_poll_interval_ms",
        MIN_POLL_INTERVAL_MS,
      ),
      workspacePrefix: prefix,
      emitRateLimit: this.#rate(channel.emit_rate_limit, EMIT_RATE, "messages"),
      maxMessageBytes: this.#number(channel.max_message_size, 65_536, "channel.max_message_size"),
      callbackTimeoutMs: this.#seconds(
        channel.callback_timeout_secs,
        30,
        "channel.callback_timeout_secs",
      ),
      webhook: { secretHeader: text(webhook.secret_header), secretName: text(webhook.secret_name) },
    };
  }

  #rate(value: unknown, standard: RateLimit, unit: "requests" | "messages"): RateLimit {
    const rate = fields(value);
    const of = (name: string, or: number) => this.#number(rate[name], or, `rate_limit.${name}`);
    return {
      perMinute: of(`${unit}_per_minute`, standard.perMinute),
      perHour: of(`${unit}_per_hour`, standard.perHour),
    };
  }

  #seconds(value: unknown, standard: number, path: string): number {
    return this.#number(value, standard, path, 1, MAX_SECONDS) * 1000;
  }

  #number(
    value: unknown,
    standard: number,
    path: string,
    minimum = 1,
    maximum = 1_000_000_000,
  ): number {
    if (value === undefined) return standard;
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) {
      return Number(value);
    }
    throw this.#wrong(
      path,
      `is ${String(value)}, but must be a whole number from ${minimum} to ${maximum}`,
    );
  }

  #wrong(path: string, problem: string): WasmCapabilitiesError {
    return new WasmCapabilitiesError(this.#component, path, problem);
  }
}

function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function jsonPath(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
}
