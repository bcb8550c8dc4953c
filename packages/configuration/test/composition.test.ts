import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { type LoadedConfiguration, loadConfiguration } from "../src/configuration.js";
import { ConfigurationError, formatProblem } from "../src/errors.js";

const load = (folder: TemporaryFolder, environment: NodeJS.ProcessEnv = {}) =>
  loadConfiguration(join(folder.path, "openclaw.json"), { environment });

async function problemsOf(loading: Promise<LoadedConfiguration>, folder: TemporaryFolder) {
  try {
    await loading;
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return error.problems.map((problem) =>
      formatProblem(problem).replaceAll(`${folder.path}/`, ""),
    );
  }
  throw new Error("the configuration is valid");
}

describe("$include", () => {
  it("[GW-003] joins files below the other keys of the object, and locates each value in its file", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": '{\n  tools: { $include: "parts/tools.json5", deny: ["exec"] },\n}',
      "parts/tools.json5": '{\n  $schema: "x",\n  deny: ["write"],\n  profile: "coding",\n}',
    });
    const { value, locate, document } = await load(folder);
    expect(value).toEqual({ tools: { deny: ["exec"], profile: "coding" } });
    expect(locate(["tools", "deny"])).toEqual({
      file: join(folder.path, "openclaw.json"),
      line: 2,
      column: 43,
    });
    expect(locate(["tools", "profile"])).toEqual({
      file: join(folder.path, "parts/tools.json5"),
      line: 4,
      column: 3,
    });
    expect(document?.sources).toHaveLength(2);
  });

  it("lays several included files over one another in their order", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": '{ $include: ["a.json5", "b.json5"] }',
      "a.json5": "{ gateway: { port: 1 }, logging: { level: 'debug' } }",
      "b.json5": '{ gateway: { port: 2 }, bindings: { $include: "list.json5" } }',
      "list.json5": "[]",
    });
    const { value } = await load(folder);
    expect(value).toEqual({
      gateway: { port: 2 },
      logging: { level: "debug" },
      bindings: [],
    });
  });

  it("[GW-003] reports an error of an included file with its line in that file", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json":
        '{ tools: { $include: "tools.json5" }, gateway: { $include: "broken.json5" } }',
      "tools.json5": '{\n  // list\n  dney: ["exec"],\n}',
      "broken.json5": "{\n  port: ",
    });
    expect(await problemsOf(load(folder), folder)).toEqual([
      'tools.json5:3:3 tools.dney: unknown key; did you mean "deny"?',
      expect.stringMatching(/^broken\.json5:2:\d+ Unexpected/),
    ]);
  });

  it.each([
    ["a missing file", '"none.json5"', /cannot include none\.json5 \(ENOENT/],
    ["an absolute path", '"/etc/hostname"', /is absolute/],
    ["a file outside the folder", '"../outside.json5"', /outside the folder of the configuration/],
    ["a link to a file outside the folder", '"link.json5"', /outside the folder/],
    ["itself", '"openclaw.json"', /openclaw\.json includes openclaw\.json, which is a cycle/],
    ["a folder", '"parts"', /it is a folder/],
    ["a number", "5", /expected a path or a list of paths/],
    ["a file of 2 MiB", '"large.json5"', /has 2097152 bytes; at most 1048576 are allowed/],
    ["a list among objects", '["list.json5", "empty.json5"]', /expected files with an object/],
  ])("[GW-003] rejects %s with file, line and key", async (_, path, message) => {
    using folder = temporaryFolder();
    folder.write({
      "config/openclaw.json": `{\n  tools: { $include: ${path} },\n}`,
      "config/parts/tools.json5": "{}",
      "config/list.json5": "[]",
      "config/empty.json5": "{}",
      "config/large.json5": " ".repeat(2_097_152),
      "outside.json5": "{}",
    });
    symlinkSync(join(folder.path, "outside.json5"), join(folder.path, "config/link.json5"));
    const loading = loadConfiguration(join(folder.path, "config/openclaw.json"));
    const problems = await problemsOf(loading, folder);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems[0]).toMatch(/^config\/openclaw\.json:2:12 tools\.\$include: /);
  });

  it("[GW-003] rejects includes that are nested more than 8 deep or that return to a file", async () => {
    using folder = temporaryFolder();
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        `${index}.json5`,
        `{ $include: "${index + 1}.json5" }`,
      ]),
    );
    folder.write({ "openclaw.json": '{ $include: "0.json5" }', ...chain, "9.json5": "{}" });
    expect(await problemsOf(load(folder), folder)).toEqual([
      expect.stringMatching(/^7\.json5:1:3 .*more than 8 deep/),
    ]);
    folder.write({ "7.json5": "{ gateway: { port: 1 } }" });
    expect((await load(folder)).value).toEqual({ gateway: { port: 1 } });
    folder.write({ "6.json5": '{ $include: "5.json5" }' });
    expect(await problemsOf(load(folder), folder)).toEqual([
      expect.stringMatching(
        /^6\.json5:1:3 .* 5\.json5 includes 6\.json5 includes 5\.json5, which is a cycle/,
      ),
    ]);
  });

  it("ends at 64 includes, so that files that include each other twice do not multiply", async () => {
    using folder = temporaryFolder();
    const twice = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [
        `${index}.json5`,
        `{ $include: ["${index + 1}.json5", "${index + 1}.json5"] }`,
      ]),
    );
    folder.write({ "openclaw.json": '{ $include: "0.json5" }', ...twice, "7.json5": "{}" });
    expect((await problemsOf(load(folder), folder))[0]).toMatch(/includes more than 64 files/);
  });
});

