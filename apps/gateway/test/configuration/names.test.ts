import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { setCommand } from "../../src/configuration/change-commands.js";
import { inspectOperatorConfiguration } from "../../src/configuration/inspection.js";
import { createScreen } from "../support/screen.js";

/** A new state folder, and `config set` in it. */
function newState() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "skills/notes/SKILL.md": "---\nname: notes\ndescription: Keeps notes.\n---\n" });
  const environment = { OPENCLAW_STATE_DIR: folder.path, HOME: folder.path };
  return {
    folder,
    environment,
    async set(key: string, value: string) {
      const screen = createScreen();
      try {
        await setCommand(key, value, {}, { terminal: screen.terminal, environment });
        return screen.text;
      } catch (error) {
        if (!ConfigurationError.isInstance(error)) throw error;
        return `rejected: ${error.problems.map(({ message, suggestion }) => `${message}; ${suggestion}`).join("\n")}`;
      }
    },
  };
}

/** Values that name nothing, and part of the message with which they are rejected. */
const REJECTED: readonly (readonly [key: string, value: string, message: string])[] = [
  ["agents.defaults.model", "opnai/gpt-5", 'did you mean "openai/gpt-5"?'],
  ["agents.defaults.model", "opnai", 'did you mean "openai"?'],
  ["agents.defaults.model", "nowhere/x", 'provider "nowhere" does not exist'],
  ["agents.defaults.model", "demo/nope", 'use "demo/echo"'],
  ["agents.defaults.fallbacks", '["demo/nope"]', 'use "demo/echo"'],
  ["agents.defaults.fallbacks", '[{ model: "nowhere/x" }]', "nowhere"],
  ["agents.main.model", "nowhere/x", "define models.providers.nowhere"],
  ["agents.main.fallbacks", '["antropic/x"]', 'did you mean "anthropic/x"?'],
  ["agents.defaults.agentRuntime.id", "nowhere", 'agent harness "nowhere" not found'],
  ["models.routing.simple", "nowhere/x", "nowhere"],
  ["models.fallbacks", '{ "opnai/x": ["openai/y"] }', 'did you mean "openai/x"?'],
  ["models.fallbacks", '{ "openai/x": ["nowhere/y"] }', "nowhere"],
  ["models.agentRuntimes", '{ opnai: { id: "auto" } }', 'did you mean "openai"?'],
  ["models.agentRuntimes", '{ openai: { id: "nowhere" } }', "agent harness"],
  ["gateway.openai.models", '["nowhere/x"]', "nowhere"],
  ["heartbeat.model", "nowhere/x", "nowhere"],
  ["heartbeat.agentId", "nowhere", 'agent "nowhere" not found; add it to agents'],
  ["heartbeat.channel", "telegrm", 'did you mean "telegram"?'],
  ["plugins.allow", '["telegrm"]', 'did you mean "telegram"?'],
  ["plugins.deny", '["memroy"]', 'did you mean "memory"?'],
  ["plugins.disabled", '["memroy"]', 'did you mean "memory"?'],
  ["plugins.enabled", '["memroy"]', 'did you mean "memory"?'],
  ["plugins.slots.memory", "nowhere", "install it first"],
  ["tools.deny", '["exce"]', 'did you mean "exec"?'],
  ["tools.deny", '["group:runtme"]', 'did you mean "group:runtime"?'],
  ["tools.allow", '["plugin:memroy"]', 'did you mean "plugin:memory"?'],
  ["agents.main.tools.deny", '["exce"]', 'did you mean "exec"?'],
  ["groups.team.tools.deny", '["exce"]', 'did you mean "exec"?'],
  ["tools.approval", '{ exce: "always" }', 'did you mean "exec"?'],
  ["tools.timeouts.exce", "1000", 'did you mean "exec"?'],
  ["tools.rateLimits.exce", "10", 'did you mean "exec"?'],
  ["tools.search.defer", '["memory_spacse"]', 'did you mean "memory_spaces"?'],
  ["tools.byProvider", '{ opnai: { deny: ["exec"] } }', 'did you mean "openai"?'],
  ["tools.webSearch.provider", "nowhere", "searxng"],
  ["speech.provider", "nowhere", "openai-audio"],
  ["embeddings.provider", "nowhere", "local"],
  ["embeddings.model", "nowhere", "use one of: embeddings-en-v2"],
  ["embeddings.model", "local/lexica", 'did you mean "lexical"?'],
  ["embeddings.model", "nowhere/x", 'embedding provider "nowhere" not found'],
  ["logging.levels", '{ plugin: "debug" }', 'did you mean "plugins"?'],
  ["logging.levels", '{ constructor: "debug" }', "use one of: approvals, gateway"],
  ["gateway.anthropic.models", '{ "*": "nowhere/x" }', 'provider "nowhere" does not exist'],
  ["gateway.anthropic.models", '{ "*": "openclaw/nobody" }', 'agent "nobody" not found'],
  ["skills.hide", '["notse"]', 'did you mean "notes"?'],
  ["skills.agents.main.hide", '["notse"]', 'did you mean "notes"?'],
  ["bindings", '[{ agentId: "main", match: { channel: "telegrm" } }]', 'did you mean "telegram"?'],
  ["approvals.approvers", '["telegrm:1"]', 'did you mean "telegram"?'],
  ["approvals.delivery.exec.targets", '[{ channel: "telegrm", to: "1" }]', "telegram"],
  ["skills.agents", "{ mian: { hide: [] } }", 'did you mean "main"?'],
  ["models.fallbacks", '{ echo: ["demo/echo"] }', "write provider/model"],
  [
    "plugins.entries.lobster.hooks.timeouts",
    "{ before_tool_cal: 5 }",
    'did you mean "before_tool_call"?',
  ],
];

