import { isRecord } from "../string-coerce-runtime.js";

export { logInboundDrop, logTypingFailure } from "../access/channel-feedback.js";

/** Place whose replies have a prefix. */
interface PrefixPlace {
  readonly cfg: Readonly<Record<string, unknown>>;
  readonly agentId: string;
  readonly channel?: string;
  readonly accountId?: string;
}

/** Options for the text before each reply. */
export interface ReplyPrefixOptions {
  readonly responsePrefix?: string;
  readonly responsePrefixContextProvider: () => Readonly<Record<string, unknown>>;
  readonly onModelSelected: (model: {
    readonly provider?: string;
    readonly model?: string;
    readonly thinkLevel?: string;
  }) => void;
}

/**
 * Returns the text before each reply of a channel, `responsePrefix` of the channel or of `messages`.
 * @param place - configuration, channel and account
 * @deprecated Add the text in the channel, or with the hook `message_sending`.
 */
export function createReplyPrefixOptions(place: PrefixPlace): ReplyPrefixOptions {
  const { cfg, channel = "", agentId } = place;
  const channels = isRecord(cfg.channels) ? cfg.channels : {};
  const section = channels[channel];
  const own = isRecord(section) ? section.responsePrefix : undefined;
  const common = isRecord(cfg.messages) ? cfg.messages.responsePrefix : undefined;
  const prefix = [own, common].find((text) => typeof text === "string" && text !== "");
  let chosen: Readonly<Record<string, unknown>> = {};
  return {
    ...(typeof prefix === "string" ? { responsePrefix: prefix } : {}),
    responsePrefixContextProvider: () => ({ identityName: agentId, ...chosen }),
    onModelSelected: (model) => {
      chosen = { ...model };
    },
  };
}

/**
 * Returns the text before each reply of a channel, with its context.
 * @param place - configuration, channel and account
 * @deprecated Add the text in the channel, or with the hook `message_sending`.
 */
export function createReplyPrefixContext(place: PrefixPlace) {
  const options = createReplyPrefixOptions(place);
  return { ...options, prefixContext: options.responsePrefixContextProvider() };
}

/** Functions that show and hide that the bot is typing. */
export interface TypingCallbacks {
  readonly onReplyStart: () => Promise<void>;
  readonly onIdle: () => void;
  readonly onCleanup: () => void;
}

/**
 * Creates the functions that show and hide that the bot is typing.
 * @param typing - functions of the platform, and the time in milliseconds after which it is shown again
 * @deprecated Implement `sendStatus` of `Channel`.
 */
export function createTypingCallbacks(typing: {
  readonly start: () => Promise<void>;
  readonly stop?: () => Promise<void>;
  readonly onStartError: (error: unknown) => void;
  readonly onStopError?: (error: unknown) => void;
  readonly keepaliveIntervalMs?: number;
  readonly maxDurationMs?: number;
}): TypingCallbacks {
  const { keepaliveIntervalMs = 3000, maxDurationMs = 60_000 } = typing;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const show = async () => {
    try {
      await typing.start();
    } catch (error) {
      typing.onStartError(error);
    }
  };
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(timer);
    typing.stop?.().catch((error: unknown) => typing.onStopError?.(error));
  };
  return {
    async onReplyStart() {
      if (isEnded || timer !== undefined) return;
      const until = Date.now() + maxDurationMs;
      timer = setInterval(() => {
        if (Date.now() < until) void show();
        else clearInterval(timer);
      }, keepaliveIntervalMs);
      timer.unref();
      await show();
    },
    onIdle: end,
    onCleanup: end,
  };
}
