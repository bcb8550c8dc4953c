import type { JournalStep, Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { runTurn } from "../../src/index.js";
import { approver } from "../support/authorized-call.js";
import { replacing } from "../support/replacing.js";
import { calling, plugin, type TurnHost, tool, turnHost } from "../support/turn-host.js";

const kinds = (steps: readonly JournalStep[]) => steps.map(({ kind }) => kind);

async function stepsOf(host: TurnHost, runId = "run-1"): Promise<readonly JournalStep[]> {
  return (await host.store.turns.journal.load(runId)).map(({ step }) => step);
}

const CALL = ["model-requested", "model-answered"];
const TOOL = ["tool-intended", "tool-answered"];
const BEGIN = ["turn-prepared", "message-stored"];
const END = ["turn-concluded", "message-stored"];

describe("turn journal", () => {
  it("holds the steps in the order they were taken", async () => {
    const host = await turnHost({
      script: [{ text: "let me see", ...calling("work", "missing") }, { text: "done" }],
      coreTools: [tool("work", { approval: "always" })],
    });
    await host.run({ approver: approver("allow-once") });
    const steps = await stepsOf(host);
    expect(kinds(steps)).toEqual([
      ...BEGIN,
      ...CALL,
      "message-stored",
      ...["approval-asked", "turn-resumed", "approval-decided"],
      ...TOOL,
      ...["message-stored", "tool-answered", "message-stored"],
      ...CALL,
      ...END,
    ]);
    expect(steps[5]).toMatchObject({ toolCallId: "call-1", toolName: "work", title: "work?" });
    expect(steps[7]).toMatchObject({ toolCallId: "call-1", decision: "allow-once" });
    expect(steps[8]).toMatchObject({ toolCallId: "call-1", toolName: "work", params: {} });
    expect(steps[9]).toMatchObject({
      toolCallId: "call-1",
      message: { content: [{ text: "work ran" }], isError: false },
      isSynthetic: false,
      terminate: false,
    });
    expect(steps[11]).toMatchObject({ toolCallId: "call-2", isSynthetic: true });
  });

  it("refers to messages by their place in the transcript, without a second copy", async () => {
    const host = await turnHost({ script: [{ text: "done" }] });
    await host.run();
    const entries = await host.store.messages.transcript.load(host.sessionId);
    const stored = (await stepsOf(host)).filter(({ kind }) => kind === "message-stored");
    expect(stored).toEqual(
      entries.map(({ entryId, sessionId, seq, message: { role } }) => ({
        kind: "message-stored",
        ...{ entryId, sessionId, seq, role },
      })),
    );
  });

  it("keeps a model's whole reply, including calls that cannot run", async () => {
    const host = await turnHost({
      script: [
        {
          thinking: "hm",
          text: "wait",
          usage: { input: 3, output: 1 },
          toolCalls: [{ toolName: "work", rawParams: "{" }],
        },
        { text: "done" },
      ],
    });
    await host.run();
    expect((await stepsOf(host))[3]).toMatchObject({
      kind: "model-answered",
      message: {
        content: [{ type: "thinking", text: "hm" }, { text: "wait" }, { toolCallId: "call-1" }],
        usage: { input: 3, output: 1 },
      },
      malformedCalls: [{ toolCallId: "call-1", problem: expect.stringContaining("JSON") }],
    });
  });

  it("gives equal requests equal digests, regardless of run and time", async () => {
    const digests = async (text: string, now: number) => {
      const host = await turnHost({
        script: [calling("work"), { text: "done" }],
        coreTools: [tool("work")],
        now: () => now,
      });
      await host.run({ text });
      return (await stepsOf(host)).flatMap((step) =>
        step.kind === "model-requested" ? [step.digest] : [],
      );
    };
    const first = await digests("hello", 1);
    expect(new Set(first).size).toBe(2);
    for (const digest of first) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await digests("hello", 2)).toEqual(first);
    expect(await digests("hello!", 1)).not.toContain(first[0]);
  });

  it("records that a reply is incomplete, and why", async () => {
    const host = await turnHost({
      script: [{ text: "one two", breakAfter: 1, error: { status: 429, message: "slow down" } }],
    });
    await host.run();
    const steps = await stepsOf(host);
    const end = ["turn-concluded", "message-stored"];
    expect(kinds(steps)).toEqual([...BEGIN, "model-requested", "model-failed", ...end]);
    expect(steps[3]).toMatchObject({ error: { code: "MODEL_RATE_LIMITED" } });
  });

  it("records the request before the model call, and the reply before observers receive it", async () => {
    const seen: [string, string[]][] = [];
    const host: TurnHost = await turnHost({
      script: [
        async () => {
          seen.push(["model", kinds(await stepsOf(host))]);
          return { text: "done" };
        },
      ],
      plugins: [
        plugin("witness", (api) => {
          api.on("before_agent_finalize", async () => {
            seen.push(["finalize", kinds(await stepsOf(host))]);
            return undefined;
          });
        }),
      ],
    });
    await host.run();
    expect(seen).toEqual([
      ["model", [...BEGIN, "model-requested"]],
      ["finalize", [...BEGIN, ...CALL]],
    ]);
  });

  it("[TURN-482] records the intent before the tool runs, and stores the result before the next call", async () => {
    const seen: string[][] = [];
    const looking = (name: string) =>
      tool(name, {
        async execute() {
          seen.push(kinds(await stepsOf(host)).slice(5));
          return "ran";
        },
      });
    const host: TurnHost = await turnHost({
      script: [calling("one", "two"), { text: "done" }],
      coreTools: [looking("one"), looking("two")],
    });
    await host.run();
    expect(seen).toEqual([["tool-intended"], [...TOOL, "message-stored", "tool-intended"]]);
  });

  it("limits the details of a result as the transcript does", async () => {
    const host = await turnHost({
      script: [calling("big"), { text: "done" }],
      coreTools: [
        tool("big", { execute: () => ({ content: [], details: { rows: "x".repeat(9000) } }) }),
      ],
    });
    await host.run();
    const answered = (await stepsOf(host)).find(({ kind }) => kind === "tool-answered");
    expect(answered).toMatchObject({ message: { persistedDetailsTruncated: true } });
  });

  it("prevents model calls and tool runs when it cannot be written", async () => {
    let ran = false;
    const failing = async (kind: JournalStep["kind"]) => {
      const host = await turnHost({
        script: [calling("work"), { text: "done" }],
        coreTools: [
          tool("work", {
            execute() {
              ran = true;
              return "ran";
            },
          }),
        ],
      });
      const broken = (whole: Store): Store => {
        const { journal } = whole.turns;
        const append: typeof journal.append = (entry) =>
          entry.step.kind === kind
            ? Promise.reject(new Error("the disk is full"))
            : journal.append(entry);
        return replacing(whole, {
          turns: replacing(whole.turns, { journal: replacing(journal, { append }) }),
          transaction: (work) => whole.transaction((unit) => work(broken(unit))),
        });
      };
      const store = broken(host.store);
      const outcome = await runTurn(host.request(), { ...host.services, store }, host.pin);
      expect(outcome).toMatchObject({ status: "failed", error: { message: "the disk is full" } });
      return host;
    };
    expect((await failing("model-requested")).requests).toEqual([]);
    await failing("tool-intended");
    expect(ran).toBe(false);
  });
});