const TELEGRAM = `botToken: "123456:${"A".repeat(35)}"`;
const ALICE = "does not have the form of the ID of a";

/** Values that cannot work: IDs of people in the form of another channel, and entries of MCP servers. */
const UNWORKABLE: typeof REJECTED = [
  ["channels.telegram", `{ ${TELEGRAM}, owners: ["@alice"] }`, ALICE],
  ["channels.telegram", `{ ${TELEGRAM}, accounts: { work: { allowFrom: ["al"] } } }`, ALICE],
  ["channels.telegram", `{ ${TELEGRAM}, groups: { family: {} } }`, ALICE],
  ["channels.slack", '{ botToken: "x", signingSecret: "x", owners: ["alice"] }', "U024BE7LH"],
  ["channels.slack", '{ botToken: "x", signingSecret: "x", allowFrom: [4711] }', "member ID"],
  ["approvals.approvers", '["telegram:alice"]', ALICE],
  ["approvals.delivery.exec.targets", '[{ channel: "telegram", to: "alice" }]', ALICE],
  ["bindings", '[{ agentId: "main", match: { channel: "telegram", peer: "al" } }]', ALICE],
  ["heartbeat", '{ channel: "telegram", to: "alice" }', ALICE],
  [
    "webhooks.a",
    `{ secret: "${"x".repeat(24)}", text: "a", deliver: { channel: "telegram", to: "al" } }`,
    ALICE,
  ],
  ["mcpServers.a", "{}", "neither `command` nor `url`"],
  ["mcpServers.a", '{ command: "node", url: "https://h/" }', "both `command` and `url`"],
  ["mcpServers.a", '{ url: "h" }', "not an http or https URL"],
  ["mcpServers.a", '{ url: "https://u:p@h/" }', "has a user name or a password"],
  ["mcpServers.a", '{ url: "https://h/", sandbox: {} }', "is for a `command` only"],
  ["mcpServers.a", '{ type: "sse", command: "node" }', "does not fit to `command`"],
  ["mcpServers.a", '{ command: "node", oauth: {} }', "is for a `url` only"],
  ["mcpServers.a", '{ url: "https://h/", headers: { "a b": "1" } }', "not the name of a header"],
  ["mcpServers.a", '{ url: "https://h/", headers: { A: "1\\n2" } }', "cannot be sent in a header"],
  ["mcpServers.a", '{ command: "node", env: { "A=B": "1" } }', "cannot be the name of a variable"],
  ["mcpServers.a", '{ command: "node", env: { A: "1\\0" } }', "NUL character"],
  ["mcpServers.a", '{ command: "node", sandbox: { folders: ["rel"] } }', "is not absolute"],
  [`mcpServers.${"x".repeat(65)}`, '{ command: "node" }', "at most 64 characters"],
  ["tools.fs.roots", '["rel"]', "is not an absolute path"],
  [
    "plugins.entries.memory.config",
    '{ timeZone: "Mars/One" }',
    "expected: Time zone of daily notes",
  ],
  ["plugins.entries.memory.env", '{ "A B": "1" }', "cannot be the name of a variable"],
  ["plugins.entries.memory.env", '{ A: "1\\0" }', "NUL character"],
];

