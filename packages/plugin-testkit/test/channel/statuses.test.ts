import type { StatusUpdate } from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeChannel, createTestHost, type ModelScript } from "../../src/index.js";

/** Assembled here, so that this file holds no secret for a scan to find. */
const SECRET = `AKIA${"IOSFODNN7EXAMPLE"}`;
const AUTH_URL = "https://example.com/keys";

const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

/** Plugin with a tool that asks the conversation for a credential. */
const service = definePluginEntry({
  id: "service",
  register(api) {
    api.registerTool(({ sessionKey }) => ({
      name: "sign_in",
      description: "Asks for the credential.",
      parameters: { type: "object", properties: {} },
      async execute() {
        const explanation = { instructions: "Create a key.", authUrl: AUTH_URL };
        await api.runtime.messages?.requestCredential?.({
          ...{ sessionKey, name: "API_KEY" },
          ...explanation,
        });
        return "The person was asked.";
      },
    }));
  },
});

async function statusChannel(model: ModelScript) {
  const channel = createFakeChannel();
  const host = await createTestHost({
    plugin: channel.asPlugin(),
    config: {
      channels: { fake: { dmPolicy: "open", owners: ["alice"] } },
      models: { retry: { retries: 1 } },
    },
    neighbours: [service],
    model,
  });
  onTestFinished(() => host.dispose());
  const until = (expected: object) =>
    eventually(() => expect(channel.statuses).toContainEqual(expect.objectContaining(expected)));
  return { channel, until };
}

/** Returns the statuses without streamed text, which has as many chunks as the model sends. */
const withoutText = (statuses: readonly StatusUpdate[]) =>
  statuses.filter(({ kind }) => kind !== "stream_chunk");

describe("statuses of a channel", () => {
  it("[CHAN-005] show each job that a command or the model starts, with no secret in its title", async () => {
    const { channel, until } = await statusChannel(({ prompt }) => {
      const said = JSON.stringify(prompt);
      const params = { title: `read ${SECRET}`, description: "work below" };
      return said.includes("plan it") && prompt.at(-1)?.role === "user"
        ? { toolCalls: [{ toolName: "create_job", params }] }
        : { text: "It is done." };
    });
    await channel.say("/job count the files");
    await until({ kind: "job_started", title: "count the files" });
    await channel.say("plan it");
    await until({ kind: "job_started", title: expect.stringMatching(/^read /) });
    const jobs = channel.statuses.filter(({ kind }) => kind === "job_started");
    expect(jobs).toHaveLength(2);
    expect(jobs[0]).toEqual({
      ...{ kind: "job_started", title: "count the files", jobId: expect.any(String) },
    });
    expect(JSON.stringify(jobs)).not.toContain(SECRET);
  });

  it("[CHAN-005] show thinking, each tool call, the needed approval and the streamed text", async () => {
    const command = `echo ${SECRET} > made.txt`;
    const { channel, until } = await statusChannel([
      { toolCalls: [{ toolName: "exec", params: { command } }] },
      { text: "It is made." },
    ]);
    await channel.say("make a file");
    const card = await channel.delivery(1);
    await until({ kind: "approval_needed" });
    await channel.say("y");
    await eventually(() =>
      expect(channel.deliveries.map(({ content }) => content)).toContain("It is made."),
    );
    const [thinking, started, needed, ...rest] = withoutText(channel.statuses);
    expect(thinking).toEqual({ kind: "thinking", text: "Thinking" });
    expect(started).toEqual({ kind: "tool_started", name: "exec" });
    expect(needed).toEqual({
      kind: "approval_needed",
      requestId: expect.any(String),
      tool: "exec",
      description: expect.stringMatching(/./),
      parameters: { command: expect.stringMatching(/^echo .+ > made\.txt$/) },
    });
    expect(JSON.stringify(needed)).not.toContain(SECRET);
    expect(card.content).toContain("Reply /approve");
    expect(rest).toContainEqual({ kind: "tool_completed", name: "exec", success: true });
    expect(rest).toContainEqual({ kind: "tool_result", name: "exec", preview: expect.any(String) });
    const text = channel.statuses.flatMap((each) =>
      each.kind === "stream_chunk" ? [each.text] : [],
    );
    expect(text.join("")).toBe("It is made.");
  });

  it("[CHAN-005] show a failed tool call and a repeated model request", async () => {
    const { channel, until } = await statusChannel([
      { toolCalls: [{ toolName: "read", params: { path: "missing.txt" } }] },
      { error: { status: 503, message: "overloaded" } },
      { text: "There is none." },
    ]);
    await channel.say("read it");
    await until({ kind: "tool_completed", name: "read", success: false });
    await until({ kind: "status", text: "The model did not answer; trying again" });
  });

  it("[CHAN-005] show the needed credential, and that it is stored or no longer awaited", async () => {
    const { channel, until } = await statusChannel([
      { toolCalls: [{ toolName: "sign_in", params: {} }] },
      { text: "Please send it." },
      { toolCalls: [{ toolName: "sign_in", params: {} }] },
      { text: "Please send it again." },
    ]);
    await channel.say("sign in");
    await channel.delivery(2);
    await until({
      kind: "auth_required",
      extension: "service",
      instructions: "Create a key.",
      authUrl: AUTH_URL,
    });
    await channel.say("correct horse battery staple");
    const completed = { kind: "auth_completed", extension: "service" };
    await until({ ...completed, success: true, message: "the credential is stored" });
    await channel.say("sign in again");
    await channel.delivery(5);
    await channel.say("auth-cancel");
    await until({ ...completed, success: false, message: "the request was cancelled" });
    expect(JSON.stringify(channel.statuses)).not.toContain("correct horse");
  });
});
