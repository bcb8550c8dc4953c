import { expect, it } from "vitest";
import { createSessionsSendTool, type SessionMessage } from "../../src/sessions/send.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

const sent: SessionMessage[] = [];
const tool = createSessionsSendTool(async (message) => {
  sent.push(message);
  return message.sessionKey === "agent:main:there" ? "m1" : undefined;
});
const send = (sessionKey: string, text: string) =>
  callTool([tool], "sessions_send", { sessionKey, text });

it("[TURN-064] stores a message of at most 32 KiB and confirms it", async () => {
  const longest = "x".repeat(32 * 1024);
  const result = await send("agent:main:there", longest);
  expect(result.details).toEqual({ messageId: "m1", sessionKey: "agent:main:there" });
  expect(textOf(result)).toContain("Message m1 is stored");
  expect(sent.splice(0)).toEqual([
    {
      from: { sessionKey: "agent:main:main", agentId: "main" },
      sessionKey: "agent:main:there",
      text: longest,
    },
  ]);
  refusalOf(await send("agent:main:there", `${longest}x`), "too-large");
  expect(sent).toEqual([]);
});

it("rejects its own session and reports an unknown one", async () => {
  expect(refusalOf(await send("agent:main:main", "x"), "invalid-value")).toContain(
    "this same session",
  );
  expect(refusalOf(await send("agent:main:gone", "x"), "not-found")).toContain("sessions_list");
});
