import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ModelTool, toolTokens } from "@openclaw/models";
import { startChatServer } from "@openclaw/platform-fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import {
  type CommandResult,
  type GatewayProcess,
  startWatchingProcess,
} from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const GUARD = `
  import { writeFileSync } from "node:fs";
  export default { id: "guard", register(api) {
    api.on("before_tool_call", ({ toolName, params }) =>
      toolName === "echo" && params.message === "secret plan" ? { block: true, blockReason: "not this" } : undefined);
    api.registerService({ id: "marker", start: () => writeFileSync(process.env.MARKER, "started") });
    api.registerChannel({ id: "tower", label: "Tower", async start() { writeFileSync(process.env.MARKER, "listening"); }, async send() { return {}; } });
  } };
`;

let place: Place;
let gateway: GatewayProcess;

/** Runs a command and reads its JSON document. */
async function json<Value>(args: readonly string[], at: Place = place): Promise<Value> {
  const { stdout } = await openclaw([...args, "--json"], at);
  return JSON.parse(stdout) as Value;
}

beforeAll(async () => {
  place = emptyPlace();
  place.writeState({
    "openclaw.json": '{ tools: { deny: ["write"] }, gateway: { bind: "lan" } }',
  });
  place.installPlugin("guard", GUARD.replaceAll("process.env.MARKER", '"/dev/null"'));
  gateway = await startGateway(place, ["--bind", "loopback"]);
  await openclaw(["chat", "-m", "what time is it"], place);
});

afterAll(async () => {
  await gateway?.end("SIGTERM");
  place?.[Symbol.dispose]();
});

const ROUTINE_TOOLS = [
  "routine_create",
  "routine_list",
  "routine_update",
  "routine_delete",
  "routine_history",
];
const JOB_TOOLS = ["create_job", "list_jobs", "job_status", "cancel_job"];

describe("openclaw status", () => {
  it("[HOST-031] [HOST-024] describes the running gateway: version, configuration, database, model, channels, plugins, work, use and background tasks", async () => {
    const shown = await json<Record<string, unknown>>(["status"]);
    expect(shown).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      running: { pid: gateway.pid, url: gateway.url },
      status: {
        configuration: { files: [join(place.state, "openclaw.json")], variables: [], pending: [] },
        database: { dialect: "sqlite" },
        model: "demo/echo",
        // A channel that is not configured does not run.
        channels: [],
        plugins: { failed: 0 },
        turns: { unfinished: 0 },
        pendingApprovals: 0,
      },
      health: { ready: true },
    });
    const { stdout } = await openclaw(["status"], place);
    for (const line of [
      /^gateway +running at http.* ready/m,
      /^model +demo\/echo$/m,
      /^tokens +\d/m,
      /^task +jobs every \d+ s, (last .* in \d+ ms, )?(next \d|waits for work)/m,
      /^task +retention every 3600 s, next \d/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    await openclaw(["gateway", "call", "tasks.pause", '{"name":"retention"}'], place);
    expect((await openclaw(["status"], place)).stdout).toMatch(
      /^task +retention every 3600 s, paused$/m,
    );
    await openclaw(["gateway", "call", "tasks.resume", '{"name":"retention"}'], place);
  });

  it("[GW-001] run takes the address to listen on as an option, which replaces the configured one", () => {
    expect(gateway.url).toContain("127.0.0.1");
    expect(gateway.output().stderr).not.toContain("network");
  });

  it("[HOST-031] describes the state folder when no gateway runs, and creates nothing", async () => {
    using empty = emptyPlace();
    const shown = await openclaw(["status"], empty);
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toMatch(/^gateway +not running/m);
    expect(shown.stdout).toMatch(/^config +defaults/m);
    expect(readdirSync(empty.state)).toEqual([]);
    empty.writeState({ "openclaw.json": "{ tolls: {} }" });
    const broken = await openclaw(["status"], empty);
    expect(broken.exitCode).toBe(0);
    expect(broken.stdout.replace(/\s+/g, " ")).toContain("openclaw.json: 1 error");
  });
});

