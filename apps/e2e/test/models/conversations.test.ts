import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { startChatServer } from "@openclaw/platform-fakes";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import {
  type ExampleConversation,
  type ExampleTurn,
  exampleConversations,
  modelReplies,
} from "../../src/example-conversation.js";
import { startGateway } from "../../src/warm-process.js";

const API_KEY = "test-key";

describe.each(exampleConversations())("$title", (conversation) => {
  it("runs on the command line with the demo model", async () => {
    using workspace = workspaceOf(conversation);
    using state = temporaryFolder("state");
    for (const turn of conversation.turns) {
      const result = await say(turn, conversation, {
        workspace: workspace.path,
        state: state.path,
      });
      expectReply(result.stdout, turn);
    }
  });

  it("runs on the command line with a provider's model", async () => {
    using workspace = workspaceOf(conversation);
    using state = temporaryFolder("state");
    const server = await startChatServer([], { apiKey: API_KEY });
    const environment = { LLM_BASE_URL: server.baseURL, LLM_API_KEY: API_KEY, LLM_MODEL: "large" };
    try {
      for (const turn of conversation.turns) {
        server.reply(...modelReplies(turn));
        const place = { workspace: workspace.path, state: state.path, environment };
        expectReply((await say(turn, conversation, place)).stdout, turn);
      }
    } finally {
      await server.close();
    }
  });

  it("runs from an OpenAI client over HTTP, with and without streaming", async () => {
    using workspace = workspaceOf(conversation);
    using state = temporaryFolder("state");
    const place = { workspace: workspace.path, state: state.path };
    await using gateway = await startGateway(place, approvals(conversation));
    const client = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: gateway.token,
      maxRetries: 0,
    });
    for (const [index, turn] of conversation.turns.entries()) {
      const request = {
        model: "openclaw",
        user: "example",
        messages: [{ role: "user" as const, content: turn.user }],
      };
      if (index % 2 === 0) {
        const completion = await client.chat.completions.create(request);
        expectReply(completion.choices[0]?.message.content ?? "", turn);
      } else {
        let text = "";
        for await (const chunk of await client.chat.completions.create({
          ...request,
          stream: true,
        })) {
          text += chunk.choices[0]?.delta.content ?? "";
        }
        expectReply(text, turn);
      }
    }
  });
});

function workspaceOf({ workspace }: ExampleConversation): TemporaryFolder {
  const folder = temporaryFolder("workspace");
  folder.write(workspace);
  return folder;
}

function approvals({ approve = [] }: ExampleConversation): string[] {
  return approve.flatMap((tool) => ["--approve-tool", tool]);
}

async function say(
  turn: ExampleTurn,
  conversation: ExampleConversation,
  place: Parameters<typeof openclaw>[1],
) {
  const result = await openclaw(["chat", "-m", turn.user, ...approvals(conversation)], place);
  // A call that no approver could decide about is not done (TURN-460).
  const isUndecided = result.stderr.includes("no approver reachable");
  expect(result.exitCode, join(result.stdout, result.stderr)).toBe(isUndecided ? 77 : 0);
  return result;
}

function expectReply(text: string, { reply, replyLacks = [] }: ExampleTurn): void {
  for (const part of reply) expect(text).toContain(part);
  for (const part of replyLacks) expect(text).not.toContain(part);
}