describe("references to variables", () => {
  it("[GW-003] substitutes variables and defaults in string values, and nothing else", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": `{
  agents: { defaults: { model: "\${PROVIDER}/\${MODEL:-echo}", instructions: "cost $\${PRICE} or $5" } },
  plugins: { entries: { "\${PROVIDER}": { config: { list: ["\${EMPTY:-none}"] } } } },
}`,
    });
    const { value } = await load(folder, { PROVIDER: "demo", EMPTY: "" });
    expect(value.agents?.defaults).toEqual({
      model: "demo/echo",
      instructions: "cost ${PRICE} or $5",
    });
    expect(value.plugins?.entries).toEqual({ "${PROVIDER}": { config: { list: ["none"] } } });
  });

  it("[GW-003] does not substitute again in the value of a variable", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": '{ agents: { defaults: { instructions: "${A}" } } }' });
    const { value } = await load(folder, { A: "${B} ${secret:KEY}", B: "no" });
    expect(value.agents?.defaults?.instructions).toBe("${B} ${secret:KEY}");
  });

  it("[GW-003] names file, line and key of a missing variable, together with all other errors", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": `{
  agents: {
    defaults: { model: "\${MODLE}" },
  },
  gateway: { port: "\${EMPTY}", prot: 1 },
}`,
    });
    expect(await problemsOf(load(folder, { MODEL: "demo/echo", EMPTY: "" }), folder)).toEqual([
      'openclaw.json:3:17 agents.defaults.model: the environment variable MODLE is not set; set MODLE, or write ${MODLE:-default}; did you mean "MODEL"?',
      "openclaw.json:5:14 gateway.port: the environment variable EMPTY is empty, which counts as not set; set EMPTY, or write ${EMPTY:-default}",
      'openclaw.json:5:32 gateway.prot: unknown key; did you mean "port"?',
    ]);
  });

  it.each([
    ["an open reference", "${A", /"\$\{A" is not a reference/],
    ["an empty reference", "${}", /"\$\{\}" is not a reference/],
    ["another syntax", "${a.b}", /is not a reference; write \$\{NAME\}/],
    ["a bad name of a secret", "${secret:1x}", /"1x" is not the name of a secret/],
    ["a secret elsewhere", "${secret:KEY}", /is not available for this key; secrets are available/],
  ])("rejects %s", async (_, text, message) => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": `{ agents: { defaults: { instructions: "${text}" } } }` });
    expect(await problemsOf(load(folder, { A: "1" }), folder)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it("[GW-003] does not show the value of a variable in an error", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": '{ logging: { level: "${LEVEL}" } }' });
    const [problem] = await problemsOf(load(folder, { LEVEL: "hunter2" }), folder);
    expect(problem).toMatch(/logging\.level: must be one of .* found a string of 7 characters/);
  });
});
