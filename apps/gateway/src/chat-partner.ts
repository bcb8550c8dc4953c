import { type GatewayClient, GatewayClientError } from "@openclaw/client";
import { type Approver, type Gateway, mainSessionKey, type TurnEvent } from "@openclaw/gateway";

/** What a reply shows while it comes. */
export type ChatEvent = TurnEvent;

/** How an exchange ended. */
export type ChatResult = { ok: true; text: string } | { ok: false; problem: string };

/** The other side of a chat: a host in this process, or a running gateway. */
export interface ChatPartner {
  /**
   * Sends a message and streams the reply.
   * @param text - the message
   * @param exchange - who shows the reply, who may be asked, and what ends it early
   */
  send(
    text: string,
    exchange: { approver?: Approver; signal: AbortSignal; onEvent(event: ChatEvent): void },
  ): Promise<ChatResult>;
}

const SESSION_KEY = mainSessionKey("main");

/**
 * Chats with a host that runs in this process.
 * @param gateway - started
 */
export function hostedPartner(gateway: Gateway): ChatPartner {
  return {
    async send(text, exchange) {
      const outcome = await gateway.receive(
        {
          channel: "terminal",
          conversationId: "terminal",
          senderId: "operator",
          senderIsOwner: true,
          text,
          sessionKey: SESSION_KEY,
          agentId: "main",
        },
        exchange,
      );
      switch (outcome.status) {
        case "replied":
        case "answered":
          return { ok: true, text: outcome.text };
        case "withheld":
          return outcome.text === ""
            ? { ok: false, problem: outcome.reason }
            : { ok: true, text: outcome.text };
        case "interrupted":
          return { ok: false, problem: "interrupted" };
        case "duplicate":
          return { ok: false, problem: "this message was taken in before" };
        case "failed":
          return { ok: false, problem: outcome.error.message };
      }
    },
  };
}

/**
 * Chats with a running gateway over HTTP, in the same session as a hosted chat.
 * @param client - of the gateway
 * @param model - `provider/model` instead of the gateway's
 */
export function remotePartner(client: GatewayClient, model: string | undefined): ChatPartner {
  return {
    async send(text, { signal, onEvent }) {
      let reply = "";
      try {
        const message = {
          text,
          sessionKey: SESSION_KEY,
          ...(model === undefined ? {} : { model }),
        };
        for await (const event of client.reply(message, { signal })) {
          if (event.type !== "text") continue;
          reply += event.delta;
          onEvent({ type: "text", delta: event.delta });
        }
        return { ok: true, text: reply };
      } catch (error) {
        if (signal.aborted) return { ok: false, problem: "interrupted" };
        if (GatewayClientError.isInstance(error)) return { ok: false, problem: error.message };
        throw error;
      }
    },
  };
}
