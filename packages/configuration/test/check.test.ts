import { describe, expect, it } from "vitest";
import { checkConfiguration } from "../src/check.js";
import { parseConfigurationDocument } from "../src/document.js";
import { formatProblem } from "../src/errors.js";

function check(text: string) {
  const found = checkConfiguration(parseConfigurationDocument(text, "openclaw.json"));
  return {
    ...found,
    errors: found.errors.map(formatProblem),
    warnings: found.warnings.map(formatProblem),
  };
}

const ROOT_KEYS =
  "$schema, gateway, logging, streaming, agents, models, tools, groups, channels, sandbox, approvals, plugins, skills, bindings, session, inbox, safety, embeddings, jobs, routines, heartbeat, speech, store, webhooks, mcpServers";

describe("checkConfiguration", () => {
  it("accepts everything in the manual", () => {
    const { value, errors, warnings } = check(`{
      gateway: { port: 0, auth: { token: "${"t".repeat(24)}" } },
      agents: { defaults: { model: "openai/gpt-4o", maxIterations: 50 } },
      tools: {
        deny: ["web_fetch"],
        approval: { write: "never" },
        timeouts: { exec: 300000 },
        fs: { roots: ["~/notes"] },
        http: { allowHosts: ["localhost:8080"] },
      },
      plugins: { deny: ["anthropic"], load: { paths: ["./my-plugin"] } },
      logging: { level: "info" },
      store: { durability: "process" },
    }`);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(value?.gateway?.port).toBe(0);
  });

  it.each([
    ["a letter outside Latin-1", "Bearer 李雷"],
    ["a line break", "Bearer a\\r\\nX-Other: b"],
  ])("[SAFE-500] rejects %s in a header of credentials, without its value", (_, value) => {
    const { errors } = check(
      `{ tools: { http: { credentials: [{ host: "a.example", headers: { Authorization: "${value}" } }] } } }`,
    );
    expect(errors).toEqual([
      expect.stringContaining("tools.http.credentials.0.headers.Authorization"),
    ]);
    expect(errors[0]).not.toContain("Bearer");
  });

  it.each([
    ["gatway: {}", 'openclaw.json:1:3 gatway: unknown key; did you mean "gateway"?'],
    ["gateway: { prot: 1 }", 'openclaw.json:1:14 gateway.prot: unknown key; did you mean "port"?'],
    ["wholly: 1", `openclaw.json:1:3 wholly: unknown key; known keys here: ${ROOT_KEYS}`],
    ["__proto__: 1", `openclaw.json:1:3 __proto__: unknown key; known keys here: ${ROOT_KEYS}`],
    [
      "gateway: { constructor: 1 }",
      "openclaw.json:1:14 gateway.constructor: unknown key; known keys here: enabled, port, shutdownTimeoutMs, bind, auth, unknownCommands, console, openai, anthropic, metrics, publicUrl, trustedHosts, allowedOrigins, trustedProxies, limits",
    ],
    [
      "agents: { main: { tols: {} } }",
      'openclaw.json:1:21 agents.main.tols: unknown key; did you mean "tools"?',
    ],
    [
      "tools: { byProvider: { openai: { alow: [] } } }",
      'openclaw.json:1:36 tools.byProvider.openai.alow: unknown key; did you mean "allow"?',
    ],
    [
      "tools: { elevated: true }",
      expect.stringContaining("openclaw.json:1:12 tools.elevated: unknown key"),
    ],
  ])("reports the unknown key in { %s }", (text, error) => {
    expect(check(`{ ${text} }`)).toMatchObject({ value: undefined, errors: [error] });
  });

  it.each([
    ['gateway: { port: "high" }', '1:14 gateway.port: must be integer, found "high"'],
    ["gateway: { port: 70000 }", "1:14 gateway.port: must be <= 65535, found 70000"],
    ["gateway: { port: NaN }", "1:14 gateway.port: must be integer, found NaN"],
    ["gateway: []", "1:3 gateway: must be object, found []"],
    [
      'logging: { level: "loud" }',
      '1:14 logging.level: must be one of "debug", "info", "warn", "error", "silent", found "loud"',
    ],
    ["plugins: { enabled: 3 }", "1:14 plugins.enabled: must be boolean, or must be array, found 3"],
    ["plugins: { enabled: [3] }", "1:24 plugins.enabled.0: must be string, found 3"],
    [
      `agents: { defaults: { model: [${'"a", '.repeat(99)}] } }`,
      expect.stringMatching(/agents\.defaults\.model: must be string, found .{80}…$/),
    ],
  ])("reports the expected and the actual value in { %s }", (text, error) => {
    const { errors } = check(`{ ${text} }`);
    expect(errors).toEqual([typeof error === "string" ? `openclaw.json:${error}` : error]);
  });

  it.each(["hunter2", `${"t".repeat(24)} t`])("does not repeat the token %j", (token) => {
    const { errors } = check(`{ gateway: { auth: { token: "${token}" } } }`);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`found a string of ${token.length} characters`);
    expect(errors[0]).not.toContain(token);
  });

  it("[PLUG-014] warns about unknown keys below plugins and continues", () => {
    const { value, errors, warnings } = check(
      "{ plugins: { enabeld: true, entries: { x: { colour: 1 } } } }",
    );
    expect(errors).toEqual([]);
    expect(value).toBeDefined();
    expect(warnings).toEqual([
      'openclaw.json:1:14 plugins.enabeld: unknown key; did you mean "enabled"?',
      expect.stringContaining(
        "openclaw.json:1:45 plugins.entries.x.colour: unknown key; known keys",
      ),
    ]);
  });

  it("rejects an invalid value below plugins", () => {
    const { value, errors } = check('{ plugins: { entries: { x: { enabled: "yes" } } } }');
    expect(value).toBeUndefined();
    expect(errors).toEqual([
      'openclaw.json:1:30 plugins.entries.x.enabled: must be boolean, found "yes"',
    ]);
  });

  it.each([
    [
      'allow: "read"',
      'openclaw.json:1:12 tools.allow: must be array, found "read"; for example ["exec"]',
    ],
    ["allow: [1]", 'openclaw.json:1:20 tools.allow.0: must be string, found 1; for example "exec"'],
    [
      'allow: ["\\u0007"]',
      "openclaw.json:1:20 tools.allow: bad entry: expected no control characters; write a tool name, a pattern, group:<name> or plugin:<id>",
    ],
    [
      'profile: "nope"',
      'openclaw.json:1:12 tools.profile: unknown profile "nope"; use one of minimal, coding, messaging, full',
    ],
    [
      'allow: ["a"], alsoAllow: ["b"]',
      'openclaw.json:1:26 tools.alsoAllow: "allow" and "alsoAllow" are in the same object; move the entries of "alsoAllow" into "allow", or remove "allow"',
    ],
    [
      'byProvider: { openai: { allow: ["a"], alsoAllow: ["b"] } }',
      expect.stringContaining("openclaw.json:1:50 tools.byProvider.openai.alsoAllow:"),
    ],
  ])("[POL-037] reports an error in tools: { %s } once and with its location", (text, error) => {
    expect(check(`{ tools: { ${text} } }`).errors).toEqual([error]);
  });

  it("[POL-037] reports type errors with location, key and example in every section with tool rules", () => {
    const { value, errors } = check(`{
      tools: {
        default: "block", profile: 7, groups: [], other: 1,
        profiles: { a: null, b: { allows: [] } },
        byProvider: { openai: { deny: [""] } },
        sandbox: { tools: { alsoAllow: [] } },
        subagents: { tools: { denied: [] } },
      },
      agents: { main: { tools: { grups: {}, deny: null, timeouts: {} } } },
      groups: { a: { tools: { alsoAllow: [], enabled: "no" } } },
      channels: { web: { groups: { b: { tools: { toolsBySender: { "*": { allowed: [] } } } } } } },
      sandbox: true,
    }`);
    expect(value).toBeUndefined();
    expect(errors.map((error) => error.replace("openclaw.json:", ""))).toEqual([
      '3:9 tools.default: must be one of "allow", "deny", found "block"; for example "deny"',
      '3:27 tools.profile: must be string, found 7; for example "coding"',
      '3:39 tools.groups: must be object, found []; for example {"files":["read","write"]}',
      expect.stringContaining("3:51 tools.other: unknown key; known keys here: profile, allow"),
      '4:21 tools.profiles.a: must be object, found null; for example {"deny":["exec"]}',
      '4:35 tools.profiles.b.allows: unknown key; did you mean "allow"?',
      expect.stringMatching(
        /^5:40 tools\.byProvider\.openai\.deny\.0: .+, found ""; for example "exec"$/,
      ),
      "6:29 tools.sandbox.tools.alsoAllow: unknown key; known keys here: allow, deny",
      '7:31 tools.subagents.tools.denied: unknown key; did you mean "deny"?',
      expect.stringContaining(
        "9:34 agents.main.tools.grups: unknown key; known keys here: profile",
      ),
      '9:45 agents.main.tools.deny: must be array, found null; for example ["exec"]',
      expect.stringContaining("9:57 agents.main.tools.timeouts: unknown key; known keys here: "),
      expect.stringContaining("10:31 groups.a.tools.alsoAllow: unknown key; known keys here: "),
      '10:46 groups.a.tools.enabled: must be boolean, found "no"; for example false',
      expect.stringContaining('toolsBySender.*.allowed: unknown key; did you mean "allow"?'),
      '12:7 sandbox: must be object, found true; for example {"tools":{"deny":["exec"]}}',
    ]);
  });

  it("[POL-037] reports rule violations together with type errors", () => {
    const { errors } = check(`{
      tools: { deny: "exec", profile: "codng", profiles: { office: 3 }, groups: { a: ["group:a"] } },
      agents: { main: { tools: { profile: "office", tols: 1 } } },
      bindings: [{ agentId: "ghost", match: { channel: "web" }, colour: 1 }],
    }`);
    expect(errors.map((error) => error.replace("openclaw.json:", ""))).toEqual([
      '2:16 tools.deny: must be array, found "exec"; for example ["exec"]',
      '2:30 tools.profile: unknown profile "codng"; did you mean "coding"?',
      '2:60 tools.profiles.office: must be object, found 3; for example {"deny":["exec"]}',
      expect.stringContaining('2:87 tools.groups.a: group "a" contains itself'),
      expect.stringContaining("3:53 agents.main.tools.tols: unknown key; known keys here: "),
      expect.stringContaining('bindings[0].agentId: agent "ghost" not found; add agents.ghost'),
      "4:65 bindings.0.colour: unknown key; known keys here: agentId, match",
    ]);
  });

  it.each(["[]", "null", "42", '"text"'])("rejects %s instead of an object, once", (text) => {
    const { value, errors } = check(text);
    expect(value).toBeUndefined();
    expect(errors).toEqual([expect.stringMatching(/^openclaw\.json:1:1 .*object/)]);
  });

  it("reports every error in the order of the file, however many there are", () => {
    const keys = Array.from({ length: 40 }, (_, index) => `unknown${index}`);
    const { value, errors } = check(
      `{\n${keys.map((key) => `${key}: 1,`).join("\n")}\ngateway: { port: "x" } }`,
    );
    expect(value).toBeUndefined();
    expect(errors).toHaveLength(41);
    expect(errors.map((error) => Number(error.split(":")[1]))).toEqual(
      errors.map((_, index) => index + 2),
    );
  });

  it.each([
    [
      'gateway: { bind: "everywhere" }',
      /gateway\.bind: does not have the form of this key, found "everywhere"; expected: `loopback`, `lan`/,
    ],
    [
      'models: { providers: { x: { type: "openai-compatible", baseUrl: "x" } } }',
      /baseUrl: does not have the form of this key, found "x"; expected: URL of the API/,
    ],
    ["webhooks: { x: {} }", /webhooks\.x: lacks text$/],
    [
      'routines: { timezone: "Mars/Base" }',
      /1:15 routines\.timezone: "Mars\/Base" is not a time zone; expected an IANA name, for example/,
    ],
  ])("[GW-210] says in words what { %s } has to be", (text, error) => {
    expect(check(`{ ${text} }`).errors).toEqual(
      expect.arrayContaining([expect.stringMatching(error)]),
    );
  });

  it("reports an invalid value after many warnings", () => {
    const keys = Array.from({ length: 40 }, (_, index) => `unknown${index}: 1`);
    const { value, errors, warnings } = check(
      `{ plugins: { ${keys.join(", ")} }, gateway: { port: "x" } }`,
    );
    expect(value).toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(warnings).toHaveLength(40);
  });

  it("reports settings that the safety engine cannot use, with their location", () => {
    const { value, errors } = check(
      "{\n  safety: {\n    rules: { nope: { enabled: false } },\n  },\n}",
    );
    expect(value).toBeUndefined();
    expect(errors).toEqual([expect.stringMatching(/^openclaw\.json:3:14 safety\.rules\.nope: /)]);
    expect(check("{ safety: { rules: {}, added: [] } }").errors).toEqual([]);
    expect(check("{ safety: { rules: 1 } }").errors).toEqual([
      expect.stringMatching(/^openclaw\.json:1:13 safety\.rules: /),
    ]);
  });
});
