import { ChannelStartupFailedError } from "@openclaw/plugin-sdk/channel-core";

/** Name of the channel. */
export const CHANNEL = "http";
const SECRET = /^[!-~]{24,512}$/;

/** Settings of one account, `channels.http`. */
export interface HttpSettings {
  readonly webhookSecret: string;
  /** True when signatures without a time are accepted, which can be replayed. */
  readonly acceptsUntimed: boolean;
  /** ID of the sender of every message. */
  readonly userId: string;
  /** URL that gets the replies to requests that do not wait for them. */
  readonly callbackUrl: URL | undefined;
  /** Address of a listener of the account's own; undefined for the gateway's. */
  readonly listener: { readonly port: number; readonly host: string } | undefined;
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Reads the settings of an account.
 * @param config - section of the configuration for the account
 * @throws ChannelStartupFailedError that names the setting
 */
export function readSettings(config: Section): HttpSettings {
  const { acceptUntimedSignatures: acceptsUntimed = false } = config;
  const { webhookSecret, userId = "http", callbackUrl, port, host = "127.0.0.1" } = config;
  if (webhookSecret === undefined) {
    throw refused(
      "no secret, and without one anyone could send messages; run `openclaw channels add http --secret webhookSecret`, or set HTTP_WEBHOOK_SECRET",
    );
  }
  if (typeof webhookSecret !== "string" || !SECRET.test(webhookSecret)) {
    throw refused(
      "webhookSecret must have 24 to 512 ASCII characters without spaces; create one with `openssl rand -hex 32`",
    );
  }
  if (typeof userId !== "string" || userId === "") throw refused("userId must be a string");
  if (typeof host !== "string" || host === "") {
    throw refused("host must be an address to listen on, for example 127.0.0.1");
  }
  if (typeof acceptsUntimed !== "boolean") {
    throw refused("acceptUntimedSignatures must be true or false");
  }
  const listener = port === undefined ? undefined : { port: portOf(port), host };
  return { webhookSecret, acceptsUntimed, userId, callbackUrl: urlOf(callbackUrl), listener };
}

/**
 * Returns true if an account of the channel is served by the gateway's listener.
 * @param config - configuration of the host
 */
export function usesGateway({ channels }: Section): boolean {
  const section = sectionOf(sectionOf({ channels }, "channels"), CHANNEL);
  if (section === undefined) return false;
  const accounts = Object.values(sectionOf(section, "accounts") ?? {});
  const own = accounts.length === 0 ? [section] : accounts;
  return own.some((account) => {
    const merged: Section = { ...section, ...(isSection(account) ? account : {}) };
    return merged.enabled !== false && merged.port === undefined;
  });
}

/** A port of the environment is text. */
function portOf(value: unknown): number {
  const port = typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : value;
  if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= 65_535)
    return port;
  throw refused("port must be a whole number from 0 to 65535, for example 8080");
}

function urlOf(value: unknown): URL | undefined {
  if (value === undefined) return undefined;
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw refused("callbackUrl is not a URL; write for example https://example.com/replies");
}

function sectionOf(value: Section | undefined, key: string): Section | undefined {
  const found = value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined;
  return isSection(found) ? found : undefined;
}

function isSection(value: unknown): value is Section {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(problem: string): ChannelStartupFailedError {
  return new ChannelStartupFailedError(CHANNEL, problem);
}
