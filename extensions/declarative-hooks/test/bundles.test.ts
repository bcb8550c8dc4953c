import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonValue, ToolResult } from "@openclaw/plugin-sdk/tools";
import type { TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readAnswer, readExit } from "../src/bundles/answer.js";
import { fitsRule } from "../src/bundles/matching.js";
import { responseOf } from "../src/bundles/tool-response.js";
import { hostWith } from "./support/host.js";

// Programs take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

type Handlers = Readonly<Record<string, readonly object[]>>;

/** Tools of a server that answers as a hook does. */
const AUDIT_TOOLS = `
const tool = (name) => ({
  name, label: name, description: name, parameters: { type: "object" },
  execute: async (_id, { path, all }) => {
    const decision = { decision: "block", reason: "not " + path + " " + JSON.stringify(all) };
    const text = path === "ok" ? "{}" : JSON.stringify(path === "" ? {} : decision);
    return { content: [{ type: "text", text }] };
  },
});
export default {
  id: "audit",
  register(api) {
    for (const name of ["audit__check", "audit__forbidden"]) api.registerTool(tool(name));
  },
};
`;

function bundle(hooks: Handlers, scripts: Readonly<Record<string, string>> = {}): string {
  return writeFolder({
    ".claude-plugin/plugin.json": JSON.stringify({ name: "guard" }),
    "hooks/hooks.json": JSON.stringify({ hooks }),
    ...scripts,
  });
}

function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bundle-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function bundleHost(
  hooks: Handlers,
  options: Parameters<typeof hostWith>[1] & { readonly scripts?: Record<string, string> } = {},
) {
  const { scripts, ...rest } = options;
  const folder = bundle(hooks, scripts);
  const config = { plugins: { load: { paths: [folder] } } };
  const opened = await hostWith({}, { config, ...rest });
  return { ...opened, folder };
}

const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const group = (handler: object, matcher?: string) => ({
  hooks: [handler],
  ...(matcher === undefined ? {} : { matcher }),
});
const print = (answer: object) => `cat > /dev/null; printf '%s' '${JSON.stringify(answer)}'`;
const decide = (fields: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
});

const textAnd = (text: string, details: Record<string, JsonValue>): ToolResult => ({
  ...{ content: [{ type: "text", text }], details },
});

const call = (host: TestHost, toolName: string, params: Record<string, unknown>) =>
  host.fire(
    "before_tool_call",
    { toolName, params, toolCallId: "c1" },
    { sessionId: "s1", workspaceDir: host.workspaceDir },
  );

