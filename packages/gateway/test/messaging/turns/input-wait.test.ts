import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { ToolInput } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, message, openTestStore } from "../../support/host.js";

const FIELDS = {
  type: "object",
  properties: { name: { type: "string" }, count: { type: "integer", default: 1 } },
  required: ["name"],
} as const;

/** Creates a host whose model calls a tool that asks for a name. */
function greeting(runs: (ToolInput | undefined)[], store?: Store) {
  return createTestHost({
    ...(store === undefined ? {} : { store }),
    script: ({ prompt }) =>
      JSON.stringify(prompt).includes("greeted")
        ? { text: "done" }
        : { toolCalls: [{ toolName: "greet", params: {} }] },
    register: (api: OpenClawPluginApi) =>
      api.registerTool({
        ...{ name: "greet", description: "greets", parameters: { type: "object", properties: {} } },
        execute(_id, _params, _signal, _onUpdate, input) {
          runs.push(input);
          if (input !== undefined) return `greeted ${JSON.stringify(input)}`;
          return {
            content: [],
            input: { message: "What is your name?", schema: FIELDS, state: { step: 1 } },
          };
        },
      }),
    approvals: { headless: "wait" },
  });
}

type GreetingHost = Awaited<ReturnType<typeof greeting>>;

async function asking(host: GreetingHost) {
  const asked = new Promise<Approval>((resolve) => host.approvals.onRequested(resolve));
  const reply = host.flow.receive(message("greet me"), {});
  const approval = await asked;
  const turn = () => host.store.turns.get(approval.runId ?? "");
  await vi.waitFor(async () => expect((await turn())?.state).toBe("awaiting_approval"));
  return { reply, approval };
}

const say = async (host: GreetingHost, text: string) => {
  const answer = await host.flow.receive(message(text), {});
  return "text" in answer ? answer.text : "";
};

describe("a tool that asks for input", () => {
  it("[EXT-360] [EXT-361] [PLUG-960] asks in the conversation, and runs once more with the answer", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const host = await greeting(runs);
    const { reply, approval } = await asking(host);
    expect(approval).toMatchObject({
      title: "greet asks for input",
      input: { name: "input", message: "What is your name?", schema: FIELDS },
    });
    expect(await say(host, "yes")).toContain("APPROVAL_INPUT_INVALID");
    expect(await say(host, `/approve ${approval.code} count=many`)).toMatch(/name is missing/);
    expect(await say(host, `/approve ${approval.code} name=Ann count=x`)).toMatch(/type integer/);
    expect(runs).toEqual([undefined]);

    expect(await say(host, `/approve ${approval.code} name="Ann Lee"`)).toContain("allowed once");
    expect(await reply).toMatchObject({ status: "replied", text: "done" });
    const content = { name: "Ann Lee", count: 1 };
    // The call has received the values, and nobody else keeps them.
    const { answer } = (await host.store.decisions.approvals.get(approval.id)) ?? {};
    expect(answer).toBeUndefined();
    const messages = await host.store.messages.inbox.newestOfConversations(0);
    expect(messages.map(({ content: text }) => text)).toEqual([""]);
    expect(runs).toEqual([
      ...[undefined, { name: "input", state: { step: 1 }, action: "accept", content }],
    ]);
  });

  it("[EXT-360] is told that the person declined", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const host = await greeting(runs);
    const { reply, approval } = await asking(host);
    await say(host, `/deny ${approval.code}`);
    expect(await reply).toMatchObject({ status: "replied" });
    expect(runs[1]).toEqual({ name: "input", state: { step: 1 }, action: "decline" });
  });

  it("[EXT-360] continues after a restart with the answer", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const store = await openTestStore();
    const first = await greeting(runs, store);
    const { approval } = await asking(first);
    await first.flow.close();

    const next = await greeting(runs, store);
    await next.flow.recover();
    await next.approvals.start();
    await say(next, `/approve ${approval.code} name=Ann`);
    const turn = () => store.turns.get(approval.runId ?? "");
    await vi.waitFor(async () => expect((await turn())?.state).toBe("completed"));
    expect(runs.slice(1)).toMatchObject([{ action: "accept", content: { name: "Ann" } }]);
    const kinds = (await store.turns.journal.load(approval.runId ?? "")).map(
      ({ step }) => step.kind,
    );
    expect(
      kinds.filter((kind) => kind.startsWith("tool-") || kind.startsWith("approval-")),
    ).toEqual([
      "tool-intended",
      "approval-asked",
      "approval-decided",
      "tool-intended",
      "tool-answered",
    ]);
  });

  it("[EXT-363] runs no call once more whose stored state was changed", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const store = await openTestStore();
    const first = await greeting(runs, store);
    const { approval } = await asking(first);
    await first.flow.close();
    const runId = approval.runId ?? "";
    const asked = (await store.turns.journal.load(runId)).flatMap(({ step }) =>
      step.kind === "approval-asked" && step.awaited !== undefined ? [step] : [],
    )[0];
    if (asked?.awaited === undefined) throw new Error("the call does not wait");
    const awaited = { ...asked.awaited, state: { step: 9 } };
    await store.turns.journal.append({ runId, step: { ...asked, awaited } });

    const next = await greeting(runs, store);
    await next.flow.recover();
    await next.approvals.start();
    await say(next, `/approve ${approval.code} name=Ann`);
    const answers = async () =>
      (await store.turns.journal.load(runId)).flatMap(({ step }) =>
        step.kind === "tool-answered" ? [JSON.stringify(step)] : [],
      );
    await vi.waitFor(async () => expect(await answers()).not.toEqual([]));
    expect(await answers()).toEqual([
      expect.stringMatching(/which waited for input, was changed.*not made again/),
      ...(await answers()).slice(1),
    ]);
    expect(runs).not.toContainEqual(expect.objectContaining({ action: "accept" }));
  });
});
