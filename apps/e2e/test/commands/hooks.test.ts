import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const GUARD = `
  export default { id: "guard", register(api) {
    api.on("before_tool_call", () => undefined, { priority: 5, scope: { toolNames: ["exec"] } });
    api.on("before_tool_call", () => undefined, { timeoutMs: 1234 });
    api.on("before_compaction", () => undefined);
  } };
`;
const MANIFEST = {
  id: "guard",
  contracts: { hooks: ["before_tool_call", "before_compaction"] },
};

describe("openclaw hooks", () => {
  it("lists hooks with handlers, and the whole catalog on request", async () => {
    using place = emptyPlace();
    place.installPlugin("guard", GUARD, MANIFEST);
    const { stdout, exitCode } = await openclaw(["hooks", "list"], place);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /before_tool_call +X4 +decide +\d handlers +fired 0\n(?: .+\n)* +guard: 2, called 0/,
    );
    expect(stdout).not.toContain("llm_output");
    const all = await openclaw(["hooks", "list", "--all", "--json"], place);
    const { hooks } = JSON.parse(all.stdout) as { hooks: { hook: string }[] };
    expect(hooks.map(({ hook }) => hook)).toEqual(expect.arrayContaining(["llm_output"]));
  });

  it("[HOOK-051] shows handlers in the order they run, their deadlines, and why a handler would not run", async () => {
    using place = emptyPlace();
    place.installPlugin("guard", GUARD, MANIFEST);
    const args = ["hooks", "show", "before_tool_call", "--tool", "read"];
    const { stdout } = await openclaw(args, place);
    expect(stdout).toMatch(/· guard \(priority 5\): scope\.toolNames does not match/);
    expect(stdout).toMatch(
      /✓ guard \(priority 0\): fail-closed, 1234 ms \(registration\), called 0/,
    );
    const json = await openclaw([...args, "--json"], place);
    const { hook, order } = JSON.parse(json.stdout) as {
      hook: string;
      order: { pluginId: string }[];
    };
    expect(hook).toBe("before_tool_call");
    // Handlers of bundled extensions run between them.
    expect(order.filter(({ pluginId }) => pluginId === "guard")).toMatchObject([
      { priority: 5, runs: false },
      { priority: 0, runs: true, deadlineMs: 1234 },
    ]);
    const unknown = await openclaw(["hooks", "show", "before_tol_call"], place);
    expect(unknown).toMatchObject({ exitCode: 4, stdout: "" });
    expect(unknown.stderr).toContain('did you mean "before_tool_call"?');
  });

  it("[DHOOK-014] [DHOOK-016] lists, shows, tests, disables and approves configured hooks, with and without a gateway", async () => {
    using place = emptyPlace();
    const definition = {
      rules: [{ name: "polite", points: ["transformResponse"], append: " Thank you." }],
      hooks: [
        { name: "guard", points: ["beforeToolCall"], action: { type: "shell", command: "exit 2" } },
      ],
    };
    place.writeWorkspace({ "hooks/hooks.json": JSON.stringify(definition) });
    const untrusted = await openclaw(["hooks", "list"], place);
    expect(untrusted.stdout).toContain('run "openclaw trust"');
    await openclaw(["trust"], place);
    const list = await openclaw(["hooks", "list", "--json"], place);
    expect(JSON.parse(list.stdout)).toMatchObject({
      configured: [
        { name: "hooks/hooks.json::polite", state: "active" },
        { name: "hooks/hooks.json::guard", state: "unapproved" },
      ],
    });
    const unsure = await openclaw(["hooks", "approve", "hooks/hooks.json"], place);
    expect(unsure).toMatchObject({ exitCode: 2 });
    expect(unsure.stdout).toContain("exit 2");
    expect(await openclaw(["hooks", "approve", "hooks/hooks.json", "--yes"], place)).toMatchObject({
      exitCode: 0,
    });

    await using gateway = await startGateway(place);
    expect(gateway.pid).toBeGreaterThan(0);
    const test = await openclaw(
      ["hooks", "test", "guard", "--input", '{"tool":"exec","params":{}}', "--json"],
      place,
    );
    expect(JSON.parse(test.stdout)).toMatchObject({ outcome: "block", point: "beforeToolCall" });
    const { stdout } = await openclaw(["chat", "-m", "hello"], place);
    expect(stdout).toContain("Thank you.");
    const shown = await openclaw(["hooks", "show", "polite"], place);
    expect(shown.stdout).toMatch(/matched 1, modified 1/);
    expect((await openclaw(["hooks", "disable", "polite"], place)).stdout).toContain("disabled");
    const silent = await openclaw(["chat", "-m", "hello"], place);
    expect(silent.stdout).not.toContain("Thank you.");
    expect(await openclaw(["hooks", "enable", "politer"], place)).toMatchObject({ exitCode: 4 });
  });

  it("[HOOK-050] counts calls in the running gateway, whose doctor names hooks that never fired", async () => {
    using place = emptyPlace();
    place.installPlugin("guard", GUARD, MANIFEST);
    await using gateway = await startGateway(place);
    await openclaw(["chat", "-m", "what time is it"], place);
    const { stdout } = await openclaw(["hooks", "list", "--json"], place);
    const { hooks } = JSON.parse(stdout) as { hooks: { hook: string; dispatched: number }[] };
    // The single call passed the trusted policies and then the handlers.
    expect(hooks.find(({ hook }) => hook === "before_tool_call")?.dispatched).toBe(2);
    const doctor = await openclaw(["plugins", "doctor"], place);
    expect(doctor.exitCode).toBe(0);
    expect(doctor.stdout).toMatch(/note guard: .*"before_compaction" has never run/);
    // A call of another tool skips the handler of before_tool_call for exec.
    expect(doctor.stdout.match(/note guard: .*"before_tool_call" has never run/g)).toHaveLength(1);
    // On a busy machine any handler may have blocked the process.
    const others = doctor.stdout.replace(/^warn .* blocked the process for .*$/gm, "");
    expect(others).not.toContain("warn");
    expect(gateway.pid).toBeGreaterThan(0);
  });
});

