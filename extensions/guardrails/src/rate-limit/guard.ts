import { errorMessage, SlidingWindow } from "@openclaw/plugin-sdk/kit";
import { type Static, Type } from "typebox";
import { defineGuard } from "../guard.js";
import { FIRST } from "../order.js";
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
  readonly messageProvider?: string | undefined;
  readonly channelId?: string | undefined;
  readonly senderId?: string | undefined;
  readonly senderIsOwner?: boolean | undefined;
  readonly sessionKey?: string | undefined;
  readonly toolName?: string | undefined;
}

/** Limit that an event exceeded. */
interface OverLimit {
  readonly text: string;
  /** Seconds until the next event is allowed. */
  readonly seconds: number;
}

/** Limits the messages and tool calls in a sliding window, also over restarts (DHOOK-037). */
export const rateLimitGuard = defineGuard({
  name: NAME,
  schema,
  install(settings, { api, counters, notices, now, database, writeBehind }) {
    const tools = toolLimit(settings);
    const windows = {
      message: new SlidingWindow(settings.max, settings.windowSeconds * 1000),
      tool: new SlidingWindow(tools?.max ?? 1, (tools?.windowSeconds ?? 1) * 1000),
    };
    const longestMs = Math.max(settings.windowSeconds, tools?.windowSeconds ?? 0) * 1000;
    const hits = new StoredHits({
      database,
      writeBehind,
      onFailure(error) {
        counters.failed();
        const problem = errorMessage(error);
        api.logger.error(
          `${NAME}: events could not be stored and do not count after a restart: ${problem}`,
        );
      },
    });
    let prunedAt = now();
    let loading: Promise<void> | undefined;
    let isLoaded = false;
    const load = async () => {
      for (const { key, at } of await hits.load(now() - longestMs)) {
        (key.startsWith("tool|") ? windows.tool : windows.message).restore(key, at);
      }
      isLoaded = true;
    };
    /** Loads the events of the earlier process once; while they cannot be read, every event is rejected. */
    const loaded = () => {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    };
    /** Decides at once, except before the events of the earlier process are read. */
    const decide = <Result>(
      kind: "message" | "tool",
      by: Key,
      cause: Cause,
      resultOf: (over: OverLimit) => Result,
    ): Result | undefined | Promise<Result | undefined> => {
      if (settings.exemptOwners && cause.senderIsOwner === true) return undefined;
      const taken = () => {
        const over = take(kind, by, cause);
        return over === undefined ? undefined : resultOf(over);
      };
      return isLoaded ? taken() : loaded().then(taken);
    };
    const take = (kind: "message" | "tool", by: Key, cause: Cause): OverLimit | undefined => {
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
    api.lifecycle.onDispose(() => writeBehind.flush());

    const options = { mode: "fail-closed", priority: FIRST.rate, id: NAME } as const;
    if (settings.messages) {
      api.on(
        "message_receiving",
        ({ channel, senderId }, context) =>
          counters.run(() => {
            const cause = causeOf(context, { messageProvider: channel, senderId });
            return decide("message", settings.by, cause, ({ text, seconds }) => ({
              cancel: true,
              cancelReason: `${NAME}: ${text}`,
              reply: `Too many messages. Try again in ${counted(seconds)}.`,
            }));
          }),
        options,
      );
    }
    if (tools !== undefined) {
      api.on(
        "before_tool_call",
        ({ toolName }, context) =>
          counters.run(() =>
            decide("tool", tools.by, causeOf(context, { toolName }), ({ text, seconds }) => ({
              block: true,
              blockReason: `${NAME}: ${text}; try again in ${counted(seconds)}`,
            })),
          ),
        options,
      );
    }
  },
});

/** Returns whose event it is: by the event, else by the context of the hook. */
function causeOf(
  context: Cause,
  event: Pick<Cause, "messageProvider" | "senderId" | "toolName">,
): Cause {
  const { messageProvider, channelId, senderId, senderIsOwner, sessionKey } = context;
  return {
    messageProvider: messageProvider ?? event.messageProvider,
    senderId: event.senderId ?? senderId,
    toolName: event.toolName,
    channelId,
    senderIsOwner,
    sessionKey,
  };
}

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
