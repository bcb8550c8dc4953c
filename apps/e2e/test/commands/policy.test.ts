import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const CONFIGURATION = `{
  // Tools of the agent.
  "tools": {
    "profile": "coding",
    "deny": ["exec"]
  }
}
`;

function placeWithPolicy(configuration = CONFIGURATION) {
  const place = emptyPlace();
  place.writeState({ "openclaw.json": configuration });
  return place;
}

describe("openclaw policy explain", () => {
  it("[POL-031] [POL-032] prints the reason, layer by layer, and a flip, without colours", async () => {
    using place = placeWithPolicy();
    const denied = await openclaw(["policy", "explain", "exec"], place);
    expect(denied).toMatchObject({ exitCode: 3, stderr: "" });
    const lines = denied.stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("exec is denied");
    expect(lines.slice(1, 8).map((line) => line.slice(0, 10).trim())).toEqual([
      "✓ profile",
      "· provider",
      "✗ global",
      "· agent",
      "· group",
      "· sandbox",
      "· subagent",
    ]);
    const file = join(place.state, "openclaw.json");
    expect(lines[8]).toBe(`decided by global: deny exec at ${file}:5 tools.deny`);
    expect(denied.stdout).toContain("tools.deny: []");
    expect(denied.stdout).not.toContain("\u001b");

    const allowed = await openclaw(["policy", "explain", "read"], place);
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stdout).toMatch(/^read is allowed\n/);
  });

  it("[POL-032] exits with 4 for an unknown tool or session, 2 for bad arguments, 78 for bad rules", async () => {
    using place = placeWithPolicy();
    const run = (...args: string[]) => openclaw(["policy", "explain", ...args], place);
    const unknown = await run("raed");
    expect(unknown.exitCode).toBe(4);
    expect(unknown.stderr).toContain('did you mean "read"?');
    expect((await run("read", "--session", "agent:main:other")).exitCode).toBe(4);
    expect((await run("read", "--subagent-depth", "deep")).exitCode).toBe(2);
    expect((await run()).exitCode).toBe(2);
    place.writeState({ "openclaw.json": '{ "tools": { "profile": "nothing" } }' });
    const broken = await run("read");
    expect(broken.exitCode).toBe(78);
    expect(broken.stderr).toContain('tools.profile: unknown profile "nothing"');
  });

  it("[POL-032] evaluates the given context", async () => {
    using place = placeWithPolicy(`{
      "agents": { "helper": { "tools": { "deny": ["write"] } } },
      "tools": { "byProvider": { "openai": { "deny": ["read"] } } },
      "sandbox": { "tools": { "deny": ["list"] } }
    }`);
    const layerOf = async (...args: string[]) => {
      const { stdout } = await openclaw(["policy", "explain", ...args, "--json"], place);
      const { allowed, decidedBy } = JSON.parse(stdout) as {
        allowed: boolean;
        decidedBy: { layer?: string; kind: string };
      };
      return allowed ? "allowed" : (decidedBy.layer ?? decidedBy.kind);
    };
    expect(await layerOf("write")).toBe("allowed");
    expect(await layerOf("write", "--agent", "helper")).toBe("agent");
    expect(await layerOf("read", "--model", "openai/gpt-5")).toBe("provider");
    expect(await layerOf("read", "--provider", "openai")).toBe("provider");
    expect(await layerOf("list", "--sandboxed")).toBe("sandbox");
  });

  it("[POL-032] uses the context of a stored session, and queries a running gateway", async () => {
    using place = placeWithPolicy(
      '{ "tools": { "byProvider": { "demo": { "deny": ["exec"] } } } }',
    );
    await openclaw(["chat", "-m", "what time is it"], place);
    const session = ["policy", "explain", "exec", "--session", "agent:main:main", "--json"];
    const alone = await openclaw(session, place);
    expect(alone.exitCode).toBe(3);
    expect(JSON.parse(alone.stdout)).toMatchObject({ decidedBy: { layer: "provider" } });
    await using gateway = await startGateway(place);
    const asked = await openclaw(session, place);
    expect(JSON.parse(asked.stdout)).toEqual(JSON.parse(alone.stdout));
    expect(gateway.pid).toBeGreaterThan(0);
  });
});

describe("openclaw policy test", () => {
  const CASES = `{
    // The shell stays denied.
    cases: [
      { name: "no shell", tool: "exec", expect: "deny", by: "global" },
      { name: "no files", tool: "write", expect: "deny", by: "global" },
    ],
  }
`;

  it("[POL-033] exits with 0 when all cases pass, and with 3 and the differences when some fail", async () => {
    using place = placeWithPolicy();
    place.writeWorkspace({ "cases.json5": CASES });
    const failed = await openclaw(["policy", "test", "cases.json5"], place);
    expect(failed.exitCode).toBe(3);
    expect(failed.stdout).toBe(
      "✗ cases.json5: no files (write)\n  - deny by global\n  + allow by profile\n1 of 2 cases pass.\n",
    );
    const updated = await openclaw(["policy", "test", "cases.json5", "--update"], place);
    expect(updated.exitCode).toBe(0);
    expect(readFileSync(join(place.workspace, "cases.json5"), "utf8")).toBe(
      CASES.replace(
        '"write", expect: "deny", by: "global"',
        '"write", expect: "allow", by: "profile"',
      ),
    );
    const passed = await openclaw(["policy", "test", "cases.json5", "--json"], place);
    expect(passed.exitCode).toBe(0);
    expect(JSON.parse(passed.stdout)).toMatchObject({ passed: true, cases: [{}, {}] });
  });

  it("[POL-033] names every problem of a file", async () => {
    using place = placeWithPolicy();
    place.writeWorkspace({ "bad.json": '{ "cases": [{ "nam": 1 }] }', "cut.json": '{ "cases": [' });
    const bad = await openclaw(["policy", "test", "bad.json"], place);
    expect(bad.exitCode).toBe(2);
    expect(bad.stderr).toContain('cases[0].nam: unknown key "nam"; did you mean "name"?');
    const cut = await openclaw(["policy", "test", "cut.json"], place);
    expect(cut.exitCode).toBe(2);
    expect(cut.stderr).toContain("cut.json:1");
    expect((await openclaw(["policy", "test", "none.json"], place)).exitCode).toBe(2);
  });
});

describe("plugin whose tools are hidden by policy", () => {
  it("[POL-025] is reported at the start and in the list, with the line that would admit them", async () => {
    using place = placeWithPolicy('{ "tools": { "profile": "minimal" } }');
    place.installPlugin(
      "guide",
      `export default { id: "guide", register(api) {
        api.registerTool({ name: "way", description: "Shows the way.",
          parameters: { type: "object", properties: {} },
          execute: async () => ({ content: [] }) });
      } };`,
      { id: "guide", contracts: { tools: ["way"] } },
    );
    const hidden =
      /profile "minimal" hides all tools of plugin "guide".*to admit them: .*alsoAllow.*plugin:guide/;
    const list = await openclaw(["plugins", "list"], place);
    expect(list.stderr).toMatch(hidden);
    const chat = await openclaw(["chat", "-m", "hello"], place);
    expect(chat.stderr).toMatch(hidden);
    place.writeState({
      "openclaw.json": '{ "tools": { "profile": "minimal", "alsoAllow": ["plugin:guide"] } }',
    });
    expect((await openclaw(["plugins", "list"], place)).stderr).toBe("");
  });
});
