import type { TemporaryFolder } from "@openclaw/foundation/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { GatewayOptions } from "../../../../src/gateway-options.js";
import type { Gateway } from "../../../../src/running-gateway.js";
import { startTestGateway } from "../../../support/gateway.js";
import { SESSION } from "../../../support/host.js";

/** Conversation of an operator with a gateway, whose tools the tests of a file call. */
export interface OwnerConversation {
  readonly gateway: Gateway;
  /** Requests that the person who decides was shown since the test began, as JSON. */
  readonly asked: readonly string[];
  /** Decision on the requests of this test; allowed once when absent. */
  decision: "allow-once" | "deny";
  /** Calls a tool, and returns the text of its result. */
  use(tool: string, params?: Readonly<Record<string, unknown>>): Promise<string>;
}

/**
 * Starts a gateway before the tests of a file and stops it after them.
 * @param folder - for its files, removed afterwards
 * @param prepare - writes its files, and returns further options of the gateway
 */
export function ownerConversation(
  folder: TemporaryFolder,
  prepare: () => Partial<GatewayOptions> | Promise<Partial<GatewayOptions>>,
): OwnerConversation {
  let gateway: Gateway;
  const asked: string[] = [];
  const conversation: OwnerConversation = {
    get gateway() {
      return gateway;
    },
    asked,
    decision: "allow-once",
    async use(tool, params = {}) {
      const methods = await gateway.methods();
      const call = { sessionKey: SESSION, tool, params };
      const { content } = await methods.call("tools.invoke", call);
      return content.map(({ text }) => String(text)).join("\n");
    },
  };
  beforeAll(async () => {
    gateway = await startTestGateway(folder, await prepare());
    gateway.attend({
      channel: "test",
      async show(request) {
        if (request.state !== "pending") return;
        asked.push(JSON.stringify(request));
        const operator = { channel: "test", senderId: "operator", isOwner: true };
        const { decision } = conversation;
        await gateway.approvals.decide(request.id, { decision, via: "test" }, operator);
      },
    });
    await gateway.receive({
      ...{ channel: "terminal", conversationId: "terminal", sessionKey: SESSION, text: "hello" },
      ...{ senderId: "operator", senderIsOwner: true },
    });
  });
  beforeEach(() => {
    asked.length = 0;
    conversation.decision = "allow-once";
  });
  afterAll(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  return conversation;
}
