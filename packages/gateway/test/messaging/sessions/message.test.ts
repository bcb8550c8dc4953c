import { sendToSession } from "@openclaw/messaging";
import { expect, it } from "vitest";
import { createTestHost, SESSION } from "../../support/host.js";

it("[TURN-064] answers a message from another session in the target session, never as its owner", async () => {
  const senders: unknown[] = [];
  let told = () => {};
  const answered = new Promise<void>((resolve) => {
    told = resolve;
  });
  const host = await createTestHost({
    register: (api) => {
      api.on("message_received", ({ content }, { senderId, sessionKey }) => {
        senders.push({ content, senderId, sessionKey });
      });
      api.on("agent_end", () => told());
    },
  });
  const { session } = await host.store.sessions.open(SESSION, { agentId: "main" });
  const from = { sessionKey: "agent:main:other", agentId: "main" };
  const messageId = await sendToSession(
    { from, sessionKey: SESSION, text: "tell me" },
    host.store,
    host.flow,
  );
  await answered;
  expect(senders).toMatchObject([{ content: "tell me", senderId: "agent:main:other" }]);
  const stored = await host.store.messages.inbox.get(messageId ?? "");
  expect(stored).toMatchObject({ channel: "session", senderId: "agent:main:other" });
  expect(host.asked()[0]).toContain("tell me");
  const transcript = await host.store.messages.transcript.load(session.sessionId);
  expect(transcript.map(({ message }) => message.role)).toEqual(["user", "assistant"]);
});

it("sends no message to an unknown session", async () => {
  const host = await createTestHost();
  const message = { from: { sessionKey: SESSION, agentId: "main" }, sessionKey: "x", text: "x" };
  expect(await sendToSession(message, host.store, host.flow)).toBeUndefined();
  expect(await host.store.sessions.get("x")).toBeUndefined();
});
