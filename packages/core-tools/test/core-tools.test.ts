import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { Check } from "typebox/value";
import { afterAll, describe, expect, it } from "vitest";
import { createCoreTools } from "../src/core-tools.js";
import { CoreToolOptionsError, ToolRefusalError } from "../src/errors.js";
import { callTool, refusalOf, toolsOf } from "./support/call-tool.js";

const FOLDERS = { workspaceDir: "/workspace", stateDir: "/state", environment: {} };

describe("core tools", async () => {
  const store = await openStore({ file: ":memory:" });
  afterAll(() => store.close());
  const tools = toolsOf(
    createCoreTools({ ...FOLDERS, store, sendToSession: async () => undefined }),
  );

  it("have a fixed order", () => {
    expect(tools.map((tool) => tool.name)).toEqual([
      "read",
      "list",
      "grep",
      "write",
      "edit",
      "apply_patch",
      "exec",
      "process",
      "http",
      "web_fetch",
      "sessions_list",
      "sessions_history",
      "session_status",
      "sessions_send",
      "time",
      "json",
      "echo",
    ]);
  });

  it("[APPR-005] [TURN-059] [TURN-061] [TURN-062] [TURN-064] [TURN-065] require approval when they change something", () => {
    const asking = tools.filter(({ approval }) => approval === "unless-granted");
    expect(asking.map(({ name }) => name)).toEqual(["sessions_send"]);
    const deciding = tools.filter(({ approval }) => typeof approval === "function");
    expect(deciding.map(({ name }) => name)).toEqual([
      ...["read", "list", "grep", "write", "edit", "apply_patch", "exec", "http", "web_fetch"],
    ]);
  });

  it("run in parallel, and again after a crash, only if they change nothing", () => {
    const changing = tools.filter(({ parallelSafe }) => parallelSafe !== true);
    expect(changing.map(({ name }) => name)).toEqual([
      "write",
      "edit",
      "apply_patch",
      "exec",
      "process",
      "http",
      "sessions_send",
    ]);
    for (const { name, parallelSafe, idempotent } of tools) {
      expect(idempotent, name).toBe(parallelSafe);
    }
  });

  it.each([
    ["read", { path: "a" }],
    ["list", {}],
    ["write", { path: "a", content: "" }],
    ["edit", { path: "a", old_string: "x", new_string: "" }],
    ["exec", { command: "true" }],
    ["web_fetch", { url: "https://example.com" }],
    ["grep", { pattern: "a" }],
    ["process", { action: "list" }],
    ["http", { method: "GET", url: "https://example.com" }],
    ["sessions_list", {}],
    ["sessions_history", { sessionKey: "agent:main:main" }],
    ["session_status", {}],
    ["sessions_send", { sessionKey: "agent:main:main", text: "hi" }],
    ["time", { operation: "now" }],
    ["json", { operation: "parse", data: "{}" }],
    ["echo", { message: "" }],
  ])("%s accepts its parameters and rejects an unknown one", (name, params) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    expect(Check(tool.parameters, params)).toBe(true);
    expect(Check(tool.parameters, { ...params, surprise: 1 })).toBe(false);
    for (const required of Object.keys(params)) {
      const others = Object.entries(params).filter(([key]) => key !== required);
      expect(Check(tool.parameters, Object.fromEntries(others))).toBe(false);
    }
  });

  it("describe themselves and every parameter in plain JSON Schema", () => {
    for (const tool of tools) {
      expect(tool.description.length, tool.name).toBeGreaterThan(20);
      const schema = JSON.parse(JSON.stringify(tool.parameters));
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      for (const [name, property] of Object.entries<Record<string, unknown>>(schema.properties)) {
        expect(property.description, `${tool.name}.${name}`).toEqual(expect.any(String));
      }
    }
  });
});

describe("core tool options", () => {
  it.each([
    ["workspaceDir", { workspaceDir: "relative" }],
    ["allowHosts", { allowHosts: ["localhost"] }],
    ["passEnvironment", { passEnvironment: ["OPENAI_API_KEY"] }],
  ])("are rejected with their name: %s", (option, options) => {
    expect(() => createCoreTools({ ...FOLDERS, ...options })).toThrow(
      expect.objectContaining({ name: "CoreToolOptionsError", option }),
    );
  });

  it("accept the one open folder of the state folder for an installed service", async () => {
    const tree = await temporaryWorkspace();
    const workspaceDir = await tree.folder("state/workspace");
    await tree.file("state/openclaw.db", "secret");
    const { stateDir } = tree;
    const options = { workspaceDir, stateDir, stateWorkspaceDir: workspaceDir };
    const tools = createCoreTools({ ...options, environment: { PATH: process.env.PATH } });

    await callTool(tools, "write", { path: "notes.md", content: "hello" });
    const read = await callTool(tools, "read", { path: join(workspaceDir, "notes.md") });
    expect(read.content).toEqual([{ type: "text", text: "hello" }]);
    const run = await callTool(tools, "exec", { command: `cat ${workspaceDir}/notes.md` });
    expect(run.details).toMatchObject({ output: "hello" });

    const closed = "../openclaw.db";
    for (const [name, params] of [
      ["read", { path: closed }],
      ["list", { path: ".." }],
      ["write", { path: closed, content: "" }],
      ["edit", { path: closed, old_string: "s", new_string: "" }],
      ["exec", { command: `cat ${closed}` }],
      ["exec", { command: "cat openclaw.db", workdir: ".." }],
    ] as const) {
      refusalOf(await callTool(tools, name, params), "outside-workspace");
    }
  });
});

it("have errors with stable codes and clear messages", () => {
  const refusal = new ToolRefusalError("not-found", "there is none");
  expect(refusal).toMatchObject({ code: "TOOL_REFUSAL", reason: "not-found" });
  expect(ToolRefusalError.isInstance(refusal)).toBe(true);
  const options = new CoreToolOptionsError("roots", "is empty");
  expect(options).toMatchObject({ code: "CORE_TOOL_OPTIONS", option: "roots" });
  expect(options.message).toBe("core tools: option roots is empty");
  expect(CoreToolOptionsError.isInstance(refusal)).toBe(false);
});
