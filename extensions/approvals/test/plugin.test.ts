import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { TrustedToolPolicy } from "@openclaw/plugin-sdk/approvals";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import {
  createTestHost,
  parseCommand,
  sampleContext,
  sampleEvent,
  type TestHost,
} from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin, { type ApprovalsConfig } from "../src/index.js";
import { LISTED_PROGRAMS } from "../src/reading/reading-program.js";

const FILES = { "README.md": "read me\n", "src/a.ts": "export {};\n", ".env": "A=1\n" };

async function hostWith(
  pluginConfig: ApprovalsConfig = {},
  answer: ApprovalDecision = "deny",
  config = {},
): Promise<TestHost> {
  const host = await createTestHost({
    plugin,
    manifest,
    pluginConfig,
    files: FILES,
    answer: () => answer,
    config,
  });
  onTestFinished(() => host.dispose());
  return host;
}

/** Returns the registrations of the extension for an origin. */
function registered(origin: OpenClawPluginApi["origin"]) {
  const policies: TrustedToolPolicy[] = [];
  const hooks: unknown[][] = [];
  const api = {
    origin,
    pluginConfig: {},
    registerTrustedToolPolicy: (policy: TrustedToolPolicy) => policies.push(policy),
    on: (...hook: unknown[]) => hooks.push(hook),
  };
  plugin.register(api as unknown as OpenClawPluginApi<ApprovalsConfig>);
  return { policies, hooks };
}

