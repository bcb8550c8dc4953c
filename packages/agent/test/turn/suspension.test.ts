import { describe, expect, it } from "vitest";
import { TurnSuspendedError } from "../../src/index.js";
import { answers, judging, OWNER } from "../support/authorized-call.js";
import { deferred } from "../support/deferred.js";
import { calling, tool, turnHost } from "../support/turn-host.js";

/** Cuts a tool off by a graceful stop of its host, and continues the turn in the next one. */
async function cutOff(idempotent: boolean) {
  const ids: string[] = [];
  const started = deferred();
  const controller = new AbortController();
  let isFirst = true;
  const options = {
    script: ({ prompt }: { prompt: readonly { role: string }[] }) =>
      prompt.some(({ role }) => role === "tool") ? { text: "done" } : calling("work"),
    coreTools: [
      tool("work", {
        idempotent,
        async execute(toolCallId, _params, signal) {
          ids.push(toolCallId);
          if (!isFirst) return "worked";
          isFirst = false;
          started.resolve();
          await new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(new Error("stopped")));
          });
        },
      }),
    ],
  };
  const first = await turnHost(options);
  const outcome = first.run({ signal: controller.signal });
  await started.promise;
  controller.abort(new TurnSuspendedError());
  expect(await outcome).toEqual({ status: "suspended", text: "" });
  const kinds = (await first.store.turns.journal.load("run-1")).map(({ step }) => step.kind);
  const second = await turnHost({ ...options, store: first.store });
  expect(await second.run()).toMatchObject({ status: "completed", text: "done" });
  return { ids, kinds, answers: await answers(second) };
}

describe("tool interrupted by a graceful stop", () => {
  it("[TURN-055] has no result, and runs again under its ID when it is idempotent", async () => {
    const { ids, kinds, answers } = await cutOff(true);
    expect(kinds.at(-1)).toBe("tool-intended");
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
    expect(answers).toEqual(["worked"]);
  });

  it("[TURN-055] has no result, and is reported as unknown when it is not idempotent", async () => {
    const { ids, kinds, answers } = await cutOff(false);
    expect(kinds.at(-1)).toBe("tool-intended");
    expect(ids).toHaveLength(1);
    expect(answers).toEqual([expect.stringMatching(/^interrupted: outcome unknown/)]);
  });
});

describe("call whose approval is requested while the host stops", () => {
  it("[APPR-032] stays pending, and runs in the next host after approval", async () => {
    const controller = new AbortController();
    const { host, execute } = await judging([], { changes: { approval: "always" } });
    const { approvals } = host.services;
    approvals.onRequested(() => controller.abort(new TurnSuspendedError()));
    const asked = { runId: "run-1", isAttended: () => true };
    const outcome = await host.run({ ...asked, signal: controller.signal });
    expect(outcome).toEqual({ status: "suspended", text: "" });
    const [approval] = await host.store.decisions.approvals.pending("agent:main:main");
    await approvals.decide(approval?.id ?? "", { decision: "allow-once", via: "test" }, OWNER);
    expect(await host.run(asked)).toMatchObject({ status: "completed", text: "done" });
    expect(await answers(host)).toEqual(["ran"]);
    expect(execute).toHaveBeenCalledTimes(1);
  });
});
