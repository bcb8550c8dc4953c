import { describe, expect, it } from "vitest";
import { commandAmong, createSafetyRules, inspectParameters } from "../../src/index.js";

const PASSWD = "/etc/passwd; rm -rf x DROP TABLE a";

async function fieldsOf(params: unknown, options?: Parameters<typeof inspectParameters>[1]) {
  const { blocked, findings } = await inspectParameters(params, options);
  return {
    blocked,
    found: findings.map(({ field, rule, action }) => `${field} ${rule} ${action}`),
  };
}

describe("inspectParameters", () => {
  it("[SAFE-041] applies only the rules for files to paths and URLs", async () => {
    for (const name of ["path", "file_path", "targetDir", "cwd", "url", "endpoint"]) {
      expect(await fieldsOf({ [name]: PASSWD }), name).toEqual({
        blocked: true,
        found: [`${name} system_file_access block`],
      });
      expect(await fieldsOf({ [name]: "../x" })).toEqual({
        blocked: false,
        found: [`${name} path_traversal warn`],
      });
    }
  });

  it("[SAFE-041] only warns in prose and in bodies of files", async () => {
    for (const name of [
      "content",
      "text",
      "body",
      "old_string",
      "newString",
      "prompt",
      "message",
    ]) {
      expect(await fieldsOf({ [name]: PASSWD }), name).toEqual({
        blocked: false,
        found: [
          `${name} system_file_access warn`,
          `${name} shell_injection warn`,
          `${name} sql_pattern warn`,
        ],
      });
    }
  });

  it("[SAFE-041] applies the shell rules to commands", async () => {
    const { blocked, needsReview, findings, commands } = await inspectParameters({
      command: "cat ../.env && rm -rf build",
    });
    expect({ blocked, needsReview, findings }).toEqual({
      blocked: false,
      needsReview: true,
      findings: [],
    });
    expect(commands).toMatchObject([
      { field: "command", command: { complete: true }, evaluation: { class: "explicit" } },
    ]);
    expect(await inspectParameters({ cmd: "rm -rf /" })).toMatchObject({ blocked: true });
    expect(await inspectParameters({ cmd: "ls" })).toMatchObject({
      blocked: false,
      needsReview: false,
    });
  });

  it("[SAFE-041] applies all rules to unknown roles", async () => {
    expect(await fieldsOf({ value: PASSWD })).toEqual({
      blocked: true,
      found: [
        "value system_file_access block",
        "value shell_injection block",
        "value sql_pattern warn",
      ],
    });
    expect(await fieldsOf({ value: "x = base64_decode(y)" })).toEqual({
      blocked: false,
      found: ["value encoded_exploit sanitize"],
    });
  });

  it("[SAFE-041] takes roles from the schema, and otherwise from names", async () => {
    const schema = {
      properties: {
        value: { format: "uri" },
        content: { "x-safety-role": "path" },
        list: { items: { properties: { value: { format: "markdown" } } } },
        path: { format: "unknown-format" },
      },
    };
    const params = { value: PASSWD, content: PASSWD, list: [{ value: PASSWD }], path: PASSWD };
    expect((await fieldsOf(params, { schema })).found).toEqual([
      "value system_file_access block",
      "content system_file_access block",
      "list[0].value system_file_access warn",
      "list[0].value shell_injection warn",
      "list[0].value sql_pattern warn",
      "path system_file_access block",
    ]);
    const roles = { "a.b": "prose", "list[0]": "prose" } as const;
    const stated = await fieldsOf({ a: { b: "/etc/passwd" }, list: ["/etc/passwd"] }, { roles });
    expect(stated).toMatchObject({ blocked: false });
  });

  it("inherits the role of the enclosing parameter", async () => {
    expect((await fieldsOf({ content: { deep: ["/etc/passwd"] } })).blocked).toBe(false);
    expect((await fieldsOf({ paths: ["/etc/passwd"] })).blocked).toBe(true);
    expect((await fieldsOf(["/etc/passwd", 1, null])).found).toEqual([
      "[0] system_file_access block",
    ]);
    expect((await fieldsOf("/etc/passwd")).found).toEqual([" system_file_access block"]);
  });

  it("blocks parameters that fail the validation without further checks", async () => {
    const result = await inspectParameters({ path: "/etc/passwd", command: "ls\0" });
    expect(result).toMatchObject({
      blocked: true,
      errors: [{ code: "InvalidEncoding", field: "command" }],
      findings: [],
      commands: [],
    });
  });

  it("applies added rules to every role, and warns of secrets", async () => {
    const rules = createSafetyRules({
      added: [
        {
          id: "forbidden_word",
          title: "a word",
          reason: "It is not wanted.",
          severity: "low",
          kind: "policy",
          pattern: "xyzzy",
          actions: { params: "review" },
          examples: { match: ["xyzzy"], clean: ["xyz"] },
        },
      ],
    });
    const result = await inspectParameters({ command: "echo xyzzy", path: "xyzzy" }, { rules });
    expect(result).toMatchObject({ blocked: false, needsReview: true });
    expect(result.findings.map(({ field }) => field)).toEqual(["command", "path"]);
    expect((await fieldsOf({ content: "AKIAIOSFODNN7EXAMPLE" })).found).toEqual([
      "content aws_access_key warn",
    ]);
    expect((await fieldsOf({ content: `openclaw_credential_${"a".repeat(16)}` })).blocked).toBe(
      true,
    );
  });
});

describe("commandAmong", () => {
  it("returns the same command as inspectParameters once the grammar is loaded", async () => {
    const schema = { properties: { run: { format: "shell" } } };
    for (const params of [
      { run: "git status | wc" },
      { cmd: "ls", command: "pwd" },
      { path: "a" },
    ]) {
      const { commands } = await inspectParameters(params, { schema });
      expect(commandAmong(params, { schema })).toEqual(commands[0]?.command);
    }
  });

  it("does not read a command that is too long", async () => {
    await inspectParameters({ command: "ls" });
    const source = `ls ${"a".repeat(20_000)}`;
    const unread = { source, complete: false, commands: [], definitions: [], features: [] };
    expect(commandAmong({ command: source })).toEqual(unread);
  });
});
