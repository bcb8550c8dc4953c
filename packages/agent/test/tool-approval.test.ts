import { describe, expect, it } from "vitest";
import type { ApprovalAnswer } from "../src/index.js";
import { answers, approver, type Guard, judging, saying } from "./judged-call.js";

describe("approval", () => {
  it("asks with the final arguments", async () => {
    const { host } = await judging([saying({ params: { path: "final" } })], {
      changes: { approval: "unless-granted", label: "Do the work" },
    });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toEqual([
      {
        runId: "run-1",
        sessionKey: "agent:main:main",
        toolCallId: "call-1",
        toolName: "work",
        params: { path: "final" },
        title: "Do the work?",
        description: "",
        severity: "warning",
        kind: "tool",
      },
    ]);
    expect(await answers(host)).toEqual(["ran"]);
  });

  it("denies a call that nobody allows, and no hook hears of an execution", async () => {
    const { host, execute, told } = await judging([saying({ guidance: "ask nicely" })], {
      changes: { approval: "unless-granted" },
    });
    expect(await host.run({ approver: approver("deny") })).toMatchObject({ status: "completed" });
    expect(await answers(host)).toEqual([
      'Tool call denied: the user did not allow this call\n[Guidance of plugin "guard-1"]\nask nicely',
    ]);
    expect(execute).not.toHaveBeenCalled();
    expect(told).toEqual([]);
  });

  it("denies where nobody can be asked, and tells both settings", async () => {
    const { host } = await judging([], { changes: { approval: "unless-granted" } });
    await host.run();
    const [text] = await answers(host);
    expect(text).toMatch(/^Tool call denied: no approver reachable: /);
    expect(text).toContain("--approve-tool work");
    expect(text).toContain('"tools": { "approval": { "work": "never" } }');
  });

  it("goes by the operator's setting in place of the tool's own need", async () => {
    const { host } = await judging([], {
      changes: { approval: "always" },
      approvals: { needs: { work: "never" } },
    });
    await host.run();
    expect(await answers(host)).toEqual(["ran"]);
  });

  it("lets a grant of the session stand for later calls", async () => {
    const { host } = await judging([], {
      asked: [{}, {}],
      changes: { approval: "unless-granted" },
    });
    const person = approver("allow-session");
    await host.run({ approver: person });
    expect(await answers(host)).toEqual(["ran", "ran"]);
    expect(person.asked).toHaveLength(1);
  });

  it("[TURN-070] lets a tool decide by its arguments", async () => {
    const { host } = await judging([], {
      asked: [{ path: "public" }, { path: "private" }],
      changes: { approval: ({ path }) => (path === "private" ? "always" : "never") },
    });
    await host.run();
    const [first, second] = await answers(host);
    expect(first).toBe("ran");
    expect(second).toMatch(/^Tool call denied: no approver/);
  });

  it("denies when the tool cannot say whether it needs one", async () => {
    const { host, execute } = await judging([], {
      changes: {
        approval: () => {
          throw new Error("no table of rules");
        },
      },
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(await answers(host)).toEqual([
      "Tool call denied: a call of work could not be judged: no table of rules",
    ]);
    expect(execute).not.toHaveBeenCalled();
    expect(host.lines).toMatchObject([
      { level: "error", fields: { code: "TOOL_JUDGEMENT_FAILED", toolCallId: "call-1" } },
    ]);
  });

  it("denies when the person cannot be asked", async () => {
    const { host } = await judging([], { changes: { approval: "always" } });
    const broken = { ask: () => Promise.reject(new Error("the terminal is gone")) };
    expect(await host.run({ approver: broken })).toMatchObject({ status: "completed" });
    expect(await answers(host)).toEqual([
      "Tool call denied: nobody could be asked: the terminal is gone",
    ]);
  });

  it("is wanted by a rule of policy, whatever was granted or set", async () => {
    const { host } = await judging([], {
      asked: [{}, {}],
      layers: [{ layer: "global", requireApproval: ["work"] }],
      approvals: { needs: { work: "never" }, approvedTools: ["work"] },
    });
    const person = approver("allow-session", "deny");
    await host.run({ approver: person });
    expect(person.asked.map(({ kind }) => kind)).toEqual(["policy", "policy"]);
    expect(await answers(host)).toEqual([
      "ran",
      "Tool call denied: the user did not allow this call",
    ]);
  });
});

describe("an approval that a plugin wants", () => {
  const wanted = { title: "Really?", description: "It may hurt.", severity: "critical" as const };

  /** A guard that wants a person's word, and what it was told of the answer. */
  function asking(told: string[]): Guard {
    return saying({
      requireApproval: { ...wanted, onResolution: (answer) => void told.push(answer) },
    });
  }

  it("is asked with the plugin's words, whatever was granted or set", async () => {
    const told: string[] = [];
    const { host } = await judging([asking(told)], {
      approvals: { needs: { work: "never" }, approvedTools: ["work"] },
    });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([{ ...wanted, kind: "plugin", pluginId: "guard-1" }]);
    expect(await answers(host)).toEqual(["ran"]);
    expect(told).toEqual(["allow-once"]);
  });

  it.each<[string, ApprovalAnswer, string]>([
    ["refused", "deny", "deny"],
    ["allowed for the session", "allow-session", "allow-once"],
  ])("is told once when it was %s", async (_what, answer, resolution) => {
    const told: string[] = [];
    const { host } = await judging([asking(told)]);
    await host.run({ approver: approver(answer) });
    expect(told).toEqual([resolution]);
  });

  it("is denied where nobody can be asked, by no setting's name", async () => {
    const told: string[] = [];
    const { host } = await judging([asking(told)]);
    await host.run();
    const [text] = await answers(host);
    expect(text).toContain('plugin "guard-1" wants a person\'s approval');
    expect(text).not.toContain("--approve-tool");
    expect(told).toEqual(["deny"]);
  });

  it("is told as cancelled when the turn is interrupted", async () => {
    const told: string[] = [];
    const { host, execute } = await judging([asking(told)]);
    const controller = new AbortController();
    const silent = {
      ask() {
        controller.abort();
        return new Promise<never>(() => {});
      },
    };
    expect(await host.run({ approver: silent, signal: controller.signal })).toMatchObject({
      status: "interrupted",
    });
    expect(told).toEqual(["cancelled"]);
    expect(await answers(host)).toEqual(["Tool aborted"]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("is not asked when a later plugin blocks", async () => {
    const told: string[] = [];
    const { host } = await judging([asking(told), saying({ block: true, blockReason: "never" })]);
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toEqual([]);
    expect(told).toEqual([]);
    expect(await answers(host)).toEqual(["Tool blocked: never"]);
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      "throws",
      () => {
        throw new Error("its own affair");
      },
    ],
    ["rejects", () => Promise.reject(new Error("its own affair"))],
  ])("runs as decided when the plugin's own callback %s", async (_what, onResolution) => {
    const { host } = await judging([saying({ requireApproval: { ...wanted, onResolution } })]);
    expect(await host.run({ approver: approver("allow-once") })).toMatchObject({
      status: "completed",
      text: "done",
    });
    expect(await answers(host)).toEqual(["ran"]);
    expect(host.lines).toMatchObject([
      {
        level: "error",
        message: 'onResolution of plugin "guard-1" failed: its own affair',
        fields: { code: "HOOK_FAILED_AFTERWARDS", pluginId: "guard-1" },
      },
    ]);
  });

  it("does not wait for the plugin's own callback", async () => {
    const onResolution = () => new Promise<void>(() => {});
    const { host } = await judging([saying({ requireApproval: { ...wanted, onResolution } })]);
    await host.run({ approver: approver("allow-once") });
    expect(await answers(host)).toEqual(["ran"]);
  });

  it("needs no callback", async () => {
    const { host } = await judging([saying({ requireApproval: wanted })]);
    await host.run({ approver: approver("allow-once") });
    expect(await answers(host)).toEqual(["ran"]);
  });
});