it("[DHOOK-440] a hook that cannot work is off and named everywhere, and config set rejects it", async () => {
  using place = emptyPlace();
  const rule = { name: "polite", points: ["beforeOutbound"], append: " Thank you." };
  const url = "http://169.254.169.254/hook";
  const gate = { name: "ask", points: ["beforeToolCall"], action: { type: "http", url } };
  // A file that was written by hand has no check before it is written.
  const entries = { "declarative-hooks": { config: { rules: [rule], hooks: [gate] } } };
  place.writeState({ "openclaw.json": JSON.stringify({ plugins: { entries } }) });
  await using gateway = await startGateway(place);
  expect(gateway.pid).toBeGreaterThan(0);
  const problem = /hook "config::ask" is off and stops the events .*hooks\[0\]\.action\.url: /;
  const { stdout } = await openclaw(["chat", "-m", "hello"], place);
  expect(stdout).toContain("Thank you.");
  for (const command of [["hooks", "list"], ["status"], ["doctor"]]) {
    expect((await openclaw(command, place)).stdout.replace(/\s+/g, " ")).toMatch(problem);
  }
  const setHooks = (hooks: object) =>
    openclaw(
      ["config", "set", "plugins.entries.declarative-hooks.config", JSON.stringify(hooks)],
      place,
    );
  const other = ["plugins.entries.declarative-hooks.config.outbound_webhooks", "[]"];
  const accepted = await openclaw(["config", "set", ...other], place);
  // It is written; what the plugin still reports after the reload is the hook that was off before.
  expect(accepted.exitCode).toBe(3);
  expect(accepted.stdout).toContain(
    "Set plugins.entries.declarative-hooks.config.outbound_webhooks",
  );
  expect(accepted.stdout).toMatch(/warning: .*hooks\[0\]\.action\.url.*hook "ask"/s);
  const rejected = await setHooks({ hooks: [gate] });
  expect(rejected.exitCode).toBe(78);
  expect(rejected.stderr).toMatch(/hooks\[0\]\.action\.url.*hook "ask"/s);
  expect(rejected.stderr).toContain("Nothing was written");
  expect(await setHooks({ rules: [rule] })).toMatchObject({ exitCode: 0, stderr: "" });
  for (const command of [["hooks", "list"], ["status"]]) {
    expect((await openclaw(command, place)).stdout).not.toContain("config::ask");
  }
});

it("[GW-440] config set waits for the gateway, and says which plugin a change does not work with", async () => {
  using place = emptyPlace();
  const picky = `export default { id: "picky", register({ pluginConfig }) {
    if (pluginConfig?.size === 0) throw new Error("the size must not be 0");
  } };`;
  place.installPlugin("picky", picky, { id: "picky", configSchema: { type: "object" } });
  await using gateway = await startGateway(place);
  expect(gateway.pid).toBeGreaterThan(0);
  const set = (key: string, value: unknown) =>
    openclaw(["config", "set", key, JSON.stringify(value)], place);
  const size = "plugins.entries.picky.config.size";
  expect(await set(size, 1)).toMatchObject({ exitCode: 0, stderr: "" });
  const changed = await set(size, 0);
  expect(changed.exitCode).toBe(3);
  expect(changed.stdout).toMatch(/picky.*the size must not be 0/s);
  expect(await set(size, 2)).toMatchObject({ exitCode: 0, stderr: "" });
  const restart = await set("store.durability", "process");
  expect(restart.stdout).toContain("restart a running gateway to apply it");
});

it("[DHOOK-044] [SDK-061] [SDK-065] shows guards that are off by mistake in the status, in the doctor and at the start", async () => {
  using place = emptyPlace();
  const config = { audit_logger: true, cost_tracker: { dayUsd: -1 } };
  const entries = { guardrails: { config } };
  place.writeState({ "openclaw.json": JSON.stringify({ plugins: { entries } }) });
  const mistaken = await openclaw(["guards", "status", "--json"], place);
  expect(mistaken.exitCode).toBe(3);
  expect(JSON.parse(mistaken.stdout)).toMatchObject({
    guards: expect.arrayContaining([
      expect.objectContaining({ name: "audit_logger", state: "on" }),
      expect.objectContaining({ name: "cost_tracker", state: "invalid" }),
    ]),
  });
  const problem = "the guard cost_tracker is not active: dayUsd must be >= 0, got -1";
  const doctor = await openclaw(["doctor", "--json"], place);
  expect(doctor.exitCode).toBe(3);
  expect(doctor.stdout).toContain(problem);
  const chat = await openclaw(["chat", "-m", "hello"], place);
  expect(chat).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hello") });
  expect(chat.stderr).toContain(problem);

  const listed = await openclaw(["guards", "audit", "list", "--json"], place);
  const recorded: readonly { readonly point: string }[] = JSON.parse(listed.stdout);
  // The command ended with the guards: nothing that they recorded is lost.
  expect(recorded.map(({ point }) => point)).toEqual(
    expect.arrayContaining(["message_receiving", "message_sent", "session_end"]),
  );
});
