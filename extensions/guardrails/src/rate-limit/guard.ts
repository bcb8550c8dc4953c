import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { type Static, Type } from "typebox";
import { defineGuard } from "../guard.js";
import { FIRST } from "../order.js";
import { SlidingWindow } from "./sliding-window.js";
import { StoredHits } from "./stored-hits.js";

const NAME = "rate_limit_guard";
/** Time between two removals of old events, in milliseconds. */
const PRUNE_EVERY_MS = 60_000;

const max = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 100_000, default: 20, description });
const windowSeconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  default: 60,
  description: "Length of the window in seconds.",
});

const schema = Type.Object(
  {
    max: max("Number of messages of a sender or channel in a window."),
    windowSeconds,
    by: Type.Enum(["sender", "channel"], {
      default: "sender",
      description: "Counts the messages of each sender, or of each channel.",
    }),
    exemptOwners: Type.Boolean({
      default: true,
      description: "False also limits the owner, who then cannot stop a turn while limited.",
    }),
    messages: Type.Boolean({ default: true, description: "False does not limit messages." }),
    tools: Type.Union(
      [
        Type.Boolean(),
        Type.Object(
          {
            max: max("Number of tool calls in a window."),
            windowSeconds,
            by: Type.Enum(["sender", "channel", "tool"], {
              default: "sender",
              description: "Counts the calls of each sender, of each channel, or of each tool.",
            }),
          },
          { additionalProperties: false },
        ),
      ],
      {
        default: true,
        description: "Limit of tool calls; true is that of messages, false is none.",
      },
    ),
  },
  { additionalProperties: false },
);

type Settings = Static<typeof schema>;
type Key = "sender" | "channel" | "tool";

/** Sender, channel and tool of an event. */
interface Cause {
  readonly messageProvider?: string;
  readonly channelId?: string;
  readonly senderId?: string;
  readonly senderIsOwner?: boolean;
  readonly sessionKey?: string;
  readonly toolName?: string;
}

/** Limits the messages and tool calls in a sliding window, also over restarts (DHOOK-037). */
export const rateLimitGuard = defineGuard({
  name: NAME,
  description: "Limits messages and tool calls in a sliding window.",
  schema,
  install(settings, { api, counters, notices, now, database }) {
    const tools = toolLimit(settings);
    const windows = {
      message: new SlidingWindow(settings.max, settings.windowSeconds * 1000),
      tool: new SlidingWindow(tools?.max ?? 1, (tools?.windowSeconds ?? 1) * 1000),
    };
    const longestMs = Math.max(settings.windowSeconds, tools?.windowSeconds ?? 0) * 1000;
    const hits = new StoredHits(database, (error) => {
      counters.failed();
      const problem = error instanceof Error ? error.message : String(error);
      api.logger.error(
        `${NAME}: events could not be stored and do not count after a restart: ${problem}`,
      );
    });
    let prunedAt = now();
    let loading: Promise<void> | undefined;
    const load = async () => {
      for (const { key, at } of await hits.load(now() - longestMs)) {
        (key.startsWith("tool|") ? windows.tool : windows.message).restore(key, at);
      }
    };
    /** Loads the events of the earlier process once; while they cannot be read, every event is rejected. */
    const loaded = () => {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    };
    const take = async (kind: "message" | "tool", by: Key, cause: Cause) => {
      if (settings.exemptOwners && cause.senderIsOwner === true) return undefined;
      await loaded();
      const time = now();
      if (time - prunedAt > PRUNE_EVERY_MS) {
        prunedAt = time;
        for (const window of Object.values(windows)) window.prune(time);
        hits.prune(time - longestMs).catch(() => counters.failed());
      }
      const key = `${kind}|${by}|${nameOf(by, cause)}`;
      const decision = windows[kind].take(key, time);
      if (decision.isAllowed) {
        hits.add({ key, at: time });
        return undefined;
      }
      counters.blocked();
      const seconds = Math.ceil(decision.waitMs / 1000);
      const limit = kind === "message" ? settings : (tools ?? settings);
      const what = kind === "message" ? "messages" : "tool calls";
      const text = `more than ${limit.max} ${what} in ${limit.windowSeconds} s`;
      const { sessionKey, senderId } = cause;
      notices.publish({
        event: NAME,
        severity: "warning",
        text: `${NAME}: ${text}`,
        sessionKey,
        senderId,
      });
      return { text, seconds };
    };
    api.lifecycle.onDispose(() => hits.flush());

    const options = { mode: "fail-closed", priority: FIRST.rate, id: NAME } as const;
    if (settings.messages) {
      api.on(
        "message_receiving",
        ({ channel, senderId }, context) =>
          counters.run(async () => {
            const cause = { ...context, messageProvider: context.messageProvider ?? channel };
            const over = await take("message", settings.by, {
              ...cause,
              ...defined({ senderId }),
            });
            if (over === undefined) return undefined;
            return {
              cancel: true,
              cancelReason: `${NAME}: ${over.text}`,
              reply: `Too many messages. Try again in ${counted(over.seconds)}.`,
            };
          }),
        options,
      );
    }
    if (tools !== undefined) {
      api.on(
        "before_tool_call",
        ({ toolName }, context) =>
          counters.run(async () => {
            const over = await take("tool", tools.by, { ...context, toolName });
            if (over === undefined) return undefined;
            const blockReason = `${NAME}: ${over.text}; try again in ${counted(over.seconds)}`;
            return { block: true, blockReason };
          }),
        options,
      );
    }
  },
});

/** Returns the limit of tool calls. */
function toolLimit({ tools, max, windowSeconds, by }: Settings) {
  if (tools === false) return undefined;
  return tools === true ? { max, windowSeconds, by } : tools;
}

/** Returns whose limit an event counts towards; a sender is known only within their channel. */
function nameOf(
  by: Key,
  { messageProvider = "", channelId = "", senderId, sessionKey, toolName }: Cause,
): string {
  switch (by) {
    case "sender":
      return `${messageProvider}:${senderId ?? sessionKey ?? channelId}`;
    case "channel":
      return messageProvider;
    case "tool":
      return toolName ?? "";
  }
}

function counted(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