describe("openclaw usage", () => {
  it("[LLM-030] sums calls, tokens and cost of models by group, with and without a gateway", async () => {
    const { groups } = await json<{ groups: { key: string; count: number }[] }>([
      "usage",
      "--by",
      "model",
    ]);
    expect(groups).toMatchObject([{ key: "demo/echo", count: expect.any(Number) }]);
    const { stdout } = await openclaw(["usage", "--by", "agent"], place);
    expect(stdout).toMatch(/^calls +input +cached +output +cost +agent\n\d+ .*\$0\.00 +main\n$/);
    const csv = ["usage", "--by", "sender", "--filter", "agent:main", "--split", "day", "--csv"];
    const table = await openclaw(csv, place);
    expect(table.stdout).toMatch(/^sender,period,calls,[^\n]*\r?\n[^,]*,\d{4}-\d\d-\d\d,\d+,/);
    for (const wrong of [
      ["--by", "moon"],
      ["--filter", "colour:red"],
    ]) {
      expect((await openclaw(["usage", ...wrong], place)).exitCode).toBe(2);
    }
  });
});

describe("openclaw models", () => {
  it("[LLM-050] [LLM-040] lists models, shows the one in use, and calls it once", async () => {
    const listed = (await openclaw(["models", "list"], place)).stdout;
    expect(listed).toMatch(/^demo\/echo \* +0 +0 +0 +unknown +unknown +unknown$/m);
    expect(listed).toContain("openai is not set up: set OPENAI_API_KEY.");
    expect(listed).not.toContain("openai/");
    const status = (await openclaw(["models", "status"], place)).stdout;
    expect(status).toMatch(/^model +demo\/echo \(a scripted stand-in, not a language model\)$/m);
    expect(status).toMatch(/^chosen by +no API key for a model was found$/m);
    const tested = await openclaw(["models", "test"], place);
    expect(tested.stdout).toMatch(/^cost +\$0\.00$/m);
    const keyless = await openclaw(["models", "test", "openai/gpt-4o"], place);
    expect(keyless.exitCode).not.toBe(0);
    expect(keyless.stderr.trim().split("\n")).toEqual([expect.stringContaining("OPENAI_API_KEY")]);
  });
});

describe("openclaw logs", () => {
  it("prints the newest lines of a level, as text or as one object each", async () => {
    const { stdout } = await openclaw(["logs", "-n", "5"], place);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d info +gateway: .*is ready/m);
    const lines = (await openclaw(["logs", "--json", "--subsystem", "gateway"], place)).stdout;
    for (const line of lines.trimEnd().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(String),
        fields: { subsystem: "gateway" },
      });
    }
    using empty = emptyPlace();
    expect((await openclaw(["logs"], empty)).exitCode).toBe(4);
  });

  it("follows the log until it is interrupted", async () => {
    await using logs = startWatchingProcess(place, ["logs", "-f", "-n", "1"]);
    await logs.says(/\n/);
    await openclaw(["config", "set", "logging.level", "info"], place);
    await logs.says(/configuration reloaded/);
    expect(await logs.end("SIGINT")).toBe(130);
  });
});

