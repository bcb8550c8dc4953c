import type { HookName } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { runTurn } from "../../src/index.js";
import { replacing } from "../support/replacing.js";
import {
  calling,
  plugin,
  type TurnHostOptions,
  tool,
  turnHost,
  watcher,
} from "../support/turn-host.js";

describe("failing hook", () => {
  const passing = [
    "before_model_resolve",
    "before_agent_start",
    "before_prompt_build",
    "before_agent_reply",
    "transform_response",
  ] as const satisfies HookName[];
  const failures: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["hangs", () => new Promise(() => {})],
    ["answers nonsense", () => 42],
  ];
  const cases = passing.flatMap((name) =>
    failures.map(([what, handler]) => [name, what, handler] as const),
  );

  /** A host whose plugin fails at this hook. */
  function failingAt(name: HookName, handler: () => unknown, options = {}) {
    return turnHost({
      plugins: [
        plugin(
          "broken",
          (api) => void api.registerHook(name, handler, { timeoutMs: 1, ...options }),
        ),
      ],
    });
  }

  it.each(cases)("at %s: it %s, and the turn continues", async (name, _what, handler) => {
    const host = await failingAt(name, handler);
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(host.events.at(-1)?.type).toBe("finished");
  });

  const closed = cases.filter(([name]) => name !== "transform_response");
  it.each(closed)("at %s, fail-closed: it %s, and the turn fails", async (name, _what, handler) => {
    const host = await failingAt(name, handler, { mode: "fail-closed" });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: { code: expect.stringMatching(/^HOOK_/), stage: "hook" },
    });
    expect(host.requests).toEqual([]);
    expect(host.events.at(-1)?.type).toBe("finished");
  });
});

describe("failing store", () => {
  /** A store whose `append` fails the given time it is called. */
  function failingAt(store: Store, failing: number): Store {
    let appended = 0;
    const failingOver = (unit: Store): Store => {
      const { transcript } = unit.messages;
      const append: typeof transcript.append = (entry) => {
        appended += 1;
        if (appended === failing) return Promise.reject(new Error("the disk is full"));
        return transcript.append(entry);
      };
      return replacing(unit, {
        messages: replacing(unit.messages, { transcript: replacing(transcript, { append }) }),
        transaction: (work) => unit.transaction((inside) => work(failingOver(inside))),
      });
    };
    return failingOver(store);
  }

  /** Runs a turn of four messages whose store fails at one of them. */
  async function runFailingAt(failing: number, options: TurnHostOptions = {}) {
    const ended: string[] = [];
    const { store, ...host } = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [watcher(ended, ["agent_error", "agent_end"])],
      ...options,
    });
    const services = { ...host.services, store: failingAt(store, failing) };
    return { ended, outcome: await runTurn(host.request(), services, host.pin), host };
  }

  it.each([1, 2, 3, 4])(
    "at message %i fails the turn, and its end is reported",
    async (failing) => {
      const { ended, outcome, host } = await runFailingAt(failing);
      expect(outcome).toEqual({
        status: "failed",
        text: "",
        error: {
          code: "UNEXPECTED",
          message: "the disk is full",
          stage: "internal",
          retryable: false,
        },
      });
      expect(ended).toEqual(["agent_error", "agent_end"]);
      expect(await host.transcript()).toHaveLength(failing - 1);
      expect(host.events.at(-1)).toEqual({ type: "finished", outcome });
    },
  );

  /** A store that cannot journal the answer of a call. */
  function failingAtAnswers(unit: Store): Store {
    const { journal } = unit.turns;
    const append: typeof journal.append = (entry) =>
      entry.step.kind === "tool-answered"
        ? Promise.reject(new Error("the disk is full"))
        : journal.append(entry);
    return replacing(unit, {
      turns: replacing(unit.turns, { journal: replacing(journal, { append }) }),
      transaction: (work) => unit.transaction((inside) => work(failingAtAnswers(inside))),
    });
  }

  it("[APPR-015] cancels the approval request of a call that waits while another one fails", async () => {
    let onAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const host = await turnHost({
      script: [calling("asking", "failing"), { text: "done" }],
      coreTools: [
        tool("asking", { approval: "always", parallelSafe: true }),
        tool("failing", { parallelSafe: true, execute: () => asked.then(() => "done") }),
      ],
    });
    const { store } = host;
    host.services.approvals.onRequested(() => onAsked());
    const broken = failingAtAnswers(store);
    const request = host.request({ isAttended: () => true });
    const outcome = await runTurn(request, { ...host.services, store: broken }, host.pin);
    expect(outcome).toMatchObject({ status: "failed" });
    expect(await store.decisions.approvals.list()).toMatchObject([
      { tool: "asking", state: "cancelled", decidedBy: "failed" },
    ]);
  });
});
