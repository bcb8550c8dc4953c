import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { ToolInput, ToolInputRequest } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, message, openTestStore } from "../../support/host.js";

const FIELDS = {
  type: "object",
  properties: { name: { type: "string" }, count: { type: "integer", default: 1 } },
  required: ["name"],
} as const;
const REQUEST: ToolInputRequest = { message: "Who?", schema: FIELDS, state: { step: 1 } };

interface Greeting {
  readonly store?: Store;
  /** Request of each run. */
  request?(input: ToolInput | undefined): ToolInputRequest | undefined;
  readonly headless?: "wait" | "deny";
}

/** Creates a host with a command that asks for a name, and passes it to the agent. */
function greeting(
  runs: (ToolInput | undefined)[],
  {
    request = (input) => (input === undefined ? REQUEST : undefined),
    headless = "wait",
    ...store
  }: Greeting = {},
) {
  return createTestHost({
    ...store,
    script: ({ prompt }) => ({ text: `heard ${JSON.stringify(prompt.at(-1))}` }),
    register: (api: OpenClawPluginApi) =>
      api.registerCommand({
        ...{ name: "greet", description: "greets", acceptsArgs: true },
        handler({ args, input }) {
          runs.push(input);
          const asked = request(input);
          if (asked !== undefined) return { text: "not shown", input: asked };
          if (input?.action !== "accept") return { text: `no name: ${input?.action}` };
          const agentText = `Greet ${input.content.name} ${args}.`;
          return { text: "", continueAgent: true, agentText };
        },
      }),
    approvals: { headless },
  });
}

type GreetingHost = Awaited<ReturnType<typeof greeting>>;

async function asking(host: GreetingHost) {
  const asked = new Promise<Approval>((resolve) => host.approvals.onRequested(resolve));
  const reply = host.flow.receive(message("/greet twice"), {});
  return { reply, approval: await asked };
}

const say = async (host: GreetingHost, text: string) => {
  const answer = await host.flow.receive(message(text), {});
  return "text" in answer ? answer.text : "";
};

describe("a command that asks for input", () => {
  it("[EXT-505] asks in the conversation, which continues, and runs once more with the answer", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const host = await greeting(runs);
    const { reply, approval } = await asking(host);
    expect(approval).toMatchObject({
      title: "/greet asks for input",
      input: { name: "input", message: "Who?", schema: FIELDS },
    });
    expect(approval.pluginId).toBeUndefined();
    expect(await say(host, "meanwhile")).toContain("meanwhile");
    expect(await say(host, `/approve ${approval.code} count=x`)).toMatch(/name is missing/);
    expect(runs).toEqual([undefined]);
    await say(host, `/approve ${approval.code} name=Ann`);
    expect(await reply).toMatchObject({
      status: "replied",
      text: expect.stringContaining("Greet Ann twice."),
    });
    const content = { name: "Ann", count: 1 };
    expect(runs[1]).toEqual({ name: "input", state: { step: 1 }, action: "accept", content });
    const { answer } = (await host.store.decisions.approvals.get(approval.id)) ?? {};
    expect(answer).toBeUndefined();
  });

  it("[EXT-505] is told that the person declined, and that no person can answer", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const host = await greeting(runs);
    const { reply, approval } = await asking(host);
    await say(host, `/deny ${approval.code}`);
    expect(await reply).toMatchObject({ status: "answered", text: "no name: decline" });
    const unattended = await greeting(runs, { headless: "deny" });
    expect(await say(unattended, "/greet")).toBe("no name: cancel");
  });

  it("[EXT-505] continues after a restart with the answer, once", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const store = await openTestStore();
    const first = await greeting(runs, { store });
    const { reply, approval } = await asking(first);
    await first.flow.close();
    expect(await reply).toMatchObject({ status: "withheld", reason: /stopping/ });

    const next = await greeting(runs, { store });
    await next.flow.recover();
    await next.approvals.start();
    await say(next, `/approve ${approval.code} name=Ann`);
    const turns = async () => {
      const rows = await store.messages.inbox.newestOfConversations(0);
      return rows.map(({ state }) => state);
    };
    await vi.waitFor(async () => expect(await turns()).toEqual(["answered"]));
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    expect(runs[1]).toMatchObject({ action: "accept", content: { name: "Ann" } });
    await next.flow.close();
    const last = await greeting(runs, { store });
    await last.flow.recover();
    await last.flow.close();
    expect(runs).toHaveLength(2);
  });

  it("[EXT-505] runs with no answer to a request that was changed", async () => {
    const runs: (ToolInput | undefined)[] = [];
    const store = await openTestStore();
    const first = await greeting(runs, { store });
    const { approval } = await asking(first);
    await first.flow.close();
    const [row] = await store.messages.inbox.inState("received");
    const awaitedInput = { ...Object(row?.request?.awaitedInput), state: { step: 9 } };
    await store.messages.inbox.setRequest(row?.id ?? "", { ...row?.request, awaitedInput });

    const next = await greeting(runs, { store });
    await next.flow.recover();
    await next.approvals.start();
    await say(next, `/approve ${approval.code} name=Ann`);
    const state = async () => (await store.messages.inbox.get(row?.id ?? ""))?.state;
    await vi.waitFor(async () => expect(await state()).toBe("answered"));
    expect(runs).toEqual([undefined]);
  });

  it("[EXT-505] fails when its request cannot be used, and when it asks more than ten times", async () => {
    const unusable = await greeting([], { request: () => ({ message: "", schema: FIELDS }) });
    expect(await say(unusable, "/greet")).toMatch(/request cannot be used: expected a message/);
    const runs: (ToolInput | undefined)[] = [];
    const endless = await greeting(runs, { request: () => REQUEST, headless: "deny" });
    expect(await say(endless, "/greet")).toMatch(/more than 10 times/);
    expect(runs).toHaveLength(11);
  });
});
