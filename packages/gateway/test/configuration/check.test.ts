import { describe, expect, it } from "vitest";
import { checkConfiguration } from "../../src/configuration/check.js";
import { parseConfigurationDocument } from "../../src/configuration/document.js";
import { formatProblem } from "../../src/errors.js";

function check(text: string) {
  const found = checkConfiguration(parseConfigurationDocument(text, "openclaw.json"));
  return {
    ...found,
    errors: found.errors.map(formatProblem),
    warnings: found.warnings.map(formatProblem),
  };
}

const ROOT_KEYS =
  "$schema, gateway, logging, agents, tools, groups, channels, sandbox, approvals, plugins, skills, bindings, session, safety, store";

describe("the check of a configuration", () => {
  it("lets everything through that the manual shows", () => {
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
    ["gatway: {}", 'openclaw.json:1:3 gatway: unknown key; did you mean "gateway"?'],
    ["gateway: { prot: 1 }", 'openclaw.json:1:14 gateway.prot: unknown key; did you mean "port"?'],
    ["wholly: 1", `openclaw.json:1:3 wholly: unknown key; known keys here: ${ROOT_KEYS}`],
    ["__proto__: 1", `openclaw.json:1:3 __proto__: unknown key; known keys here: ${ROOT_KEYS}`],
    [
      "gateway: { constructor: 1 }",
      "openclaw.json:1:14 gateway.constructor: unknown key; known keys here: port, auth",
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
  ])("finds the unknown key in { %s }", (text, error) => {
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
  ])("says what is expected and what was found in { %s }", (text, error) => {
    const { errors } = check(`{ ${text} }`);
    expect(errors).toEqual([typeof error === "string" ? `openclaw.json:${error}` : error]);
  });

  it.each(["hunter2", `${"t".repeat(24)} t`])("does not repeat the token %j", (token) => {
    const { errors } = check(`{ gateway: { auth: { token: "${token}" } } }`);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`found a text of ${token.length} characters`);
    expect(errors[0]).not.toContain(token);
  });

  it("[PLUG-014] warns of unknown keys below plugins, and goes on", () => {
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

  it("still refuses a wrong value below plugins", () => {
    const { value, errors } = check('{ plugins: { entries: { x: { enabled: "yes" } } } }');
    expect(value).toBeUndefined();
    expect(errors).toEqual([
      'openclaw.json:1:30 plugins.entries.x.enabled: must be boolean, found "yes"',
    ]);
  });

  it.each([
    [
      'allow: "read"',
      'openclaw.json:1:12 tools.allow: expected a list of tool names, got string; write it as a list, for example ["exec"]',
    ],
    [
      "allow: [1]",
      "openclaw.json:1:20 tools.allow: bad entry: expected text, got number; write a tool name, a pattern, group:<name> or plugin:<id>",
    ],
    [
      'profile: "nope"',
      'openclaw.json:1:12 tools.profile: there is no profile "nope"; use one of minimal, coding, messaging, full',
    ],
    [
      'allow: ["a"], alsoAllow: ["b"]',
      'openclaw.json:1:26 tools.alsoAllow: "allow" and "alsoAllow" stand in the same object; move the entries of "alsoAllow" into "allow", or remove "allow"',
    ],
    [
      'byProvider: { openai: { allow: ["a"], alsoAllow: ["b"] } }',
      expect.stringContaining("openclaw.json:1:50 tools.byProvider.openai.alsoAllow:"),
    ],
  ])("tells once and with its place what policy finds in tools: { %s }", (text, error) => {
    expect(check(`{ tools: { ${text} } }`).errors).toEqual([error]);
  });

  it.each(["[]", "null", "42", '"text"'])("refuses %s in place of an object, once", (text) => {
    const { value, errors } = check(text);
    expect(value).toBeUndefined();
    expect(errors).toEqual([expect.stringMatching(/^openclaw\.json:1:1 .*object/)]);
  });

  it("reports every error, however many there are, in the order of the file", () => {
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

  it("tells of a wrong value behind many warnings", () => {
    const keys = Array.from({ length: 40 }, (_, index) => `unknown${index}: 1`);
    const { value, errors, warnings } = check(
      `{ plugins: { ${keys.join(", ")} }, gateway: { port: "x" } }`,
    );
    expect(value).toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(warnings).toHaveLength(40);
  });

  it("tells what the safety engine cannot use, with its place", () => {
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
