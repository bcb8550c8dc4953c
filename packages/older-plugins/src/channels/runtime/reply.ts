import { isSection } from "@openclaw/messaging";
import type {
  OlderDispatchResult,
  OlderInboundContext,
  OlderReplyDispatcher,
  OlderReplyOptions,
} from "@openclaw/plugin-sdk/channel-core";
import type { MessageFlight } from "../flight.js";
import { finalizeInboundContext } from "../inbound-context.js";
import { ReplyQueue } from "./reply-queue.js";

/** Hands a message of a plugin to the host. */
export type DispatchMessage = (
  context: OlderInboundContext,
  options: OlderReplyOptions,
) => Promise<MessageFlight>;

/** Request to handle a message. */
interface DispatchRequest {
  readonly ctx: OlderInboundContext;
  readonly dispatcherOptions: OlderReplyOptions;
}

/** `runtime.channel.reply`, as far as other groups use it. */
export type ReplyGroup = ReturnType<typeof createReplyGroup>;

/**
 * Creates `runtime.channel.reply`.
 * @param dispatch - hands a message to the host
 */
export function createReplyGroup(dispatch: DispatchMessage) {
  const queues = new WeakMap<OlderReplyDispatcher, OlderReplyOptions>();
  const dispatchReplyWithBufferedBlockDispatcher = async ({
    ctx,
    dispatcherOptions,
  }: DispatchRequest): Promise<OlderDispatchResult> =>
    (await dispatch(ctx, dispatcherOptions)).result;
  return {
    dispatchReplyWithBufferedBlockDispatcher,
    finalizeInboundContext,
    createReplyDispatcherWithTyping(options: OlderReplyOptions) {
      const dispatcher = new ReplyQueue(options);
      queues.set(dispatcher, options);
      const idle = () => options.onIdle?.();
      return {
        dispatcher,
        replyOptions: {},
        markDispatchIdle: idle,
        markRunComplete: () => undefined,
      };
    },
    async dispatchReplyFromConfig(request: {
      readonly ctx: OlderInboundContext;
      readonly dispatcher: OlderReplyDispatcher;
    }): Promise<OlderDispatchResult> {
      const { ctx, dispatcher } = request;
      const own = queues.get(dispatcher);
      // A dispatcher that the plugin wrote itself receives each reply.
      const dispatcherOptions = own ?? {
        deliver: (reply) => void dispatcher.sendFinalReply(reply),
      };
      return await dispatchReplyWithBufferedBlockDispatcher({ ctx, dispatcherOptions });
    },
    async withReplyDispatcher<Result>(work: {
      readonly dispatcher: OlderReplyDispatcher;
      run(): Promise<Result>;
      readonly onSettled?: () => unknown;
    }): Promise<Result> {
      try {
        return await work.run();
      } finally {
        work.dispatcher.markComplete();
        await work.dispatcher.waitForIdle();
        await work.onSettled?.();
      }
    },
    async settleReplyDispatcher(work: {
      readonly dispatcher: OlderReplyDispatcher;
      readonly onSettled?: () => unknown;
    }): Promise<void> {
      work.dispatcher.markComplete();
      await work.dispatcher.waitForIdle();
      await work.onSettled?.();
    },
    /** The host tells the model the channel, the sender and the time, so that the text stays as it was written. */
    formatAgentEnvelope: ({ body }: { readonly body: string }): string => body,
    formatInboundEnvelope: ({ body }: { readonly body: string }): string => body,
    resolveEnvelopeFormatOptions: () => ({}),
    resolveHumanDelayConfig: () => undefined,
    resolveEffectiveMessagesConfig(cfg: unknown) {
      const messages = isSection(cfg) && isSection(cfg.messages) ? cfg.messages : {};
      const { responsePrefix } = messages;
      return {
        messagePrefix: "",
        ...(typeof responsePrefix === "string" ? { responsePrefix } : {}),
      };
    },
  };
}
