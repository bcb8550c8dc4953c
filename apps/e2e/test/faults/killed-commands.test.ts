import { randomUUID } from "node:crypto";
import { startChatServer } from "@openclaw/platform-fakes";
import { describe, expect, it } from "vitest";
import { type GatewayProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const API_KEY = "test-key";
const SESSION_KEY = "agent:main:main";

/** Sends a message of the main session, with the same idempotency key when it is repeated. */
async function send({ url, token }: GatewayProcess, text: string, key = randomUUID()) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": key,
      "x-openclaw-session-key": SESSION_KEY,
    },
    body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: text }] }),
  });
  const body = (await response.json()) as {
    choices?: { message: { content: string } }[];
    error?: { message: string };
  };
  return body.choices?.[0]?.message.content ?? `${body.error?.message}`;
}

/** Matches the reply of a command, and the answer to a repeat whose first reply was not delivered before the kill. */
function executed(reply: string): RegExp {
  return new RegExp(`${reply}|already received as .*; its reply is in the session`);
}

/** Returns the content of the messages of the user in the conversation. */
async function messagesOf({ url, token }: GatewayProcess): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/chat/history?sessionKey=${SESSION_KEY}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { messages } = (await response.json()) as {
    messages: { role: string; content: { text: string }[] }[];
  };
  return messages.flatMap(({ role, content }) =>
    role === "user" ? content.map(({ text }) => text) : [],
  );
}

describe("gateway process that is killed while it executes a command", () => {
  it("[SUB-050] applies /undo and /clear exactly once, also when the client repeats them", async () => {
    const server = await startChatServer([], { apiKey: API_KEY });
    const sent = ["one", "two", "three", "four"];
    server.reply(...sent.map((text) => ({ text: `re ${text}` })));
    using place = emptyPlace({
      ...{ LLM_BASE_URL: server.baseURL, LLM_API_KEY: API_KEY, LLM_MODEL: "large" },
    });
    const args = ["--model", "openai-compatible/large"];
    const start = () => startGatewayProcess(place, args);
    let gateway = await start();
    try {
      for (const text of sent) await send(gateway, text);
      /** Sends a command, kills the process at a moment, and repeats the command to the next process. */
      const killed = async (command: string, moment: (answered: Promise<unknown>) => unknown) => {
        const key = randomUUID();
        const first = send(gateway, command, key).catch(() => "no answer");
        await moment(first);
        await gateway.end("SIGKILL");
        await first;
        gateway = await start();
        return await send(gateway, command, key);
      };
      // Before the command arrives, while it is executed, and after its reply.
      const moments = {
        four: () => undefined,
        three: () => fetch(`${gateway.url}/healthz`),
        two: (answered: Promise<unknown>) => answered,
      };
      let left = sent.length;
      for (const [text, moment] of Object.entries(moments)) {
        expect(await killed("/undo", moment)).toMatch(executed(`Undone: "${text}"`));
        left -= 1;
        expect(await messagesOf(gateway)).toEqual(sent.slice(0, left));
      }
      expect(await send(gateway, "/redo")).toBe('Brought back: "two"');
      const emptied = executed("The conversation is empty now.");
      expect(await killed("/clear", moments.three)).toMatch(emptied);
      expect(await messagesOf(gateway)).toEqual([]);
      expect(await send(gateway, "/redo")).toBe("Nothing to redo.");
    } finally {
      await gateway[Symbol.asyncDispose]();
      await server.close();
    }
  });
});
