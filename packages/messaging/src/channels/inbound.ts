import { logRejection } from "@openclaw/agent";
import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type {
  ChannelEvent,
  IncomingMessage,
  MessageOutcome,
} from "@openclaw/plugin-sdk/channel-core";
import { StoreUnavailableError } from "@openclaw/store/errors";
import { replyTarget } from "../delivery/target.js";
import { InboxFullError, MessageRefusedError } from "../errors.js";
import type { MessageFlow } from "../inbound/flow.js";
import type { Caller, InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import type { MessageRouter } from "../messages/route.js";
import type { SenderAccess } from "../senders/sender-access.js";
import type { ChannelAccount, ChannelReceiver, Reception } from "./account.js";
import { inboundMessage } from "./incoming.js";
import { ReplyPreview } from "./preview.js";
import { ChannelProgress, type ChannelProgressDependencies } from "./progress.js";
import { channelSettings } from "./settings.js";
import { ChannelSurface, type ChannelSurfaceDependencies } from "./surface.js";
import { WaitingMessages } from "./waiting-messages.js";

/** Time after which a message is offered to a full inbox, or a store that does not answer, again. */
const RETRY_MS = 1000;
/** Maximum number of conversations that are remembered as not accepted. */
const MOST_REFUSED = 10_000;

/** Dependencies of {@link ChannelInbound}. */
export interface ChannelInboundDependencies
  extends Pick<ChannelSurfaceDependencies, "timers">,
    Pick<ChannelProgressDependencies, "safety"> {
  readonly flow: Pick<MessageFlow, "receive">;
  readonly access: Pick<SenderAccess, "decide">;
  readonly plugins: Pick<PluginRuntime, "fireEvent">;
  readonly router: Pick<MessageRouter, "route">;
  /** Returns the account that runs under a name now. */
  accountOf(channel: string, accountId: string): ChannelAccount | undefined;
  readonly logger: Logger;
}

/** Hands the messages of channels to the message flow, like those of every other surface. */
export class ChannelInbound implements ChannelReceiver {
  readonly #dependencies: ChannelInboundDependencies;
  /** Conversations with a message that was not accepted. */
  readonly #refused = new Set<string>();
  readonly #waiting = new WaitingMessages();

  /** @param dependencies - message flow, access rules and accounts */
  constructor(dependencies: ChannelInboundDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Takes a message of a channel, and resolves once it is stored (CHAN-013). A message that the policies of the
   * channel do not accept is not stored. While the inbox is full or the store does not answer, the channel waits; and it
   * waits a moment after a message of a conversation that has many waiting ones, so that a flood takes no time from the
   * other channels (CHAN-053).
   * @param message - message of the channel
   * @param account - account that received it
   * @throws the reason of the signal when the account stops first
   */
  async receive(message: IncomingMessage, account: ChannelAccount): Promise<Reception> {
    const { access, logger } = this.#dependencies;
    const { accountId, config } = account;
    if (message.isBot === true) return this.#ignore(message);
    const isOwner = channelSettings(config).owners.includes(message.userId);
    const inbound = inboundMessage(message, { accountId, isOwner });
    const decision = access.decide(inbound);
    if (decision.outcome === "refused") {
      this.#reportRefusal(decision.reason, inbound);
      return this.#ignore(message);
    }
    for (;;) {
      try {
        const reception = await this.#store(inbound, message, account);
        const pauseMs = this.#waiting.pauseAfter(inbound);
        // An account that stops meanwhile has accepted the message all the same.
        if (pauseMs > 0) await this.#pause(pauseMs, account).catch(() => undefined);
        return reception;
      } catch (error) {
        if (!InboxFullError.isInstance(error) && !StoreUnavailableError.isInstance(error)) {
          throw error;
        }
        logger.warn(`${message.channel} waits with a message: ${error.message}`, {
          code: error.code,
        });
      }
      await this.#pause(RETRY_MS, account);
    }
  }

  #pause(ms: number, { receiving }: ChannelAccount): Promise<void> {
    const { timers } = this.#dependencies;
    return waitUnlessAborted(
      receiving,
      () => new Promise<void>((resolve) => timers.setTimeout(resolve, ms)),
    );
  }

  #ignore(message: IncomingMessage): "ignored" {
    this.#settle(message, { status: "ignored" });
    return "ignored";
  }

  /** Tells the channel the end of the work on a message; a channel that fails then loses nothing. */
  #settle(message: IncomingMessage, outcome: MessageOutcome): void {
    try {
      message.settled?.(outcome);
    } catch (error) {
      const problem = `channel "${message.channel}" failed after a message: ${errorMessage(error)}`;
      this.#dependencies.logger.warn(problem);
    }
  }

  /**
   * Tells plugins of an edit of a message, or a reaction to one, as `message:edited` or `message:reaction`. Those of
   * senders whom the channel does not accept are dropped.
   * @param account - account that received it
   */
  observe(event: ChannelEvent, account: ChannelAccount): void {
    const { access, plugins, router, logger } = this.#dependencies;
    const { action, messageId, ...about } = event;
    const { accountId, config } = account;
    const channel = account.channel.name;
    // What a person does with a message of the bot, or with one to it, is meant for the bot.
    const content = action === "edited" ? event.content : "";
    const message = { ...about, channel, content, isMention: true, receivedAt: new Date() };
    const isOwner = channelSettings(config).owners.includes(event.userId);
    const inbound = inboundMessage({ ...message, id: messageId }, { accountId, isOwner });
    if (access.decide(inbound).outcome !== "accepted") return;
    const { conversationId } = inbound;
    const context = { ...about, channel, accountId, conversationId, messageId };
    const fire = async () => {
      const { sessionKey } = router.route(inbound);
      await plugins.fireEvent({ type: "message", action, sessionKey, context });
    };
    logRejection(fire(), logger);
  }

  /** A busy group is reported once, with the ID that the configuration needs to accept it. */
  #reportRefusal(reason: string, { channel, accountId, conversationId, senderId }: InboundMessage) {
    const key = JSON.stringify([channel, accountId, conversationId]);
    const isKnown = this.#refused.has(key);
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.add(key);
    const fields = { code: "SENDER_NOT_ACCEPTED", channel, accountId, conversationId, senderId };
    this.#dependencies.logger[isKnown ? "debug" : "info"](reason, fields);
  }

  #store(
    inbound: InboundMessage,
    message: IncomingMessage,
    account: ChannelAccount,
  ): Promise<Reception> {
    const { flow, logger } = this.#dependencies;
    return new Promise((resolve, reject) => {
      let isStored = false;
      const { caller, preview } = this.#callerOf(inbound, message, account, () => {
        isStored = true;
        resolve("accepted");
      });
      const done = this.#waiting.add(inbound);
      const received = flow.receive(inbound, caller).finally(() => {
        done();
        preview?.end();
      });
      received.then(
        (outcome) => {
          this.#settle(message, settledOutcome(outcome));
          resolve("accepted");
        },
        (error: unknown) => {
          // It is not stored, and would not be if the platform sent it again.
          if (MessageRefusedError.isInstance(error) && error.reason === "empty") {
            resolve(this.#ignore(message));
          } else if (isStored) {
            this.#settle(message, { status: "failed", reason: errorMessage(error) });
            logger.error(`a message of ${message.channel} failed: ${String(error)}`);
          } else if (MessageRefusedError.isInstance(error) && error.reason === "unacceptable") {
            logger.warn(`a message of ${message.channel} was not accepted: ${error.message}`, {
              code: error.code,
            });
            this.#settle(message, { status: "failed", reason: error.message });
            resolve("ignored");
          } else reject(error);
        },
      );
    });
  }

  #callerOf(
    inbound: InboundMessage,
    message: IncomingMessage,
    account: ChannelAccount,
    onStored: () => void,
  ): { readonly caller: Caller; readonly preview: ReplyPreview | undefined } {
    const { timers, accountOf, logger, safety } = this.#dependencies;
    const { channel } = message;
    const current = () => accountOf(channel, account.accountId);
    const surface = new ChannelSurface(replyTarget(inbound), {
      account: current,
      message: async () => message,
      timers,
    });
    const progress = new ChannelProgress(message, { account: current, logger, safety });
    const { capabilities, edit } = account.channel;
    const { streaming, reply: extent } = channelSettings(account.config);
    const preview =
      streaming && edit !== undefined && capabilities?.streaming === true
        ? new ReplyPreview(surface, { extent, timers, logger, safety })
        : undefined;
    const onEvent: NonNullable<Caller["onEvent"]> = (event) => {
      progress.show(event);
      preview?.follow(event);
    };
    const onRequest: NonNullable<Caller["onRequest"]> = (status) => progress.send(status);
    const onJobStarted: NonNullable<Caller["onJobStarted"]> = (job) => progress.showJob(job);
    const shown = { onEvent, onRequest, onJobStarted };
    return { caller: { surface: preview ?? surface, onStored, ...shown }, preview };
  }
}

/** Result of a message for its channel, without what only the host's own callers need. */
function settledOutcome(outcome: ReplyOutcome): MessageOutcome {
  switch (outcome.status) {
    case "replied":
    case "answered":
      return { status: outcome.status, text: outcome.text };
    case "withheld":
      return { status: "withheld", reason: outcome.reason };
    case "failed":
      return { status: "failed", reason: outcome.error.message };
    default:
      return { status: outcome.status };
  }
}
