import { createGatewayClient } from "@openclaw/client";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { GatewayProcess } from "./openclaw-process.js";
import { emptyPlace, type Place } from "./place.js";
import { openTerminal, type SessionSize, type TerminalSession } from "./terminal-session.js";
import { startGateway } from "./warm-process.js";

/** A running gateway with a scripted model, for chats at a terminal. */
export interface ChatFixture extends AsyncDisposable {
  readonly model: ModelServer;
  readonly place: Place;
  readonly gateway: GatewayProcess;
  /**
   * Opens a new conversation.
   * @param size - size of the terminal
   * @param before - text that is on the terminal already
   */
  openChat(size?: SessionSize, before?: string): Promise<TerminalSession>;
  /** Denies the only pending approval request, as another client. */
  denyPending(): Promise<void>;
  /** Returns the last message of the user that the model received, as JSON. */
  lastUserText(): string;
}

/**
 * Starts a gateway in an empty place whose folders are trusted.
 * @param configuration - content of the configuration file
 */
export async function startChatFixture(configuration = "{}"): Promise<ChatFixture> {
  const model = await startChatServer([]);
  const place = emptyPlace({
    LLM_BASE_URL: model.baseURL,
    LLM_MODEL: "fake",
    LLM_API_KEY: "test-key",
  });
  place.writeState({
    "trusted-folders.json": JSON.stringify({ "/": true }),
    "openclaw.json": configuration,
  });
  const gateway = await startGateway(place);
  return {
    model,
    place,
    gateway,
    async openChat(size, before) {
      const chat = openTerminal(["chat", "--new"], place, size, before);
      await chat.shows(/ready · /);
      return chat;
    },
    async denyPending() {
      const client = createGatewayClient({ url: gateway.url, token: gateway.token });
      const { approvals } = await client.call("approvals.list", {});
      const [approval] = approvals;
      if (approval === undefined) throw new Error("no pending approval");
      const { id, digest } = approval;
      await client.call("approvals.resolve", { id, digest, decision: "deny" });
    },
    lastUserText() {
      const { messages = [] } = (model.requests.at(-1)?.body ?? {}) as {
        messages?: readonly { role: string; content: unknown }[];
      };
      return JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await model.close();
      place[Symbol.dispose]();
    },
  };
}

/**
 * Starts a fixture for all tests of a file. What a failed test left, such as a held reply, would fail the tests after it,
 * so that they get another one.
 */
export function sharedChatFixture(): Omit<ChatFixture, typeof Symbol.asyncDispose> {
  let current: ChatFixture;
  const start = async () => {
    current = await startChatFixture();
  };
  beforeAll(start);
  afterAll(() => current[Symbol.asyncDispose]());
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    await current[Symbol.asyncDispose]();
    await start();
  });
  return {
    get model() {
      return current.model;
    },
    get place() {
      return current.place;
    },
    get gateway() {
      return current.gateway;
    },
    openChat: (size, before) => current.openChat(size, before),
    denyPending: () => current.denyPending(),
    lastUserText: () => current.lastUserText(),
  };
}
