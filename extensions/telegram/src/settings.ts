import { ChannelStartupFailedError } from "@openclaw/plugin-sdk/channel-core";

const TOKEN = /^\d{1,20}:[A-Za-z0-9_-]{20,}$/;
const SECRET = /^[A-Za-z0-9_-]{24,256}$/;

/** Settings of one account, `channels.telegram`. */
export interface TelegramSettings {
  readonly botToken: string;
  /** URL of the Bot API server. */
  readonly apiRoot: string;
  /** Source of updates: requests of this process, or requests of Telegram to `url`. */
  readonly updates:
    | { readonly by: "polling" }
    | { readonly by: "webhook"; readonly url: string; readonly secret: string };
}

/**
 * Reads the settings of an account.
 * @param config - section of the configuration for the account
 * @throws ChannelStartupFailedError that names the setting
 */
export function readSettings(config: Readonly<Record<string, unknown>>): TelegramSettings {
  const { botToken, apiRoot = "https://api.telegram.org", webhookUrl, webhookSecret } = config;
  if (botToken === undefined) {
    throw refused("no bot token; run `openclaw channels add telegram --secret botToken`");
  }
  if (typeof botToken !== "string" || !TOKEN.test(botToken)) {
    throw refused("botToken is not a token of a bot; copy it from @BotFather, like 123456:ABC…");
  }
  if (typeof apiRoot !== "string" || !/^https?:\/\//.test(apiRoot)) {
    throw refused("apiRoot is not a URL; write for example https://api.telegram.org");
  }
  const server = { botToken, apiRoot: apiRoot.replace(/\/+$/, "") };
  if (webhookUrl === undefined) return { ...server, updates: { by: "polling" } };
  if (typeof webhookUrl !== "string" || !webhookUrl.startsWith("https://")) {
    throw refused("webhookUrl must begin with https://, because Telegram calls no other URL");
  }
  if (typeof webhookSecret !== "string" || !SECRET.test(webhookSecret)) {
    throw refused(
      "webhookSecret must have 24 to 256 of A-Z a-z 0-9 _ -; without it, anyone could send updates",
    );
  }
  return { ...server, updates: { by: "webhook", url: webhookUrl, secret: webhookSecret } };
}

/**
 * Returns true if an account receives updates by webhook.
 * @param config - configuration of the host
 */
export function usesWebhook({ channels }: Readonly<Record<string, unknown>>): boolean {
  const telegram = sectionOf(channels, "telegram");
  const accounts = Object.values(sectionOf(telegram, "accounts"));
  return [telegram, ...accounts].some(
    (section) => sectionOf({ section }, "section").webhookUrl !== undefined,
  );
}

function sectionOf(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  const section: unknown = isObject ? Reflect.get(value, key) : undefined;
  return typeof section === "object" && section !== null ? { ...section } : {};
}

function refused(problem: string): ChannelStartupFailedError {
  return new ChannelStartupFailedError("telegram", problem);
}
