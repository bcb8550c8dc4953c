import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const PLUGIN = `import { writeFileSync } from "node:fs";
writeFileSync(MARKER, "imported");
export default { id: "sized", register() {} };`;

let place: Place;

beforeAll(() => {
  place = emptyPlace();
});

afterAll(() => place[Symbol.dispose]());

/** Writes the configuration and tries to start the gateway with it. */
function start(configuration: string, args: readonly string[] = []) {
  place.writeState({ "openclaw.json": configuration });
  return openclaw(["gateway", "run", "--port", "0", ...args], place);
}

describe("a start with a configuration that is not valid", () => {
  it("[GW-005] [POL-038] exits with 78 and every error: place, key, expected, found and the nearest known key", async () => {
    const { exitCode, stdout, stderr } = await start(
      "{ gatway: {},\n  gateway: { port: 'high' },\n  tools: { profile: 'codign', approval: { write: 'sometimes' } },\n  cron: {} }",
    );
    expect(exitCode).toBe(78);
    expect(stdout).toBe("");
    const file = join(place.state, "openclaw.json");
    for (const problem of [
      `${file}:1:3 gatway: unknown key; did you mean "gateway"?`,
      `${file}:2:14 gateway.port: must be integer, found "high"`,
      `${file}:3:12 tools.profile: unknown profile "codign"; did you mean "coding"?`,
      `${file}:4:3 cron: unknown key; known keys here:`,
    ]) {
      expect(stderr).toContain(problem);
    }
    expect(stderr).toContain("tools.approval.write: must be one of");
    expect(stderr).not.toContain("at file:");
  });

  it.each([
    ["a half-written file", "{ tools: { deny: ['re", ":1:"],
    ["an empty file", "", "openclaw.json"],
    ["a file that includes itself", "{ $include: 'openclaw.json' }", "which is a cycle"],
    ["an oversized file", `{ /*${"x".repeat(1024 * 1024)}*/ }`, "at most 1 MiB"],
    ["an included file that does not exist", "{ tools: { $include: 'gone.json5' } }", "gone.json5"],
  ])("%s ends it with 78 and one sentence", async (_name, text, says) => {
    const { exitCode, stderr } = await start(text);
    expect(exitCode).toBe(78);
    expect(stderr).toContain(says);
    expect(stderr).toContain("openclaw config validate");
    const validated = await openclaw(["config", "validate", "--json"], place);
    expect(validated.exitCode).toBe(78);
    expect(JSON.parse(validated.stdout)).toMatchObject({
      valid: false,
      errors: [{ line: expect.any(Number) }],
    });
  });
});

