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

/** What the extension registers when the host found it somewhere. */
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

describe("the extension", () => {
  it("[APPR-036] reading a project runs without a question, on the path of every call", async () => {
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

  it("[APPR-037] a rule may ask for the sandbox: it writes the workspace, and nothing else", async () => {
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
    // Where no sandbox works the command is not run at all.
    if (made.isError) expect(made.text).toContain("it may run in the sandbox only");
    else expect(existsSync(join(host.workspaceDir, "made"))).toBe(true);
    await host.callTool("exec", { command: `touch ${outside}` });
    expect(existsSync(outside)).toBe(false);
    expect(host.questions).toEqual([]);
  });

  it("[APPR-036] whatever else a command does, a person is asked before it runs", async () => {
    const host = await hostWith();
    for (const command of ["touch made", "cat .env", "ls > made", "sudo ls", "rm -rf src"]) {
      expect((await host.callTool("exec", { command })).isError).toBe(true);
    }
    expect(host.questions).toHaveLength(5);
    expect((await host.callTool("exec", { command: "ls" })).text).not.toContain("made");
  });

  it("what was granted for longer is not asked about again, another command is", async () => {
    const host = await hostWith({}, "allow-always");
    for (const command of ["touch made", "touch made", "touch other", "touch made"]) {
      expect((await host.callTool("exec", { command })).isError).toBe(false);
    }
    expect(host.questions.map(({ params }) => params)).toEqual([
      { command: "touch made" },
      { command: "touch other" },
    ]);
  });

  it("[APPR-021] a grant covers a prefix, shown in the request, and what only the tables cover still runs as they want it", async () => {
    const host = await hostWith({}, "allow-always");
    await writeFile(
      join(host.workspaceDir, "package.json"),
      JSON.stringify({ scripts: { hello: "echo hello" } }),
    );
    const run = async (command: string) => (await host.callTool("exec", { command })).text;
    await run("npm run hello");
    expect(host.questions.map(({ grantPrefixes }) => grantPrefixes)).toEqual([["npm run hello"]]);
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

  it("[APPR-041] destructive commands are asked about as critical, and for once only", async () => {
    const host = await hostWith({ security: "full" }, "allow-always");
    const command = "git reset --hard";
    await host.callTool("exec", { command });
    await host.callTool("exec", { command });
    expect(host.questions).toEqual(
      Array(2).fill(
        expect.objectContaining({
          title: "Destructive command: git reset --hard",
          description: "git reset --hard: it loses commits or uncommitted work",
          severity: "critical",
        }),
      ),
    );
  });

  it.each<[string, ApprovalsConfig, Record<string, unknown>]>([
    ["tools.approval.exec: never", {}, { tools: { approval: { exec: "never" } } }],
    ["security: full", { security: "full", ask: "off" }, {}],
  ])(
    "[APPR-041][APPR-046] %s lets no destructive command run unasked",
    async (_, rules, config) => {
      const host = await hostWith(rules, "deny", config);
      expect((await host.callTool("exec", { command: "touch made" })).isError).toBe(false);
      expect((await host.callTool("exec", { command: "git push --force" })).isError).toBe(true);
      expect((await host.callTool("exec", { command: "crontab -r" })).isError).toBe(true);
      expect(host.questions.map(({ severity }) => severity)).toEqual(["critical", "critical"]);
    },
  );

  it("[APPR-046] in the sandbox, tools.approval.exec: never covers doubtful commands, and no rule that always asks", async () => {
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
    // A rule of safety, a destructive command and an always-ask rule still ask.
    await host.callTool("exec", { command: "diff <(sudo ls) .env" });
    await host.callTool("exec", { command: "bash <<END\ngit push --force\nEND\ngit push --force" });
    expect(host.questions).toHaveLength(2);
    const strict = await hostWith({ ask: "always" }, "deny", never);
    await strict.callTool("exec", { command: "ls" });
    await strict.callTool("exec", { command: "diff <(ls) <(ls)" });
    expect(strict.questions).toHaveLength(2);
  });

  it("[APPR-037] security: deny and ask: off refuse without a question", async () => {
    const closed = await hostWith({ security: "deny" });
    expect((await closed.callTool("exec", { command: "ls" })).text).toContain(
      "commands are not allowed here (security: deny)",
    );
    const silent = await hostWith({ ask: "off" });
    expect((await silent.callTool("exec", { command: "touch made" })).text).toContain(
      "touch made: no list names touch, and nobody is asked (ask: off)",
    );
    expect((await silent.callTool("exec", { command: "ls" })).isError).toBe(false);
    expect([...closed.questions, ...silent.questions]).toEqual([]);
  });

  it("[APPR-038] evaluates the arguments as the last handler leaves them", async () => {
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

  it("[APPR-038] parses nothing itself: without the host's tree it has no opinion", async () => {
    const [policy] = registered("bundled").policies;
    const event = {
      ...sampleEvent("before_tool_call"),
      toolName: "exec",
      params: { command: "ls" },
    };
    const context = { ...sampleContext("before_tool_call"), workspaceDir: "/" };
    expect(await policy?.evaluate(event as never, context as never)).toBeUndefined();
  });

  it("[APPR-036] registers a policy when it is bundled, else a handler that can only ask and refuse", async () => {
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
      requireApproval: { severity: "warning", allowedDecisions: ["allow-once", "deny"] },
    });
  });

  it("[APPR-037] with askFallback: allowlist a listed command runs when nobody answers in time", async () => {
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
  });

  it("knows how every program of its manifest reads", () => {
    const { properties } = manifest.configSchema;
    expect(properties.safeBins.items.enum).toEqual(LISTED_PROGRAMS);
  });
});