const HOOKS = "plugins.entries.declarative-hooks.config";
const DESK = 'type: "openai-compatible", baseUrl: "http://desk/v1"';

/** Values that contradict others or themselves, and settings that only the plugin understands. */
const CONTRADICTORY: typeof REJECTED = [
  [`${HOOKS}.hooks`, '["x"]', "expected an object, got"],
  [`${HOOKS}.hooks`, '[{ name: "a", points: ["nope"], action: { type: "shel" } }]', "shell"],
  [`${HOOKS}.rules`, '[{ name: "a", points: ["beforeInbound"], whenRegex: "(" }]', 'hook "a"'],
  [
    `${HOOKS}.outbound_webhooks`,
    '[{ name: "a", url: "ftp://h/", points: [] }]',
    "its URL is denied",
  ],
  ["plugins.entries.guardrails.config.rate_limit_gaurd", "true", 'mean "rate_limit_guard"?'],
  ["plugins.entries.channel-guidance.config.guides", '{ telegrm: "x" }', 'mean "telegram"?'],
  ["plugins.entries.channel-guidance.config.sendingTools", '["mesage"]', 'mean "message"?'],
  ["plugins.entries.openai.config.baseURL", "nope", "expected: URL of the API"],
  ["channels.discord", '{ botToken: "x", applicationId: "1", publicKey: "zz" }', "64 hexadecimal"],
  ["channels.telegram.accounts", '{ "a/b": {} }', "cannot be the name of an account"],
  ["tools.groupPolicies", '[{ channel: "telegram", group: "x", deny: ["exec"] }]', ALICE],
  ["plugins.slots.memory", "openai", "is not of kind memory"],
  ["plugins.load.paths", '["/etc/hostname"]', "is not a plugin"],
  ["agents.defaults.workspace", "/etc/hostname", "is a file; expected a folder"],
  ["agents.defaults.workspace", '""', "must not have fewer than 1 characters"],
  ["mcpServers.a", '{ command: "/" }', "is a folder; expected a file"],
  ["agents.defaults.model", "openai/", "names no model"],
  ["agents.defaults.model", "/gpt-5", "expected provider/model"],
  ["models.fallbacks", '{ "openai/x": ["openai/x"] }', "it is the fallback of"],
  ["models.retry", "{ baseMs: 10, maxWaitMs: 5 }", "10 is above models.retry.maxWaitMs"],
  ["models.failover.cooldownMs", "300001", "is above models.failover.maxCooldownMs"],
  ["models.failover.firstResponseMs", "300001", "is above models.timeoutMs"],
  [
    "models.providers.desk",
    `{ ${DESK}, models: { m: { contextTokens: 1, maxOutputTokens: 2 } } }`,
    "above contextTokens",
  ],
  ["jobs", "{ timeoutSeconds: 10, stuckSeconds: 11 }", "above jobs.timeoutSeconds"],
  ["approvals.delivery.exec.mode", "targets", "there are no targets"],
  ["heartbeat.to", "5", "which is not named"],
  ["heartbeat.quietHours", '{ from: "07:00", to: "07:00" }', "begin and end at 07:00"],
];

/** Values of a wrong form, with which a file is not loaded either. */
const MALFORMED: typeof REJECTED = [
  ["gateway.anthropic.models", '{ "claude-*-4": "demo/echo" }', "for example claude-haiku-*"],
  ["heartbeat.timezone", "Mars/One", "for example Europe/Berlin"],
  [
    "models.providers.desk",
    '{ type: "openai-compatible", baseUrl: "http://desk/v1", headers: { "a b": "1" } }',
    "X-Team",
  ],
  ["tools.http.credentials", '[{ host: "h.example", headers: { "a b": "1" } }]', "X-Team"],
  ["safety.binaries.allow", '["rm -rf"]', "must match pattern"],
  ["safety.forbidden", '[""]', "must not have fewer"],
  ["gateway.trustedHosts", '["nas.local:70000"]', "port above 65535"],
  ["store.url", "postgres://", "postgres://<user>@<host>"],
];

/** Rules and lists that may name what is installed later. */
const LATER: readonly (readonly [key: string, value: string])[] = [
  ["plugins.deny", '["payroll-suite"]'],
  ["plugins.allow", '["payroll-suite"]'],
  ["tools.deny", '["payroll_transfer"]'],
  ["tools.approval", '{ payroll_transfer: "always" }'],
  ["tools.timeouts", "{ payroll_transfer: 1000 }"],
  ["tools.search.defer", '["payroll_*"]'],
  ["models.agentRuntimes", '{ "payroll-models": { id: "auto" } }'],
  ["skills.hide", '["payroll"]'],
];