describe("warnings about the configuration", () => {
  it("names the nearest tool at the start, and config validate --strict fails", async () => {
    using other = emptyPlace();
    other.writeState({ "openclaw.json": "{ tools: { deny: ['exce'] } }" });
    await using gateway = await startGateway(other);
    const warning = '"exce" matches no known tool, group or plugin; did you mean "exec"?';
    await expect.poll(() => gateway.output().stderr).toContain(warning);
    const lenient = await openclaw(["config", "validate"], other);
    expect(lenient.exitCode).toBe(0);
    expect(lenient.stderr).toContain(
      `warning: ${join(other.state, "openclaw.json")}:1:19 tools.deny: ${warning}`,
    );
    expect((await openclaw(["config", "validate", "--strict"], other)).exitCode).toBe(78);
  });

  it("[GW-005] compares the configuration of a plugin with its manifest, and does not load a plugin that does not match", async () => {
    using other = emptyPlace();
    const marker = join(other.state, "marker");
    other.installPlugin("sized", PLUGIN.replace("MARKER", JSON.stringify(marker)), {
      id: "sized",
      configSchema: {
        type: "object",
        properties: { size: { type: "number" } },
        additionalProperties: false,
      },
    });
    other.writeState({
      "openclaw.json":
        "{ plugins: { entries: {\n sized: { config: { size: 'big' }, colour: 'red' } } } }",
    });
    const { stdout, exitCode } = await openclaw(["config", "validate", "--json"], other);
    expect(exitCode).toBe(0);
    const { warnings } = JSON.parse(stdout) as {
      warnings: { key: string; line: number; message: string }[];
    };
    expect(warnings).toMatchObject([
      { key: "plugins.entries.sized.colour", line: 2, message: "unknown key" },
      { key: "plugins.entries.sized.config.size", line: 2, message: "must be number, got string" },
    ]);
    const doctor = await openclaw(["plugins", "doctor", "sized"], other);
    expect(doctor.exitCode).toBe(3);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("gateway run", () => {
  it("[GW-001] takes file, state folder and address as options, and the workspace from the configuration", async () => {
    using other = emptyPlace();
    const state = join(other.workspace, "state");
    other.writeWorkspace({
      "settings.json5":
        "{ gateway: { bind: 'lan' }, agents: { defaults: { workspace: 'notes' } } }",
      "notes/list.txt": "milk and bread",
    });
    const args = ["--config", "settings.json5", "--state-dir", state, "--bind", "127.0.0.1"];
    const environment = { OPENCLAW_STATE_DIR: other.state };
    await using gateway = await startGateway({ ...other, state, environment }, args);
    const at = { ...other, state };
    const settings = { OPENCLAW_CONFIG_PATH: join(other.workspace, "settings.json5") };
    const status = await openclaw(["status", "--json"], { ...at, environment: settings });
    expect(JSON.parse(status.stdout)).toMatchObject({
      running: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) },
      status: { configuration: { files: [settings.OPENCLAW_CONFIG_PATH] } },
    });
    const read = await openclaw(["tool", "run", "read", "--params", '{"path":"list.txt"}'], {
      ...at,
      environment: settings,
    });
    expect(read.stdout).toContain("milk and bread");
    expect(readdirSync(other.state)).toEqual([]);
    expect(gateway.url).toContain("127.0.0.1");
  });
});

describe("two editors of one file", () => {
  it("the second one is told, its text is kept, and the change of the first one stays", async () => {
    using other = emptyPlace();
    const file = join(other.state, "openclaw.json");
    other.writeState({ "openclaw.json": "{ logging: { level: 'info' } }" });
    const editor = join(other.workspace, "editor.sh");
    writeFileSync(
      editor,
      `#!/bin/sh\necho "{ logging: { level: 'warn' } }" > '${file}'\necho "{ logging: { level: 'debug' } }" > "$1"\n`,
    );
    chmodSync(editor, 0o755);
    const edited = await openclaw(["config", "edit", "--json"], {
      ...other,
      environment: { EDITOR: editor },
    });
    expect(edited.exitCode).toBe(3);
    expect(JSON.parse(edited.stdout)).toMatchObject({
      error: { code: "CONFIG_CONFLICT", kind: "conflict" },
    });
    const [, copy = ""] = /your text is in (\S+)/.exec(edited.stderr) ?? [];
    expect(readFileSync(copy, "utf8")).toContain("debug");
    expect(readFileSync(file, "utf8")).toContain("warn");
    const stale = await openclaw(
      ["config", "set", "logging.level", "error", "--base-hash", "0".repeat(64)],
      other,
    );
    expect(stale.exitCode).toBe(3);
  });
});

describe(".env of the state folder", () => {
  it("[HOST-001] gives variables to every command; those of the process take precedence", async () => {
    using own = emptyPlace();
    own.writeState({
      ".env": 'OPENCLAW_PORT=18123 # the port\nAPPROVAL="from the file"\n',
      "openclaw.json":
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration has references like this.
        '{ gateway: { port: 1 }, agents: { defaults: { instructions: "${APPROVAL}" } } }',
    });
    const port = await openclaw(["config", "get", "gateway.port", "--explain"], own);
    expect(port.stdout).toContain("gateway.port = 18123");
    expect(port.stdout).toContain("OPENCLAW_PORT");
    const text = await openclaw(["config", "get", "agents.defaults.instructions", "--reveal"], own);
    expect(text.stdout).toBe("from the file\n");
    const process = { ...own, environment: { OPENCLAW_PORT: "18124" } };
    const other = await openclaw(["config", "get", "gateway.port"], process);
    expect(other.stdout).toBe("18124\n");
    // A folder that an option names has its own file.
    using named = emptyPlace();
    named.writeState({ ".env": "OPENCLAW_PORT=99999" });
    const ran = await openclaw(["gateway", "run", "--state-dir", named.state], own);
    expect(ran.stderr).toContain('got "99999"');
  });

  it("[HOST-001] ends a command with one sentence when it cannot be read", async () => {
    using own = emptyPlace();
    own.writeState({ ".env/inside": "" });
    const { exitCode, stderr, stdout } = await openclaw(["status", "--json"], own);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`cannot read ${join(own.state, ".env")} (EISDIR`);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "USAGE" } });
  });
});

describe("a start after a good configuration", () => {
  it("[GW-006] rejects a file that is not valid, and starts with the last good one with --last-good", async () => {
    using own = emptyPlace();
    own.writeState({ "openclaw.json": "{ tools: { deny: ['web_fetch'] } }" });
    const first = await startGateway(own);
    await first.end("SIGTERM");
    own.writeState({ "openclaw.json": "{ tolls: {} }" });
    const refused = await openclaw(["gateway", "run", "--port", "0"], own);
    expect(refused.exitCode).toBe(78);
    expect(refused.stderr).toContain("run --last-good");
    await using second = await startGateway(own, ["--last-good"]);
    expect(second.output().stderr).toContain("started with the last good configuration, of ");
    const explained = await openclaw(["policy", "explain", "web_fetch", "--json"], own);
    expect(JSON.parse(explained.stdout)).toMatchObject({ allowed: false });
    expect(readFileSync(join(own.state, "openclaw.json"), "utf8")).toBe("{ tolls: {} }");
  });
});