describe("answers of handlers of bundles", () => {
  const exit = (code: number, stdout = "", stderr = "") =>
    readExit("PreToolUse", { code, stdout, stderr });

  it("[EXT-542] reads exit codes and the documented JSON; what cannot be read is a failure", () => {
    expect(exit(0)).toEqual({ action: "continue" });
    expect(exit(0, "note")).toEqual({ action: "continue" });
    expect(exit(2, "", "no")).toEqual({ action: "block", reason: "no" });
    for (const failed of [exit(1), exit(3, "", "x"), exit(127), exit(0, '{"decision"')]) {
      expect(failed).toHaveProperty("problem");
    }
    const read = (value: object) => readAnswer("PreToolUse", JSON.stringify(value));
    expect(read({ decision: "block", reason: "r" })).toEqual({ action: "block", reason: "r" });
    expect(read({ continue: false, stopReason: "s" })).toEqual({ action: "block", reason: "s" });
    expect(read({ systemMessage: "m", ...decide({ permissionDecision: "deny" }) })).toEqual({
      ...{ action: "block", reason: "m" },
    });
    expect(read({ decision: "approve" })).toEqual({ action: "continue" });
    expect(read(decide({ permissionDecision: "allow" }))).toEqual({ action: "continue" });
    expect(read(decide({ permissionDecision: "deny", permissionDecisionReason: "d" }))).toEqual({
      ...{ action: "block", reason: "d" },
    });
    expect(
      read(decide({ permissionDecision: "ask", permissionDecisionReason: "a", updatedInput: {} })),
    ).toEqual({ action: "ask", reason: "a", params: {} });
    expect(read(decide({ updatedInput: { command: "x" }, additionalContext: "c" }))).toEqual({
      ...{ action: "modify", params: { command: "x" }, context: "c" },
    });
    for (const wrong of [
      { decision: "maybe" },
      { hookSpecificOutput: 1 },
      { hookSpecificOutput: { hookEventName: "Stop" } },
      decide({ permissionDecision: "yes" }),
      decide({ updatedInput: [] }),
    ]) {
      expect(read(wrong)).toHaveProperty("problem");
    }
    expect(readAnswer("SessionStart", "context")).toEqual({
      ...{ action: "continue", context: "context" },
    });
    expect(readAnswer("Stop", '{"decision":"block","reason":"more"}')).toMatchObject({
      action: "block",
    });
  });

  it("[EXT-541] are told the results of tools in the fields of Claude Code", () => {
    const told = (
      tool: string,
      input: Record<string, unknown>,
      details: Record<string, JsonValue>,
      text = "",
      isError = false,
    ) => responseOf({ tool, aliases: [], input }, textAnd(text, details), isError);
    const bash = (details: Record<string, JsonValue>) => told("Bash", { command: "x" }, details);
    const output = { stderr: "", interrupted: false, isImage: false };
    expect(bash({ output: "a\n", exitCode: 0 })).toEqual({
      tool_response: { stdout: "a", ...output },
    });
    expect(bash({ processId: "p1" })).toEqual({
      tool_response: { stdout: "", ...output, backgroundTaskId: "p1" },
    });
    expect(bash({ output: "no\n", exitCode: 3 })).toEqual({
      ...{ error: "Exit code 3\nno", is_interrupt: false },
    });
    expect(bash({ output: "", exitCode: null })).toHaveProperty("error", "Exit code null");
    expect(told("Read", {}, {}, "gone", true)).toEqual({ error: "gone", is_interrupt: false });
    const path = "/w/a";
    expect(told("Write", { content: "x" }, { path, bytes: 1, created: false })).toEqual({
      tool_response: { type: "update", filePath: path, content: "x", userModified: false },
    });
    expect(
      told("Edit", { old_string: "a", new_string: "b" }, { path, replacements: 1 }),
    ).toMatchObject({ tool_response: { filePath: path, oldString: "a", replaceAll: false } });
    const file = { filePath: path, content: "a\nb", numLines: 2, startLine: 5 };
    const part = { path, firstLine: 5, lastLine: 6 };
    expect(told("Read", {}, { ...part, reachedEnd: true }, "a\nb")).toEqual({
      tool_response: { type: "text", file: { ...file, totalLines: 6 } },
    });
    expect(told("Read", {}, { ...part, reachedEnd: false }, "a\nb")).toEqual({
      tool_response: { type: "text", file },
    });
    expect(told("Grep", {}, { matches: 1 })).toEqual({ tool_response: { matches: 1 } });
  });

  it.each([
    ["Bash(git commit:*)", { command: "cd a && git commit -m x" }, true],
    ["Bash(git commit:*)", { command: "git committed" }, false],
    ["Bash", { command: "ls" }, true],
    ["Read(*.md)", { file_path: "/a/b.md" }, false],
    ["(((", { command: "ls" }, true],
  ])("[EXT-543] the condition %s on a call with %j", (rule, input, expected) => {
    expect(fitsRule(rule, ["Bash"], input)).toBe(expected);
  });
});