/** Values that name what exists, in each way of naming it. */
const ACCEPTED: readonly (readonly [key: string, value: string])[] = [
  ["agents.defaults.model", "openai/anything-new"],
  ["agents.defaults.model", '"openai/in-quotes"'],
  ["gateway.auth.tokens", "[]"],
  ["jobs", "{ timeoutSeconds: 10 }"],
  ["models.timeoutMs", "1000"],
  ["plugins.entries.guardrails.config.rate_limit_guard", "true"],
  [`${HOOKS}.rules`, '[{ name: "a", points: ["beforeInbound"], when: "x", reject: "no" }]'],
  ["agents.defaults.model", "Gemini/x"],
  ["agents.defaults.model", "demo/echo"],
  ["plugins.deny", '["telegram"]'],
  ["plugins.slots.memory", "none"],
  ["tools.deny", '["exec", "memory_*", "group:web", "create_job", "routine_create", "web_search"]'],
  ["tools.approval", '{ exec: "always", message: "always" }'],
  ["tools.webSearch.provider", "searxng"],
  ["embeddings.provider", "openai"],
  ["heartbeat.agentId", "main"],
  ["heartbeat.timezone", "Europe/Berlin"],
  ["logging.levels", '{ plugins: "debug" }'],
  ["gateway.anthropic.models", '{ "claude-haiku-*": "openai/x", "*": "openclaw/main" }'],
  ["embeddings.model", "lexical"],
  ["skills.hide", '["notes"]'],
  ["channels.telegram", `{ ${TELEGRAM}, owners: [4711], allowFrom: ["*", "42"] }`],
  ["approvals.approvers", '["telegram:4711", "cli:me"]'],
  ["mcpServers.a", '{ command: "node", env: { A_B: "1" }, sandbox: { folders: ["/"] } }'],
  ["mcpServers.a", '{ url: "https://h/", headers: { Authorization: "Bearer 1" } }'],
  ["mcpServers.a", "{ enabled: false }"],
];