describe("the key of stored secrets", () => {
  it("[HOST-015] [GW-522] that is missing or damaged stops a start with one sentence, and changes nothing", async () => {
    using own = emptyPlace();
    const key = join(own.state, "secrets.key");
    const empty = await openclaw(["secrets", "set", "TOKEN"], { ...own, input: "" });
    expect(empty.exitCode).toBe(2);
    expect(empty.stderr).toContain(
      "no value for TOKEN: standard input is empty; type it, pipe it in",
    );
    const joined = await openclaw(["secrets", "set", "TOKEN=s3cret-value"], { ...own, input: "" });
    expect(joined.exitCode).toBe(2);
    expect(joined.stderr).toContain("run `openclaw secrets set TOKEN` and type the value");
    expect(joined.stderr).not.toContain("s3cret-value");
    await openclaw(["secrets", "set", "TOKEN"], { ...own, input: "s3cret-value" });
    own.writeState({
      "openclaw.json":
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration has references like this.
        '{ plugins: { entries: { openai: { config: { apiKey: "${secret:TOKEN}" } } } } }',
    });
    const original = readFileSync(key, "utf8");
    const changes: [change: () => void, says: string][] = [
      [() => rmSync(key), "there is no key for the stored secrets"],
      [() => writeFileSync(key, "not a key", { mode: 0o600 }), key],
    ];
    for (const [change, says] of changes) {
      change();
      const started = await openclaw(["gateway", "run", "--port", "0"], own);
      expect(started.exitCode).toBe(78);
      expect(started.stderr).toContain("plugins.entries.openai.config.apiKey");
      expect(started.stderr).toContain(says);
      expect(started.stderr).not.toMatch(/at file:|s3cret-value/);
      const listed = await openclaw(["secrets", "list", "--json"], own);
      expect(JSON.parse(listed.stdout)).toMatchObject({ secrets: [{ name: "TOKEN" }] });
      const doctor = await openclaw(["doctor", "--json"], own);
      expect(JSON.parse(doctor.stdout)).toMatchObject({
        passed: false,
        checks: expect.arrayContaining([
          expect.objectContaining({ name: "secrets", status: "fail" }),
        ]),
      });
    }
    writeFileSync(key, original, { mode: 0o600 });
    await using gateway = await startGateway(own);
    expect(gateway.url).toContain("http://");
  });
});

describe("the configuration file", () => {
  it("[HOST-010] is openclaw.json of the state folder, or the one that a variable names", async () => {
    using own = emptyPlace();
    own.writeState({
      "openclaw.json": "{\n  gatway: {} }",
      "other.json": "{ gateway: {port: 4} }",
    });
    const wrong = await openclaw(["config", "get", "gateway.port"], own);
    expect(wrong.exitCode).toBe(78);
    expect(wrong.stderr).toContain(
      `${join(own.state, "openclaw.json")}:2:3 gatway: unknown key; did you mean "gateway"?`,
    );
    const environment = { OPENCLAW_CONFIG_PATH: join(own.state, "other.json") };
    const other = await openclaw(["config", "get", "gateway.port"], { ...own, environment });
    expect(other.stdout).toBe("4\n");
  });
});

describe("settings of the database", () => {
  it("[HOST-012] [GW-004] config set --db changes them, config get names them, and the file stays as it is", async () => {
    using own = emptyPlace();
    own.writeState({ "openclaw.json": "{ tools: { deny: ['read'] } }" });
    const set = await openclaw(["config", "set", "--db", "tools.deny", '["exec"]'], own);
    expect(set.stdout).toContain("Set tools.deny in the database");
    await openclaw(["config", "set", "--db", "--agent", "clerk", "model", "demo/echo"], own);
    const { stdout } = await openclaw(["config", "get", "tools.deny", "--explain"], own);
    expect(stdout).toContain('tools.deny = ["exec"]');
    expect(stdout).toMatch(/from +the database \(config set --db\)/);
    expect(stdout).toMatch(/instead of +\["read"\]/);
    const all = await openclaw(["config", "get", "--explain"], own);
    expect(all.stdout).toContain("agents.clerk.model = demo/echo  (the database");
    const refused = await openclaw(["config", "set", "--db", "gateway.port", "1"], own);
    expect(refused.exitCode).toBe(78);
    expect(refused.stderr).toContain("without --db");
    await openclaw(["config", "unset", "--db", "tools.deny"], own);
    expect((await openclaw(["config", "get", "tools.deny"], own)).stdout.trim()).toBe('["read"]');
  });
});
