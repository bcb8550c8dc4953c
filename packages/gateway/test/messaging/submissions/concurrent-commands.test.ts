import { describe, expect, it } from "vitest";
import { createTestHost, gate, message, SESSION, type TestHost } from "../../support/host.js";

async function texts({ store }: TestHost): Promise<string[]> {
  const session = await store.sessions.get(SESSION);
  const entries = await store.messages.transcript.load(session?.sessionId ?? "");
  return entries.flatMap(({ message: { role, content } }) =>
    role === "user" ? content.map((part) => (part.type === "text" ? part.text : part.type)) : [],
  );
}

describe("commands between turns", () => {
  it("[SUB-051] undo the turn before them, and leave the message that arrives during the undo", async () => {
    const running = gate();
    const release = gate();
    const host = await createTestHost({
      script: async ({ prompt }) => {
        if (JSON.stringify(prompt.at(-1)).includes("two")) {
          running.pass();
          await release.passed;
        }
        return { text: "ok" };
      },
    });
    const say = (text: string) => host.flow.receive(message(text), {});
    await say("one");
    const outcomes = [say("two")];
    await running.passed;
    outcomes.push(say("/undo"), say("three"), say("/redo"));
    release.pass();
    const [two, undo, three, redo] = await Promise.all(outcomes);
    expect(two).toMatchObject({ status: "replied" });
    expect(undo).toMatchObject({ text: expect.stringContaining('Undone: "two"') });
    expect(three).toMatchObject({ status: "replied" });
    expect(redo).toMatchObject({ text: "Nothing to redo." });
    expect(await texts(host)).toEqual(["one", "three"]);
  });

  it("[SUB-022] [SUB-051] of many senders at once change one conversation in the order of arrival", async () => {
    const host = await createTestHost();
    const say = (text: string) => host.flow.receive(message(text), {});
    const sent = ["a", "b", "/undo", "c", "/undo", "/undo", "/redo", "d", "/redo"];
    const outcomes = await Promise.all(sent.map(say));
    expect(
      outcomes.map((outcome) => ("text" in outcome ? outcome.text.split(":")[0] : "")),
    ).toEqual([
      ...["ok", "ok", "Undone", "ok", "Undone", "Undone", "Brought back", "ok"],
      "Nothing to redo.",
    ]);
    expect(await texts(host)).toEqual(["a", "d"]);
    expect(await host.store.sessions.list({ limit: 10 })).toHaveLength(1);
  });

  it("[SUB-021] interrupt the running turn, and do not wait for it", async () => {
    const running = gate();
    const host = await createTestHost({
      script: ({ abortSignal }) => {
        running.pass();
        return new Promise((_, reject) => {
          const abort = () => reject(abortSignal?.reason);
          abortSignal?.addEventListener("abort", abort, { once: true });
        });
      },
    });
    const say = (text: string) => host.flow.receive(message(text), {});
    expect(await say("/interrupt")).toMatchObject({ text: "No turn is running." });
    const turn = say("one");
    await running.passed;
    expect(await say("/stop")).toMatchObject({ text: "Interrupted." });
    const outcome = await turn;
    expect(outcome).toMatchObject({ status: "interrupted" });
    const runId = "runId" in outcome ? (outcome.runId ?? "") : "";
    expect(await host.store.turns.get(runId)).toMatchObject({ state: "interrupted" });
  });

  it("[SUB-021] stop the running tool, and leave a conversation that continues normally", async () => {
    const running = gate();
    const stopped: unknown[] = [];
    const host = await createTestHost({
      script: ({ prompt }) =>
        JSON.stringify(prompt.at(-1)).includes("work")
          ? { toolCalls: [{ toolName: "work", params: {} }] }
          : { text: "ok" },
      register: (api) =>
        api.registerTool({
          name: "work",
          description: "works until it is stopped",
          parameters: { type: "object", properties: {} },
          approval: "never",
          execute: (_id, _params, signal) =>
            new Promise((_, reject) => {
              const stop = () => {
                stopped.push(signal?.aborted);
                reject(signal?.reason);
              };
              signal?.addEventListener("abort", stop, { once: true });
              running.pass();
            }),
        }),
    });
    const say = (text: string) => host.flow.receive(message(text), {});
    const states = async () =>
      (await host.administration.threads(SESSION)).threads.map(({ state }) => state);
    const turn = say("work");
    await running.passed;
    expect(await say("/interrupt")).toMatchObject({ text: "Interrupted." });
    expect(await turn).toMatchObject({ status: "interrupted" });
    expect(stopped).toEqual([true]);
    expect(await states()).toEqual(["Interrupted"]);
    expect(await say("hello")).toMatchObject({ status: "replied", text: "ok" });
    expect(await states()).toEqual(["Idle"]);
    expect(host.asked()).toHaveLength(2);
  });

  it("[SUB-051] do not wait for a turn that waits for a decision", async () => {
    const host = await createTestHost({
      script: ({ prompt }) =>
        prompt.at(-1)?.role === "tool"
          ? { text: "done" }
          : { toolCalls: [{ toolName: "launch", params: {} }] },
      register: (api) =>
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: {} },
          approval: "unless-granted",
          execute: () => "launched",
        }),
    });
    const asked = gate();
    const onApproval = () => asked.pass();
    const turn = host.flow.receive(message("go"), { onApproval });
    await asked.passed;
    const say = (text: string) => host.flow.receive(message(text), {});
    for (const command of ["/undo", "/redo", "/clear", "/compact", "/summarize"]) {
      expect(await say(command), command).toMatchObject({
        text: expect.stringContaining("waits for the decision"),
      });
    }
    expect(await say("/approve")).toMatchObject({ text: expect.stringContaining("allowed once") });
    expect(await turn).toMatchObject({ status: "replied", text: "done" });
    expect(await say("/undo")).toMatchObject({ text: expect.stringContaining("launch") });
  });
});
