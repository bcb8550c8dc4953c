import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { HOOK_GROUPS } from "../../src/catalog/catalog.js";
import { contextFieldsOf, HOOK_CATALOG, hookDefinitions, phaseOf } from "../../src/index.js";

describe("the hook catalog", () => {
  it("contains every hook of the SDK, each in one group", () => {
    expect(Object.keys(HOOK_CATALOG).toSorted()).toEqual(HOOK_NAMES.toSorted());
    expect(HOOK_GROUPS.flatMap(({ names }) => names).toSorted()).toEqual(HOOK_NAMES.toSorted());
  });

  it("fails closed exactly for hooks whose failure must not pass (D5)", () => {
    const closed = HOOK_NAMES.filter((name) => HOOK_CATALOG[name].failure === "closed");
    expect(closed.toSorted()).toEqual(["before_agent_run", "before_install", "before_tool_call"]);
  });

  it("gives every hook but the synchronous ones a finite deadline", () => {
    const special: Record<string, number> = {
      gateway_pre_stop: 5_000,
      gateway_stop: 5_000,
      transcribe_audio: 60_000,
      reply_dispatch: 60_000,
    };
    for (const name of HOOK_NAMES) {
      const entry = HOOK_CATALOG[name];
      if (entry.kind === "sync") {
        expect(entry).not.toHaveProperty("deadlineMs");
      } else {
        const usual = entry.kind === "observe" ? 30_000 : 15_000;
        expect(entry.deadlineMs, name).toBe(special[name] ?? usual);
      }
    }
  });

  it("isolates every field that a handler could change (HCR-022)", () => {
    for (const name of HOOK_NAMES) {
      const { event, ...entry } = HOOK_CATALOG[name];
      const rewritten = "merge" in entry ? Object.keys(entry.merge) : [];
      for (const [field, { isolation, type }] of Object.entries(event)) {
        const holdsObject = !/^(string|number|boolean|string \| number|("[^"]*"( \| )?)+)$/.test(
          type,
        );
        expect(isolation !== undefined, `${name}.${field}: ${type}`).toBe(holdsObject);
        if (holdsObject && rewritten.includes(field))
          expect(isolation, `${name}.${field}`).toBe("copy");
      }
    }
  });

  it("lists the fields of a context, including those of every handler and of its group", () => {
    const fields = Object.keys(contextFieldsOf("gateway_start"));
    expect(fields).toEqual(expect.arrayContaining(["pluginId", "workspaceDir", "abortSignal"]));
    expect(fields).not.toContain("sessionKey");
    expect(contextFieldsOf("before_tool_call").callDepth).toMatchObject({ required: true });
  });

  it("finds the phase and alias of a hook", () => {
    expect(phaseOf("before_tool_call")).toEqual({ phase: "tool.pre", alias: "preToolExecution" });
    expect(phaseOf("llm_input")).toBeUndefined();
    expect(HOOK_NAMES.filter((name) => phaseOf(name) !== undefined)).toHaveLength(19);
  });
});

describe("denial after a failure in the catalog", () => {
  it.each([
    ["before_tool_call", { block: true, blockReason: "why" }],
    ["before_agent_run", { outcome: "block", reason: "why" }],
    ["before_install", { block: true, blockReason: "why" }],
    ["before_message_write", { block: true }],
    ["message_receiving", { cancel: true, cancelReason: "why" }],
    ["message_sending", { cancel: true, cancelReason: "why" }],
    ["before_dispatch", { cancel: true, cancelReason: "why" }],
    ["before_recall", { skip: true }],
    ["subagent_spawning", { status: "error", error: "why" }],
  ] as const)("%s", (name, denial) => {
    expect(HOOK_CATALOG[name].deny?.("why")).toEqual(denial);
  });

  it("is absent for every other hook", () => {
    const denying = HOOK_NAMES.filter((name) => "deny" in HOOK_CATALOG[name]);
    expect(denying).toHaveLength(9);
  });
});

describe("hookDefinitions", () => {
  it("derives what the engine needs from the catalog", () => {
    const { before_tool_call, tool_result_persist, agent_end, inbound_claim, before_agent_run } =
      hookDefinitions();
    expect(before_tool_call).toMatchObject({
      kind: "decide",
      failure: "closed",
      deadlineMs: 15_000,
      hasTool: true,
      isolate: { params: "copy", derivedPaths: "frozen", command: "frozen" },
      terminal: [{ field: "block", value: true }],
    });
    expect(tool_result_persist).not.toHaveProperty("deadlineMs");
    expect(tool_result_persist).toMatchObject({ kind: "sync", hasTool: true });
    expect(agent_end).not.toHaveProperty("validate");
    expect(inbound_claim).toMatchObject({ fields: ["handled", "reply"] });
    expect(before_agent_run).toMatchObject({ emptyResult: "validate" });
  });

  it("names the plugin and the kind of failure in a denial without the error's text", () => {
    const { before_tool_call } = hookDefinitions();
    const failure = { owner: "guard", code: "HOOK_TIMEOUT", message: "secret" };
    expect(before_tool_call.deny?.(failure as never)).toEqual({
      block: true,
      blockReason: 'plugin "guard" guards this step and did not answer in time',
    });
  });
});
