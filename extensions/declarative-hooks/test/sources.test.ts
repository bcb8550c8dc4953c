import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleEvent, type TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HookState } from "../src/sources/state.js";
import { readWorkspace } from "../src/sources/workspace.js";
import { hostWith, inbound } from "./support/host.js";

// A watcher of files reports later on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const SOON = { timeout: 40_000, interval: 20 };

const rule = (text: string, fields: object = {}) => ({
  ...{ name: "mark", points: ["beforeInbound"], append: text },
  ...fields,
});
const program = (command: string) => ({
  hooks: [{ name: "run", points: ["beforeInbound"], action: { type: "shell", command } }],
});

function write(host: TestHost, file: string, value: unknown): void {
  mkdirSync(join(host.workspaceDir, "hooks"), { recursive: true });
  writeFileSync(
    join(host.workspaceDir, file),
    typeof value === "string" ? value : JSON.stringify(value),
  );
}

const contentOf = async (host: TestHost) =>
  (await host.fire("message_receiving", inbound("x")))?.content;

/** A promise that a test fulfils. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("sources", () => {
  it("[DHOOK-014] are the configuration and the files of the workspace, named by source", async () => {
    const { set } = await hostWith(
      { rules: [rule("1")] },
      {
        files: {
          "hooks/hooks.json": JSON.stringify({
            rules: [rule("2")],
            outbound_webhooks: [],
            hooks: [],
          }),
          "hooks/more.hook.json": JSON.stringify([rule("3")]),
          "audit.hook.json": JSON.stringify([rule("4")]),
          "hooks/other.json": JSON.stringify([rule("5")]),
          "deep/er.hook.json": JSON.stringify([rule("6")]),
        },
      },
    );
    expect((await set.list()).hooks.map(({ name }) => name)).toEqual([
      ...[
        "config::mark",
        "audit.hook.json::mark",
        "hooks/hooks.json::mark",
        "hooks/more.hook.json::mark",
      ],
    ]);
  });

  it("[DHOOK-009] a later definition with the same name replaces the earlier one, at its points", async () => {
    const { host, set } = await hostWith({
      rules: [
        rule("old", { points: ["beforeInbound", "beforeOutbound"] }),
        rule("new", { points: ["beforeInbound"] }),
      ],
    });
    expect(await contentOf(host)).toBe("xnew");
    expect(
      await host.fire("message_sending", sampleEvent("message_sending", { content: "y" })),
    ).toEqual({
      content: "yold",
    });
    expect((await set.list()).hooks.map(({ points }) => points)).toEqual([
      ["beforeOutbound"],
      ["beforeInbound"],
    ]);
  });

  it("[DHOOK-014] programs of a file run once its content is approved, and its last approved version stays in force", async () => {
    const files = { "hooks/hooks.json": JSON.stringify(program("echo one")) };
    const { host, set } = await hostWith({}, { files });
    expect(await contentOf(host)).toBeUndefined();
    const { hooks, problems } = await set.list();
    expect(hooks).toMatchObject([{ name: "hooks/hooks.json::run", state: "unapproved" }]);
    expect(problems[0]?.message).toContain("openclaw hooks approve hooks/hooks.json");
    expect(await set.test("run", {})).toMatchObject({ outcome: "error" });

    const asked = await set.approve("hooks/hooks.json");
    expect(asked).toMatchObject({ commands: ["echo one"], approved: false });
    expect(await set.approve("hooks/hooks.json", "0".repeat(64))).toMatchObject({
      approved: false,
    });
    expect(await contentOf(host)).toBeUndefined();
    expect(await set.approve("hooks/hooks.json", asked?.hash)).toMatchObject({ approved: true });
    expect(await contentOf(host)).toBe("one");

    write(host, "hooks/hooks.json", program("echo two"));
    await vi.waitFor(
      async () => expect((await set.list()).problems[0]?.message).toContain("still used"),
      SOON,
    );
    expect(await contentOf(host)).toBe("one");
    const next = await set.approve("hooks/hooks.json");
    expect(await set.approve("hooks/hooks.json", next?.hash)).toMatchObject({ approved: true });
    expect(await contentOf(host)).toBe("two");
    expect(await set.approve("hooks/none.hook.json")).toBeUndefined();
    expect(await set.approve("../../etc/passwd")).toBeUndefined();
  });
});

describe("programs without an approval", () => {
  const touching = (point: string, fields: object = {}) => ({
    ...{ name: point, points: [point], action: { type: "shell", command: "touch ran" } },
    ...fields,
  });

  it("[DHOOK-049] stop the events of gates, run nothing, and let other events pass", async () => {
    const hooks = [
      touching("beforeToolCall", { filter: { tool: "echo" } }),
      touching("beforeInbound", { filter: { sender: "ada" } }),
      { ...touching("beforeInbound", { mode: "closed", filter: { sender: "bob" } }), name: "bob" },
      touching("beforeOutbound", { mode: "closed" }),
      touching("transformResponse", { mode: "closed" }),
      { ...touching("onSessionStart", { mode: "closed" }), name: "start" },
      { ...touching("beforeToolCall", { mode: "open" }), name: "open" },
      { ...touching("beforeToolCall", { enabled: false }), name: "off" },
    ];
    const files = { "hooks/gates.hook.json": JSON.stringify({ hooks }) };
    const { host, set } = await hostWith({}, { files, model: [{ text: "hello" }] });
    const { hooks: listed, problems } = await set.list();
    expect(listed.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 7 }, () => "unapproved"),
      "disabled",
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      'its programs are not approved; until then "hooks/gates.hook.json::beforeToolCall", "hooks/gates.hook.json::bob", "hooks/gates.hook.json::beforeOutbound", "hooks/gates.hook.json::transformResponse" stop the events that they decide about; run "openclaw hooks approve hooks/gates.hook.json"',
    ]);
    const denied = await host.callTool("echo", { message: "x" });
    expect(denied.isError).toBe(true);
    expect(denied.text).toContain(
      'its program is not approved; run "openclaw hooks approve hooks/gates.hook.json"',
    );
    expect((await host.callTool("time", { operation: "now" })).isError).toBe(false);
    expect(await contentOf(host)).toBeUndefined();
    const stopped = await host.fire("message_receiving", inbound("x", "bob"));
    expect(stopped).toMatchObject({ cancel: true });
    expect(JSON.stringify(stopped)).not.toContain("gates.hook.json");
    await host.turn("hi");
    expect(host.sent).toEqual([]);
    expect(existsSync(join(host.workspaceDir, "ran"))).toBe(false);
    expect((await set.show("hooks/gates.hook.json::beforeToolCall"))?.counts.blocked).toBe(1);

    const asked = await set.approve("hooks/gates.hook.json");
    await set.approve("hooks/gates.hook.json", asked?.hash);
    expect((await host.callTool("echo", { message: "x" })).isError).toBe(false);
    expect(existsSync(join(host.workspaceDir, "ran"))).toBe(true);
  });

  it("[DHOOK-049] of a gate that the operator disables let events pass", async () => {
    const files = { "gate.hook.json": JSON.stringify({ hooks: [touching("beforeToolCall")] }) };
    const { host, set } = await hostWith({}, { files });
    expect((await host.callTool("echo", { message: "x" })).isError).toBe(true);
    await set.setEnabled("beforeToolCall", false);
    expect((await host.callTool("echo", { message: "x" })).isError).toBe(false);
    expect(existsSync(join(host.workspaceDir, "ran"))).toBe(false);
  });
});

describe("reload", () => {
  it("[DHOOK-015] takes changed files without a restart, keeps the last good set of an invalid file, and reports it", async () => {
    const { host, set } = await hostWith(
      {},
      { files: { "hooks/hooks.json": JSON.stringify([rule("1")]) } },
    );
    expect(await contentOf(host)).toBe("x1");
    write(host, "hooks/hooks.json", [rule("2")]);
    await vi.waitFor(async () => expect(await contentOf(host)).toBe("x2"), SOON);
    for (const broken of [
      "{ half",
      [rule("3", { when: "(a" })],
      [rule("3", { points: ["nowhere"] })],
    ]) {
      write(host, "hooks/hooks.json", broken);
      await vi.waitFor(async () => {
        const { problems } = await set.list();
        expect(problems).toMatchObject([{ source: join(host.workspaceDir, "hooks/hooks.json") }]);
        expect(problems[0]?.message).toContain("The last version in force is still used");
      }, SOON);
      expect(await contentOf(host)).toBe("x2");
      write(host, "hooks/hooks.json", [rule("2")]);
      await vi.waitFor(async () => expect((await set.list()).problems).toEqual([]), SOON);
    }
    write(host, "new.hook.json", [rule("n", { name: "new" })]);
    await vi.waitFor(async () => expect((await set.list()).hooks).toHaveLength(2), SOON);
    rmSync(join(host.workspaceDir, "hooks/hooks.json"));
    await vi.waitFor(async () => expect(await contentOf(host)).toBe("xn"), SOON);
    expect(host.diagnostics.filter(({ code }) => code === "late-registration")).toEqual([]);
  });

  it("[DHOOK-015] [DHOOK-020] a dispatch in progress keeps the hooks that it started with", async () => {
    const held = gate();
    const reached = gate();
    let isHolding = true;
    const { host, set } = await hostWith(
      { rules: [rule("1", { priority: "low" })] },
      {
        neighbours: [
          {
            id: "holder",
            register(api) {
              api.on(
                "message_receiving",
                async () => {
                  if (!isHolding) return undefined;
                  reached.open();
                  await held.opened;
                  return undefined;
                },
                { priority: 10 },
              );
            },
          },
        ],
      },
    );
    const before = contentOf(host);
    await reached.opened;
    isHolding = false;
    await set.setEnabled("mark", false);
    expect(await contentOf(host)).toBeUndefined();
    held.open();
    expect(await before).toBe("x1");
  });

  it("[DHOOK-440] a hook of the configuration that is not valid does not affect the others", async () => {
    const shell = { type: "shell", command: "x" };
    const { host, set } = await hostWith({
      rules: [rule("1"), rule("2", { name: "lost", points: ["nowhere"] }), "text"],
      hooks: [
        { name: "late", points: ["beforeInbound"], action: shell, timeoutMs: 0, mode: "open" },
        { name: "local", points: ["onSessionStart"], action: { type: "http", url: "x" } },
      ],
    });
    expect(await contentOf(host)).toBe("x1");
    const { hooks, problems } = await set.list();
    expect(hooks.map(({ name, state }) => [name, state])).toEqual([
      ["config::mark", "active"],
      ["config::late", "invalid"],
      ["config::local", "invalid"],
    ]);
    expect(hooks[1]?.reason).toContain("hooks[0].timeoutMs: expected 1 to 30000 milliseconds");
    expect(problems.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      expect.stringMatching(/^error: hook "config::late" is off, because .*InvalidTimeout/),
      expect.stringMatching(
        /^error: hook "config::local" is off, because .*hooks\[1\]\.action\.url/,
      ),
      expect.stringMatching(/^error: rules\[1\]\.points: "nowhere" is not a point.*InvalidPoint/),
      expect.stringMatching(/^error: rules\[2\]: expected an object, got /),
    ]);
    expect(await set.test("late", {})).toMatchObject({ outcome: "error" });
  });

  it("[DHOOK-440] a gate that is not valid stops the events that it decides about, until it is corrected or disabled", async () => {
    const denied = { type: "http", url: "http://169.254.169.254/" };
    const at = (name: string, fields: object) => ({
      ...{ name, points: ["beforeToolCall"], action: denied, ...fields },
    });
    const { host, set } = await hostWith({
      hooks: [at("gate", { filter: { tool: "echo" } }), at("open", { mode: "open" })],
    });
    const stopped = await host.callTool("echo", { message: "x" });
    expect(stopped.isError).toBe(true);
    expect(stopped.text).toContain('hook "config::gate" is not valid');
    expect(stopped.text).toContain("openclaw hooks disable config::gate");
    expect((await set.list()).problems[0]?.message).toMatch(
      /^hook "config::gate" is off and stops the events that it decides about, because/,
    );
    await set.setEnabled("gate", false);
    expect((await host.callTool("echo", { message: "x" })).text).not.toContain("config::gate");
  });

  it.each(["open", "closed"])(
    "[DHOOK-950] a webhook that is not valid stops no event, with mode %s",
    async (mode) => {
      const url = "http://169.254.169.254/";
      const { host, set } = await hostWith({
        rules: [rule("1")],
        outbound_webhooks: [{ name: "audit", points: ["*"], url }],
        hooks: [{ name: "copy", points: ["*"], mode, action: { type: "webhook", url } }],
      });
      expect(await contentOf(host)).toBe("x1");
      expect((await host.callTool("echo", { message: "x" })).text).not.toContain("is not valid");
      const { hooks, problems } = await set.list();
      expect(hooks.map(({ name, state }) => [name, state])).toEqual([
        ["config::mark", "active"],
        ["config::audit", "invalid"],
        ["config::copy", "invalid"],
      ]);
      expect(problems.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^hook "config::audit" is off, because/),
        expect.stringMatching(/^hook "config::copy" is off, because/),
      ]);
    },
  );
});

describe("openclaw hooks", () => {
  it("[DHOOK-016] lists, shows, disables and tests the same hooks, also after a restart", async () => {
    const config = { rules: [rule("1")] };
    const { host, set } = await hostWith(config);
    expect((await set.list()).hooks).toMatchObject([
      { name: "config::mark", state: "active", action: "inline" },
    ]);
    expect(await set.test("mark", { content: "a" })).toMatchObject({
      ...{ hook: "config::mark", point: "beforeInbound", outcome: "modify", content: "a1" },
    });
    expect(await set.setEnabled("mark", false)).toMatchObject({
      name: "config::mark",
      state: "disabled",
    });
    expect(await contentOf(host)).toBeUndefined();
    expect(await set.show("config::mark")).toMatchObject({
      definition: rule("1"),
      counts: { matched: 1 },
    });
    expect(await set.setEnabled("mark", true)).toMatchObject({ state: "active" });
    expect(await contentOf(host)).toBe("x1");
    expect(await set.setEnabled("none", true)).toBeUndefined();
    expect(await set.show("none")).toBeUndefined();
    expect(await set.test("none", {})).toBeUndefined();
  });

  it("does not take a name that several sources have", async () => {
    const files = { "hooks/hooks.json": JSON.stringify([rule("2")]) };
    const { set } = await hostWith({ rules: [rule("1")] }, { files });
    expect(await set.show("mark")).toBeUndefined();
    expect(await set.show("hooks/hooks.json::mark")).toBeDefined();
  });
});

describe("other places", () => {
  it("[DHOOK-014] manifests of plugins declare hooks without code, within their permissions", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hooks-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pack = (id: string, permissions: object, command: string) => {
      const place = join(folder, id);
      mkdirSync(place);
      const declarativeHooks = program(command);
      const manifest = { id, version: "1.0.0", permissions, declarativeHooks };
      writeFileSync(join(place, "openclaw.plugin.json"), JSON.stringify(manifest));
      return place;
    };
    const paths = [
      pack("allowed", { exec: ["sh"] }, "basename $PWD"),
      pack("denied", { exec: ["git"] }, "echo denied"),
    ];
    const { host, set } = await hostWith({}, { config: { plugins: { load: { paths } } } });
    const { hooks, problems } = await set.list();
    expect(hooks.map(({ name }) => name)).toEqual(["plugin/allowed::run"]);
    expect(await contentOf(host)).toBe("allowed");
    expect(problems).toEqual([
      {
        ...{ source: "manifest of plugin denied", level: "warn" },
        message: expect.stringMatching(/add "sh" to permissions\.exec \(MissingPermission\)/),
      },
    ]);
  });

  it("[DHOOK-014] files of a workspace that is not trusted are not read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hooks-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.hook.json"), "not even JSON");
    const state = new HookState(
      () => {
        throw new Error("the store is not used");
      },
      { debug() {}, info() {}, warn() {}, error() {} },
    );
    const read = {
      compile: () => {
        throw new Error("no pattern is compiled");
      },
      checkUrl: (url: string) => new URL(url),
      secrets: {},
    };
    const sources = await readWorkspace({ folder, isTrusted: () => false, read, state });
    expect(sources.flatMap(({ definitions }) => definitions)).toEqual([]);
    expect(sources.flatMap(({ problems }) => problems)[0]?.message).toContain("openclaw trust");
  });
});
