import { randomBytes } from "node:crypto";
import type { BridgeLogger } from "../adapter/logger.js";
import { SlackSocket } from "../slack/socket.js";
import type { Preset } from "./preset.js";

/** Milliseconds for one request to Slack; the host repeats failed messages itself. */
const REQUEST_MS = 20_000;

/** Slack by its Events API: by requests, or with an app-level token by Socket Mode. */
export const slack: Preset = {
  channel: "slack",
  adapter: { name: "@chat-adapter/slack", version: "4.41.1", factory: "createSlackAdapter" },
  // Slack accepts 12,000 characters of Markdown in a message.
  capabilities: { textLimit: 12_000, buttons: true, streaming: true, audio: "file" },
  required: {
    botToken: "the Bot User OAuth Token (xoxb-…) of OAuth & Permissions",
    signingSecret: "the Signing Secret of Basic Information",
  },
  instead: { signingSecret: "appToken" },
  inHeaders: ["botToken", "appToken"],
  optional: ["apiUrl", "appToken"],
  limits: { buttons: 25, label: 75 },
  fixed: (logger) => ({
    // Nobody knows it: without a signing secret every request from outside is rejected.
    signingSecret: randomBytes(32).toString("hex"),
    socketForwardingSecret: randomBytes(32).toString("hex"),
    webClientOptions: {
      rejectRateLimitedCalls: true,
      retryConfig: { retries: 0 },
      timeout: REQUEST_MS,
      logger: webLogger(logger),
    },
  }),
  isUserId: (id) => /^[UW][A-Z0-9]+$/.test(id),
  // The adapter takes a message without a thread as the start of one, also in a direct conversation.
  threadOfAction({ threadId, raw }) {
    const [name, conversation = ""] = threadId.split(":");
    return conversation.startsWith("D") && !isInThread(raw) ? `${name}:${conversation}:` : threadId;
  },
  checkStart({ adapter, lastProblem }) {
    if (adapter.botUserId === undefined || adapter.botUserId === "") {
      throw lastProblem ?? new Error("Slack did not tell the ID of the bot");
    }
  },
  async connect(context) {
    const { appToken, apiUrl, socketForwardingSecret } = context.settings;
    if (appToken === undefined) return undefined;
    const socket = new SlackSocket(context, {
      appToken: String(appToken),
      forwardingSecret: String(socketForwardingSecret),
      clientOptions: {
        ...{ rejectRateLimitedCalls: true, retryConfig: { retries: 0 }, timeout: REQUEST_MS },
        ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
      },
      logger: webLogger(context.logger),
    });
    await socket.open();
    return socket;
  },
  async checkHealth({ adapter }) {
    if ("client" in adapter && isClient(adapter.client)) await adapter.client.auth.test();
  },
};

interface AuthTestClient {
  readonly auth: { test(): Promise<unknown> };
}

function isClient(value: unknown): value is AuthTestClient {
  return typeof value === "object" && value !== null && "auth" in value;
}

/** Log in the form that Slack's library takes; failures of calls are reported by their errors. */
function webLogger(logger: BridgeLogger) {
  const line = (...parts: readonly unknown[]) => logger.debug(parts.map(String).join(" "));
  return {
    debug: () => undefined,
    info: line,
    warn: line,
    error: line,
    setLevel: () => undefined,
    getLevel: () => "info",
    setName: () => undefined,
  };
}

function isInThread(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null || !("message" in raw)) return false;
  const { message } = raw;
  return typeof message === "object" && message !== null && "thread_ts" in message;
}