describe("openclaw tool", () => {
  const run = (name: string, params: object, session = "main"): Promise<CommandResult> =>
    openclaw(
      ["tool", "run", name, "--params", JSON.stringify(params), "--session", session],
      place,
    );

  it("[LLM-461] lists what the tools of a new installation cost in each request, and which are sent only when they are loaded", async () => {
    using fresh = emptyPlace();
    const { stdout } = await openclaw(["tool", "list", "--cost", "--json"], fresh);
    const { tools, total } = JSON.parse(stdout) as {
      tools: { name: string; tokens: number; isDeferred?: boolean }[];
      total: number;
    };
    expect(tools.map(({ tokens }) => tokens)).toEqual(
      tools.map(({ tokens }) => tokens).toSorted((left, right) => right - left),
    );
    expect(tools.map(({ name }) => name)).toContain("exec");
    const deferred = tools.filter(({ isDeferred }) => isDeferred === true);
    const names = deferred.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([...JOB_TOOLS, ...ROUTINE_TOOLS, "cron", "gateway"]),
    );
    const sum = (some: typeof tools) => some.reduce((tokens, tool) => tokens + tool.tokens, 0);
    expect(total).toBe(sum(tools) - sum(deferred));
    expect(total).toBeLessThanOrEqual(2800);
    expect(sum(tools.filter(({ name }) => JOB_TOOLS.includes(name)))).toBeLessThanOrEqual(240);
    const ofRoutines = tools.filter(({ name }) => ROUTINE_TOOLS.includes(name));
    expect(sum(ofRoutines)).toBeLessThanOrEqual(460);
  });

  it("[LLM-800] sends at most 3,000 tokens with a greeting in a new installation", async () => {
    using fresh = emptyPlace();
    await using server = await startChatServer([{ text: "Hello." }]);
    const environment = { LLM_BASE_URL: server.baseURL, LLM_MODEL: "small" };
    await openclaw(["chat", "-m", "hello"], { ...fresh, environment });
    const { tools, messages } = (server.requests[0]?.body ?? {}) as {
      tools: { function: ModelTool }[];
      messages: { content: string }[];
    };
    const definitions = tools.reduce((sum, tool) => sum + toolTokens(tool.function), 0);
    const said = messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0);
    expect(messages.map(({ content }) => content)).toContain("hello");
    expect(definitions + said).toBeLessThanOrEqual(3000);
  });

  it("[HOST-032] lists tools with their policy, and describes one with its parameters", async () => {
    const { tools } = await json<{ tools: { name: string; allowed: boolean }[] }>(["tool", "list"]);
    expect(tools).toContainEqual(
      expect.objectContaining({ name: "write", source: "core", allowed: false }),
    );
    expect(tools).toContainEqual(expect.objectContaining({ name: "read", allowed: true }));
    const info = await openclaw(["tool", "info", "read"], place);
    expect(info.stdout).toMatch(/^policy +allowed/m);
    expect(info.stdout).toMatch(/^path +string +required/m);
    const unknown = await openclaw(["tool", "info", "raed", "--json"], place);
    expect(unknown.exitCode).toBe(4);
    expect(JSON.parse(unknown.stdout)).toMatchObject({
      error: {
        code: "TOOL_NOT_FOUND",
        kind: "not-found",
        message: expect.stringContaining('"read"'),
      },
    });
  });

  it("[HOST-032] runs a tool through policy, hooks and approval", async () => {
    const ran = await run("echo", { message: "hello" });
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain("hello");
    const denied = await run("write", { path: "a.txt", content: "x" });
    expect(denied.exitCode).toBe(3);
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    const blocked = await run("echo", { message: "secret plan" });
    expect(blocked.exitCode).toBe(3);
    expect(blocked.stdout).toContain("not this");
    const unattended = await run("exec", { command: "touch b.txt" });
    expect(unattended.exitCode).toBe(3);
    expect(unattended.stdout).toContain("approv");
    expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
  });

  it("rejects arguments that are not an object, and a session that does not exist", async () => {
    expect((await openclaw(["tool", "run", "echo", "--params", "[1]"], place)).exitCode).toBe(2);
    expect((await run("echo", { message: "x" }, "agent:main:nowhere")).exitCode).toBe(4);
  });
});

describe("commands without a gateway", () => {
  it("[GW-045] import no plugin unless they need one", async () => {
    using alone = emptyPlace();
    const marker = join(alone.state, "marker");
    const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "x"); export default { id: "eager", register() {} };`;
    alone.installPlugin("eager", code);
    const commands = [
      "plugins list",
      "status",
      "config validate",
      "config get",
      "sessions list",
      "usage",
      "db status",
      "secrets list",
      "approvals list",
      "gateway status",
    ];
    for (const command of commands) {
      const { exitCode } = await openclaw(command.split(" "), alone);
      expect(exitCode, command).toBe(command === "gateway status" ? 3 : 0);
      expect(existsSync(marker), command).toBe(false);
    }
    await openclaw(["plugins", "doctor"], alone);
    expect(existsSync(marker)).toBe(true);
  });

  it("[HOST-029] start no channel and no service of plugins; chat does", async () => {
    using alone = emptyPlace();
    const marker = join(alone.state, "marker");
    alone.installPlugin("guard", GUARD.replaceAll("process.env.MARKER", JSON.stringify(marker)));
    for (const args of [
      ["tool", "list"],
      ["hooks", "list"],
      ["plugins", "doctor"],
      ["policy", "explain", "read"],
    ]) {
      expect((await openclaw(args, alone)).exitCode, args.join(" ")).toBe(0);
    }
    expect(existsSync(marker)).toBe(false);
    expect((await openclaw(["chat", "-m", "hello"], alone)).exitCode).toBe(0);
    expect(existsSync(marker)).toBe(true);
  });
});