describe("approvals extension", () => {
  it("[APPR-036] runs commands that read the project without an approval request", async () => {
    const host = await hostWith();
    for (const command of [
      "ls",
      "cat README.md",
      "cd src && ls | wc -l",
      "grep -n export src/a.ts",
    ]) {
      const { text, isError } = await host.callTool("exec", { command });
      expect({ command, text, isError }).toEqual({
        command,
        text: expect.stringContaining("Exit code 0"),
        isError: false,
      });
    }
    expect(host.questions).toEqual([]);
  });

  it("[APPR-037] limits a command to the workspace when its rule requires the sandbox", async () => {
    const rules = [
      {
        prefix: ["touch"],
        decision: "allow",
        match: ["touch a"],
        sandbox: "workspace",
        note: "makes files",
      },
    ] as const;
    const host = await hostWith({ rules });
    const outside = join(tmpdir(), `outside-${randomUUID()}`);
    const made = await host.callTool("exec", { command: "touch made" });
    // Where no sandbox works, the command does not run.
    if (made.isError) expect(made.text).toContain("it may run in the sandbox only");
    else expect(existsSync(join(host.workspaceDir, "made"))).toBe(true);
    await host.callTool("exec", { command: `touch ${outside}` });
    expect(existsSync(outside)).toBe(false);
    expect(host.questions).toEqual([]);
  });

  it("[APPR-036] requires approval for every other command before it runs", async () => {
    const host = await hostWith();
    for (const command of ["touch made", "cat .env", "ls > made", "sudo ls", "rm -rf src"]) {
      expect((await host.callTool("exec", { command })).isError).toBe(true);
    }
    expect(host.questions).toHaveLength(5);
    expect((await host.callTool("exec", { command: "ls" })).text).not.toContain("made");
  });

  it("requests approval for a granted command only once", async () => {
    const host = await hostWith({}, "allow-always");
    for (const command of ["touch made", "touch made", "touch other", "touch made"]) {
      expect((await host.callTool("exec", { command })).isError).toBe(false);
    }
    expect(host.questions.map(({ params }) => params)).toEqual([
      { command: "touch made" },
      { command: "touch other" },
    ]);
  });

  it("[APPR-021] grants the prefix that the request shows, and keeps the restrictions of the tables for other programs", async () => {
    const host = await hostWith({}, "allow-always");
    await writeFile(
      join(host.workspaceDir, "package.json"),
      JSON.stringify({ scripts: { hello: "echo hello" } }),
    );
    const run = async (command: string) => (await host.callTool("exec", { command })).text;
    await run("npm run hello");
    expect(await run("npm run hello")).toContain("hello");
    expect(host.questions).toHaveLength(1);
    // Where no sandbox works, the exact command is granted.
    if (host.questions[0]?.grantPrefixes === undefined) return;
    expect(host.questions).toMatchObject([
      { grantPrefixes: ["npm run hello"], grantsInSandbox: true },
    ]);
    const text = await run("npm run hello -- there && grep -rn A=1 . ; ls");
    expect(text).toContain("hello there");
    expect(text).not.toContain(".env");
    await run("cd src && npm run hello");
    expect(host.questions).toHaveLength(1);
    await writeFile(
      join(host.workspaceDir, "package.json"),
      JSON.stringify({ scripts: { hello: "echo changed" } }),
    );
    await run("npm run hello");
    expect(host.questions).toHaveLength(2);
    await run("npm run hello && git push --force");
    expect(host.questions.map(({ severity }) => severity).at(-1)).toBe("critical");
  });

  it("[APPR-041] requires critical approval for destructive commands each time", async () => {
    const host = await hostWith({ security: "full" }, "allow-always");
    const command = "git reset --hard";
    await host.callTool("exec", { command });
    await host.callTool("exec", { command });
    expect(host.questions).toEqual(
      Array(2).fill(
        expect.objectContaining({
          title: "Destructive command: git reset --hard",
          description: "git reset --hard: it discards commits or uncommitted work",
          severity: "critical",
        }),
      ),
    );
  });

  it("[APPR-262] reads a variable of the call with its value, and calls a command with an unknown word unclear, not destructive", async () => {
    const host = await hostWith();
    const command = `find "$LOBSTER_ARG_FOLDER" -name '*.ts'`;
    const known = { command, env: { LOBSTER_ARG_FOLDER: "src" } };
    expect((await host.callTool("exec", known)).text).toContain("src/a.ts");
    expect(host.questions).toEqual([]);
    await host.callTool("exec", { command: 'rm -rf "$MY_DIR"', env: { MY_DIR: "/srv" } });
    await host.callTool("exec", { command: 'rm -rf "$MY_DIR"' });
    expect(host.questions.map(({ title, severity }) => [title, severity])).toEqual([
      ['Destructive command: rm -rf "$MY_DIR"', "critical"],
      ['Unclear command: rm -rf "$MY_DIR"', "critical"],
    ]);
    expect(host.questions[1]?.description).toContain("a word is known only when it runs");
  });

  it.each<[string, ApprovalsConfig, Record<string, unknown>]>([
    ["tools.approval.exec: never", {}, { tools: { approval: { exec: "never" } } }],
    ["security: full", { security: "full", ask: "off" }, {}],
  ])(
    "[APPR-041][APPR-046] requires approval for destructive commands with %s",
    async (_, rules, config) => {
      const host = await hostWith(rules, "deny", config);
      expect((await host.callTool("exec", { command: "touch made" })).isError).toBe(false);
      expect((await host.callTool("exec", { command: "git push --force" })).isError).toBe(true);
      expect((await host.callTool("exec", { command: "crontab -r" })).isError).toBe(true);
      expect(host.questions.map(({ severity }) => severity)).toEqual(["critical", "critical"]);
    },
  );

  it("[APPR-046] runs doubtful commands in the sandbox with tools.approval.exec: never, except those of always-ask rules", async () => {
    const never = { tools: { approval: { exec: "never" } } };
    const host = await hostWith({}, "deny", never);
    if (!(await host.callTool("exec", { command: "touch $HOME/made" })).text.includes("Exit"))
      return;
    const outside = `/tmp/doubtful-${randomUUID()}`;
    for (const [name, command] of [
      ["a", `echo x > ${outside} && touch a`],
      ["b", "bash <<END\ntouch b\nEND"],
      ["run", "echo 'touch c' > run"],
      ["c", "source ./run"],
      ["d", "diff <(echo 1) <(echo 1) && touch d"],
    ] as const) {
      const { text } = await host.callTool("exec", { command });
      const made = existsSync(join(host.workspaceDir, name));
      expect({ command, text, made }).toMatchObject({ command, made: true });
    }
    expect(existsSync(outside)).toBe(false);
    // A safety rule, a destructive command and an always-ask rule still need approval.
    await host.callTool("exec", { command: "diff <(sudo ls) .env" });
    await host.callTool("exec", { command: "bash <<END\ngit push --force\nEND\ngit push --force" });
    expect(host.questions).toHaveLength(2);
    const strict = await hostWith({ ask: "always" }, "deny", never);
    await strict.callTool("exec", { command: "ls" });
    await strict.callTool("exec", { command: "diff <(ls) <(ls)" });
    expect(strict.questions).toHaveLength(2);
  });

  it("[APPR-037] denies commands without an approval request for security: deny and ask: off", async () => {
    const closed = await hostWith({ security: "deny" });
    expect((await closed.callTool("exec", { command: "ls" })).text).toContain(
      "commands are not allowed here (security: deny)",
    );
    const silent = await hostWith({ ask: "off" });
    expect((await silent.callTool("exec", { command: "touch made" })).text).toContain(
      "touch made: no rule allows touch, and no approval is requested (ask: off)",
    );
    expect((await silent.callTool("exec", { command: "ls" })).isError).toBe(false);
    expect([...closed.questions, ...silent.questions]).toEqual([]);
  });

  it("[APPR-038] evaluates the arguments that the last handler returned", async () => {
    const rewriting = definePluginEntry({
      id: "rewriting",
      name: "Rewriting",
      description: "Rewrites commands.",
      register(api) {
        api.on("before_tool_call", ({ params }) =>
          params.command === "ls" ? { params: { command: "touch made" } } : undefined,
        );
      },
    });
    const host = await createTestHost({
      plugin,
      manifest,
      neighbours: [rewriting],
      files: FILES,
      answer: () => "deny",
    });
    onTestFinished(() => host.dispose());
    expect((await host.callTool("exec", { command: "ls" })).isError).toBe(true);
    expect(host.questions).toHaveLength(1);
    expect((await host.callTool("exec", { command: "ls -a" })).text).not.toContain("made");
  });

  it("[APPR-038] does not decide without the command parsed by the host", async () => {
    const [policy] = registered("bundled").policies;
    const event = {
      ...sampleEvent("before_tool_call"),
      toolName: "exec",
      params: { command: "ls" },
    };
    const context = { ...sampleContext("before_tool_call"), workspaceDir: "/" };
    expect(await policy?.evaluate(event as never, context as never)).toBeUndefined();
  });

  it("[APPR-036] registers a policy when it is bundled, otherwise a handler that can only deny or request approval", async () => {
    const bundled = registered("bundled");
    expect(bundled.policies).toMatchObject([{ id: "commands", matcher: "exec" }]);
    expect(bundled.hooks).toEqual([]);
    for (const origin of ["workspace", "global", "config"] as const) {
      const { policies, hooks } = registered(origin);
      expect(policies).toEqual([]);
      expect(hooks).toMatchObject([
        [
          "before_tool_call",
          expect.any(Function),
          { priority: 1000, scope: { toolNames: ["exec"] } },
        ],
      ]);
    }
    const [hook] = registered("global").hooks;
    const evaluate = hook?.[1] as (event: unknown, context: unknown) => Promise<unknown>;
    const answer = async (command: string) =>
      evaluate(
        { params: { command }, command: await parseCommand(command) },
        { workspaceDir: "/" },
      );
    expect(await answer("pwd")).toBeUndefined();
    expect(await answer("sudo ls")).toMatchObject({
      requireApproval: {
        rule: { id: "doubt:elevated" },
        severity: "warning",
        allowedDecisions: ["allow-once", "deny"],
      },
    });
  });

  it("[APPR-037] allows a listed command on timeout with askFallback: allowlist", async () => {
    const [ask, unlisted] = await Promise.all(
      ["ls", "touch made"].map(async (command) => {
        const host = await hostWith({ ask: "always", askFallback: "allowlist" });
        const event = {
          ...sampleEvent("before_tool_call"),
          toolName: "exec",
          params: { command },
          command: await parseCommand(command),
        };
        return host.fire("before_tool_call", event, { workspaceDir: host.workspaceDir });
      }),
    );
    expect(ask).toMatchObject({ requireApproval: { timeoutBehavior: "allow" } });
    expect(unlisted).toMatchObject({ requireApproval: { timeoutBehavior: "deny" } });
    expect(ask?.requireApproval?.rule).toEqual({ id: "ask", configPath: ["ask"] });
  });

  it("has a table for every program in its manifest", () => {
    const { properties } = manifest.configSchema;
    expect(properties.safeBins.items.enum).toEqual(LISTED_PROGRAMS);
  });
});