describe("config set", () => {
  it("[GW-280] rejects names of models, plugins, tools and others that nothing has, with the nearest one", async () => {
    const { set } = newState();
    const outcomes = [];
    for (const [key, value, message] of [...REJECTED, ...MALFORMED]) {
      const text = await set(key, value);
      const isRejected = text.startsWith("rejected: ") && text.includes(message);
      if (!isRejected) outcomes.push(`${key} ${value}: ${text}`);
    }
    expect(outcomes).toEqual([]);
  });

  it("[GW-504] [GW-505] [GW-507] [GW-508] rejects IDs in another form than that of their channel, and entries that cannot work", async () => {
    const { set } = newState();
    const outcomes = [];
    for (const [key, value, message] of [...UNWORKABLE, ...CONTRADICTORY]) {
      const text = await set(key, value);
      const isRejected = text.startsWith("rejected: ") && text.includes(message);
      if (!isRejected) outcomes.push(`${key} ${value}: ${text}`);
    }
    expect(outcomes).toEqual([]);
  });

  it.each([
    ["plugins.load.paths", '["rel"]', "rel starts at the folder in which"],
    ["skills.folders", '["rel"]', "rel starts at the workspace"],
    ["mcpServers.a", '{ command: "node", cwd: "rel" }', "rel starts at the folder in which"],
    ["mcpServers.a", '{ command: "no-such-program" }', 'no program "no-such-program" was found'],
    ["mcpServers.a b", '{ command: "node" }', 'tools begin with "a_b"'],
    ["agents.defaults.workspace", "/nowhere/a", "does not exist, and is created"],
    ["store.url", "file:/nowhere/a.db", "/nowhere/a.db does not exist, and is created"],
    ["mcpServers.a", '{ command: "./bin/srv" }', "starts at the folder of the server"],
    ["mcpServers.a", '{ command: "./srv", cwd: "/tmp" }', "/tmp/srv does not exist"],
    ["mcpServers.a__b", '{ command: "node" }', "__ separates the server from the tool"],
    ["plugins.entries.memory.config.folders", '[{ path: "/nowhere" }]', "/nowhere does not exist"],
    ["gateway.bind", "192.0.2.7", "this machine does not have the address 192.0.2.7"],
    ["agents.defaults.model", "gpt-5", "has no provider in front"],
    ["channels.telegram.dmPolicy", "allowlist", "no direct message is accepted"],
    ["channels.telegram.senders", '{ mode: "allowlist" }', "no message is accepted"],
    ["mcpServers.a", '{ command: "node", tools: { allow: ["x"], deny: ["x"] } }', "deny too"],
  ])("[GW-506] [GW-507] [GW-508] warns about %s of %s", async (key, value, message) => {
    const text = await newState().set(key, value);
    expect(text).toContain("Set ");
    expect(text).toMatch(/warning: /);
    expect(text).toContain(message);
  });

  it("[GW-280] warns about rules and lists for what is not installed yet, and writes them", async () => {
    for (const [key, value] of LATER) {
      const text = await newState().set(key, value);
      expect(text, key).toContain("Set ");
      expect(text, key).toMatch(/warning: .*(not found|matches no)/);
    }
  });

  it("[GW-280] warns about a tool that resembles another one when an installed plugin gets its tools while it runs", async () => {
    const { folder, set } = newState();
    folder.write({
      "extensions/parts/openclaw.plugin.json": JSON.stringify({
        ...{ id: "parts", configSchema: { type: "object" } },
        permissions: { tools: ["*"] },
      }),
      "extensions/parts/index.js": "export default { id: 'parts', register() {} };",
    });
    const text = await set("tools.approval", '{ exce: "always" }');
    expect(text).toContain("Set tools.approval");
    expect(text).toMatch(/warning: .*tool "exce" not found; did you mean "exec"\?/);
  });

  it("[GW-280] accepts what exists without a warning", async () => {
    for (const [key, value] of ACCEPTED) {
      const text = await newState().set(key, value);
      expect(text, key).toContain("Set ");
      expect(text, key).not.toContain("warning");
    }
  });

  it("[GW-500] rejects an account that resembles one of its channel, and warns about others", async () => {
    const { set } = newState();
    await set("channels.telegram.accounts.work.enabled", "false");
    const binding = (accountId: string) =>
      `[{ agentId: "main", match: { channel: "telegram", accountId: "${accountId}" } }]`;
    expect(await set("bindings", binding("wrok"))).toContain('did you mean "work"?');
    expect(await set("bindings", binding("home"))).toMatch(
      /warning: .*channel "telegram" has no account "home"/,
    );
    expect(await set("bindings", binding("work"))).not.toContain("warning");
    expect(await set("heartbeat.accountId", "work")).toContain("set heartbeat.channel too");
    expect(await set("heartbeat.channel", "telegram")).not.toContain("warning");
    const target = '[{ channel: "telegram", to: "1", accountId: "wrok" }]';
    expect(await set("approvals.delivery.tool.targets", target)).toContain("rejected");
  });

  it.each([
    ["plugins.load.paths", '["/nowhere/a"]'],
    ["skills.folders", '["~/nowhere"]'],
    ["tools.fs.roots", '["/nowhere/a"]'],
    ["mcpServers.files", '{ command: "/nowhere/a" }'],
    ["mcpServers.files", '{ command: "node", cwd: "/nowhere/a" }'],
  ])("[GW-501] warns about a path of %s that does not exist: %s", async (key, value) => {
    const text = await newState().set(key, value);
    expect(text).toContain("Set ");
    expect(text).toMatch(/warning: .*nowhere.* does not exist/);
  });

  it("[GW-280] changes other keys of a file with such a name", async () => {
    const { folder, set } = newState();
    writeFileSync(join(folder.path, "openclaw.json"), '{ tools: { deny: ["exce"] } }');
    expect(await set("heartbeat.agentId", "main")).toContain("Set heartbeat.agentId");
    expect(await set("tools.default", "deny")).toContain("Set tools.default");
  });
});

describe("a file that was edited by hand", () => {
  it("[GW-281] is loaded, and config validate and doctor name the same problems as config set", async () => {
    const missing = [];
    for (const [key, value, message] of REJECTED) {
      const { folder, environment } = newState();
      const path = key.split(".").map((step) => JSON.stringify(step));
      const isLiteral = /^[[{\d]/.test(value);
      const text = path.reduceRight(
        (inner, step) => `{ ${step}: ${inner} }`,
        isLiteral ? value : JSON.stringify(value),
      );
      writeFileSync(join(folder.path, "openclaw.json"), text);
      const { errors, warnings } = await inspectOperatorConfiguration(environment);
      const found = warnings.some((each) =>
        `${each.message}; ${each.suggestion}`.includes(message),
      );
      if (errors.length > 0 || !found) missing.push(`${key} ${JSON.stringify([errors, warnings])}`);
    }
    expect(missing).toEqual([]);
  });
});