describe("hooks of bundles", () => {
  it("[EXT-541] receive the documented input, with tools and fields as in Claude Code", async () => {
    const { host } = await bundleHost({
      PreToolUse: [group(command('cat > "$CLAUDE_PROJECT_DIR/in.json"'), "Read")],
      PostToolUse: [group(command("exit 2"), "Nothing")],
    });
    await call(host, "read", { path: "a.txt", limit: 3 });
    expect(JSON.parse(readFileSync(join(host.workspaceDir, "in.json"), "utf8"))).toEqual({
      ...{ session_id: "s1", transcript_path: "", cwd: host.workspaceDir },
      ...{ permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Read" },
      ...{ tool_input: { file_path: join(host.workspaceDir, "a.txt"), limit: 3 } },
      ...{ tool_use_id: "c1", prompt_id: "run-1" },
    });
    await call(host, "files__open", {});
    await call(host, "write", { path: "b.txt", content: "" });
  });

  it("[EXT-542] deny before they ask, ask before they allow, and an allow widens nothing", async () => {
    const { host, set } = await bundleHost({
      PreToolUse: [
        group(command(print(decide({ permissionDecision: "allow" })))),
        group(
          command(print(decide({ permissionDecision: "ask", permissionDecisionReason: "Sure?" }))),
          "Bash|Write",
        ),
        group(command("echo 'not here' >&2; exit 2"), "^Wri"),
        group(command(print(decide({ updatedInput: { file_path: "/other" } }))), "Read"),
      ],
    });
    expect(await call(host, "exec", { command: "ls" })).toEqual({
      requireApproval: expect.objectContaining({ title: "Allow Bash?", description: "Sure?" }),
    });
    expect(await call(host, "write", { path: "a", content: "" })).toMatchObject({
      block: true,
      blockReason: expect.stringContaining("not here"),
    });
    expect(await call(host, "read", { path: "a" })).toEqual({ params: { path: "/other" } });
    expect(await call(host, "list", {})).toBeUndefined();
    expect((await set.list()).hooks).toMatchObject([
      { name: "plugin/guard::PreToolUse-1", action: "bundle", points: ["PreToolUse"] },
      { name: "plugin/guard::PreToolUse-2" },
      { name: "plugin/guard::PreToolUse-3" },
      { name: "plugin/guard::PreToolUse-4" },
    ]);
  });

  it.each([
    ["hangs", command("sleep 30", { timeout: 0.2 }), undefined],
    ["prints without end", command("yes"), undefined],
    ["ends with 1", command("exit 1"), undefined],
    ["ends with 3", command("exit 3"), undefined],
    ["is ended by a signal", command("kill -9 $$"), undefined],
    ["does not exist", command("/nowhere/at/all"), undefined],
    ["answers half of an object", command("printf '{'"), undefined],
    ["has a matcher that is no expression", command("exit 2"), "(("],
    ["has a URL that is not allowed", { type: "http", url: "http://127.0.0.1:9/x" }, undefined],
  ])(
    "[EXT-542] [EXT-543] a call is denied by a handler that %s",
    async (_what, handler, matcher) => {
      const { host } = await bundleHost({ PreToolUse: [group(handler, matcher)] });
      expect(await call(host, "list", {})).toMatchObject({ block: true });
    },
  );

  it("[EXT-540] add context to prompts, to results and to the first turn, and run once with once", async () => {
    const { host } = await bundleHost(
      {
        SessionStart: [
          group(command("echo from the start"), "startup"),
          group(command("echo from a resume"), "resume"),
        ],
        UserPromptSubmit: [
          group(command(`echo 'with each message'`)),
          group(command("echo 'only at first'", { once: true })),
        ],
        PostToolUse: [group(command("echo 'look twice' >&2; exit 2"), "LS")],
      },
      {
        model: [
          { toolCalls: [{ toolName: "list", params: {} }] },
          { text: "Listed." },
          { text: "Again." },
        ],
      },
    );
    await host.turn("first");
    const [first, second] = host.modelRequests.map(({ prompt }) => JSON.stringify(prompt));
    expect(first).toContain("from the start");
    expect(first).toContain("with each message");
    expect(first).toContain("only at first");
    expect(first).not.toContain("from a resume");
    expect(second).toContain("Note of a hook: look twice");
    await host.turn("second");
    const last = JSON.stringify(host.modelRequests.at(-1)?.prompt.at(-1));
    expect(last).toContain("with each message");
    expect(last).not.toContain("only at first");
  });

  it("[EXT-540] stop a message, and send a reply back with their reason", async () => {
    const { host } = await bundleHost(
      {
        UserPromptSubmit: [
          group(command(`grep -q secret && { echo 'no secrets' >&2; exit 2; }; exit 0`)),
        ],
        Stop: [
          group(
            command(`grep -q '"stop_hook_active":true' || { echo 'write tests' >&2; exit 2; }`),
          ),
        ],
      },
      { model: [{ text: "Half." }, { text: "Whole." }] },
    );
    expect((await host.turn("a secret")).text).toContain("no secrets");
    expect(host.modelRequests).toHaveLength(0);
    expect((await host.turn("go")).text).toContain("Whole.");
    expect(JSON.stringify(host.modelRequests[1]?.prompt)).toContain("write tests");
  });

  it("[EXT-540] ask a server and a model, which deny as programs do", async () => {
    const bodies: unknown[] = [];
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      bodies.push([request.headers["x-key"], JSON.parse(Buffer.concat(chunks).toString())]);
      response.end(JSON.stringify(decide({ permissionDecision: "deny" })));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    vi.stubEnv("HOOK_KEY", "k1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/hook`;
    const headers = { "X-Key": "$HOOK_KEY$HOME" };
    const folder = bundle({
      PreToolUse: [
        group({ type: "http", url, headers, allowedEnvVars: ["HOOK_KEY"] }, "LS"),
        group({ type: "prompt", prompt: "Is it fine? $ARGUMENTS" }, "Read"),
      ],
    });
    const { host } = await hostWith(
      {},
      {
        config: {
          plugins: { load: { paths: [folder] } },
          tools: { http: { allowHosts: [`127.0.0.1:${port}`] } },
        },
        model: [{ text: '{"ok": false, "reason": "not fine"}' }, { text: "What?" }],
      },
    );
    expect(await call(host, "list", {})).toMatchObject({ block: true });
    expect(bodies).toEqual([["k1", expect.objectContaining({ tool_name: "LS" })]]);
    expect(await call(host, "read", { path: "a" })).toMatchObject({
      ...{ block: true, blockReason: expect.stringContaining("not fine") },
    });
    expect(JSON.stringify(host.modelRequests[0]?.prompt)).toContain("Is it fine?");
    expect(await call(host, "read", { path: "a" })).toMatchObject({ block: true });
  });

  it("[EXT-559] call a tool, whose answer counts, under the policy of the host", async () => {
    const field = (name: string) => `\${tool_input.${name}}`;
    const guard = (tool: string) => ({ type: "mcp_tool", server: "audit", tool });
    const folder = bundle({
      PreToolUse: [
        group(
          { ...guard("check"), input: { path: field("file_path"), all: [field("none")] } },
          "Read",
        ),
        group(guard("gone"), "LS"),
        group(guard("forbidden"), "Write"),
        group(command("touch $CLAUDE_PROJECT_DIR/nested"), "mcp__.*"),
      ],
    });
    const tools = writeFolder({
      "openclaw.plugin.json": JSON.stringify({
        ...{
          id: "audit",
          entry: "index.mjs",
          contracts: { tools: ["audit__check", "audit__forbidden"] },
        },
      }),
      "index.mjs": AUDIT_TOOLS,
    });
    const { host } = await hostWith(
      {},
      {
        config: {
          plugins: { load: { paths: [folder, tools] } },
          tools: { deny: ["audit__forbidden"] },
        },
        model: [
          { toolCalls: [{ toolName: "read", params: { path: "a.txt" } }] },
          { toolCalls: [{ toolName: "list", params: {} }] },
          { toolCalls: [{ toolName: "write", params: { path: "b.txt", content: "" } }] },
          { toolCalls: [{ toolName: "audit__check", params: { path: "ok", all: [] } }] },
          { text: "Done." },
        ],
      },
    );
    await host.turn("look");
    const results = host.modelRequests.slice(1).map(({ prompt }) => JSON.stringify(prompt.at(-1)));
    expect(results[0]).toContain(`not ${join(host.workspaceDir, "a.txt")} [`);
    expect(results[1]).toContain("guards this step and failed");
    expect(results[2]).toContain("guards this step and failed");
    expect(results[3]).toContain("{}");
    // The hook of the tool's own name ran for the call of the model alone.
    expect(readdirSync(host.workspaceDir)).toEqual(["nested"]);
    // An event outside a turn has no sender whose rights the call could have.
    expect(await call(host, "read", { path: "a" })).toMatchObject({ block: true });
  });

  it("[EXT-559] run an agent, in whose session no hooks of bundles run", async () => {
    const verdict = { type: "agent", prompt: "Is the work complete? $ARGUMENTS" };
    const { host } = await bundleHost(
      {
        Stop: [group(verdict), group(command("touch $CLAUDE_PROJECT_DIR/ran-$$"))],
        UserPromptSubmit: [group(command("grep -q 'work complete' && exit 2; exit 0"))],
      },
      {
        model: [
          { text: "Half." },
          { text: '{"ok": false, "reason": "tests are missing"}' },
          { text: "Whole." },
          { text: '{"ok": true}' },
        ],
      },
    );
    expect((await host.turn("go")).text).toContain("Whole.");
    const asked = host.modelRequests.map(({ prompt }) => JSON.stringify(prompt));
    expect(asked).toHaveLength(4);
    expect(asked[1]).toContain("last_assistant_message");
    expect(asked[2]).toContain("tests are missing");
    const sessions = readdirSync(host.workspaceDir).filter((name) => name.startsWith("ran-"));
    expect(sessions).toHaveLength(2);
  });

  it("[EXT-540] are not waited for with async, and their answer is for the next turn", async () => {
    const { host } = await bundleHost(
      {
        Stop: [
          group(
            command(
              'until [ -e "$CLAUDE_PROJECT_DIR/go" ]; do sleep 0.05; done; echo late >&2; exit 2',
              {
                asyncRewake: true,
              },
            ),
          ),
        ],
      },
      {
        model: Array.from({ length: 50 }, (_each, index) => ({
          text: index === 0 ? "One." : "More.",
        })),
      },
    );
    expect((await host.turn("first")).text).toContain("One.");
    writeFileSync(join(host.workspaceDir, "go"), "");
    await vi.waitFor(
      async () => {
        const { hooks } = await setOfHost(host);
        expect(hooks[0]?.counts.blocked).toBe(1);
      },
      { timeout: 40_000, interval: 20 },
    );
    await vi.waitFor(
      async () => {
        await host.turn("next");
        expect(JSON.stringify(host.modelRequests.map(({ prompt }) => prompt))).toContain("late");
      },
      { timeout: 40_000, interval: 20 },
    );
  });
});

async function setOfHost(host: TestHost) {
  const [registration] = host.registrations.hookSets;
  if (registration === undefined) throw new Error("the plugin registered no hooks");
  return await registration.set.list();
}
