import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PLUGIN_KINDS, type PluginKind, type PluginLanguage } from "create-openclaw-plugin";
import { afterAll, describe, expect, it } from "vitest";
import {
  authorsFolder,
  type CommandOutcome,
  type PluginProject,
  startProject,
} from "../../src/plugin-project.js";

const kinds = Object.keys(PLUGIN_KINDS) as PluginKind[];
const templates: { kind: PluginKind; language: PluginLanguage }[] = [
  ...kinds.map((kind) => ({ kind, language: "typescript" as const })),
  { kind: "tool", language: "javascript" },
];
const CHAT = ["chat", "--model", "demo/echo", "-m", "what time is it"];

const authors = authorsFolder("authors");
afterAll(() => authors[Symbol.dispose]());
const projects = templates.map((template) => startProject(authors, template));

// Where possible, one program start checks all of them. The rehearsal of a release, which is a part of CI,
// takes each of them through its own scripts instead, with everything installed from a registry.
describe("created plugins of every template", () => {
  it.each(projects)("[SDK-034] pass their lint unmodified: $id", async (project) => {
    expectDone(await project.script("lint"), "lint");
  });

  it("[SDK-034] pass their type check unmodified", async () => {
    const include = projects.flatMap(({ id }) => [`${id}/src`, `${id}/test`]);
    const [first] = projects as [PluginProject];
    authors.write({
      "tsconfig.json": JSON.stringify({ extends: `./${first.id}/tsconfig.json`, include }),
    });
    expectDone(await authors.run("tsc"), "tsc");
    const files = (await authors.run("tsc", "--listFilesOnly")).output;
    for (const { path } of projects) expect(files).toContain(join(path, "test/plugin.test."));
  });

  it("[SDK-033] [SDK-034] pass their tests unmodified", async () => {
    const ran = await authors.run("vitest", "run");
    expectDone(ran, "vitest run");
    expect(ran.output).toContain(`Test Files  ${projects.length} passed`);
  });

  it.each(projects.filter(hasRunningCode))(
    "[SDK-034] pass the conformance checks: $id",
    async (project) => {
      expectDone(await project.script("validate"), "validate");
    },
  );

  it.each(projects.filter((project) => !hasRunningCode(project)))(
    "[SDK-034] have the manifest that their code requires: $id",
    async (project) => {
      expectDone(await project.script("build", "--check"), "build --check");
    },
  );

  it("[SDK-034] are loaded by the reference host from their folders", async () => {
    const plugins = projects.flatMap(({ path }) => ["--plugin", path]);
    expectAnswer(await authors.run("openclaw", ...CHAT, ...plugins));
  });
});

// All templates have the same scripts and are packed alike.
describe("created tool plugin", () => {
  const [project] = projects as [PluginProject];

  it("[SDK-034] passes each of its scripts", async () => {
    expectDone(await project.script("typecheck"), "typecheck");
    const settings = ["--config", join(authors.path, "vitest.config.mjs")];
    expectDone(await project.script("test", ...settings), "test");
    expectDone(await project.script("validate"), "validate");
  });

  it("[SDK-034] is installed from its archive", async () => {
    expectDone(await project.run("npm", "pack", "--silent"), "npm pack");
    const [archive = ""] = readdirSync(project.path).filter((file) => file.endsWith(".tgz"));
    const installed = await project.run("openclaw", "plugins", "install", `./${archive}`);
    expectDone(installed, "plugins install");
    const list = await project.run("openclaw", "plugins", "list", "--json");
    const { plugins } = JSON.parse(list.output) as { plugins: { id: string }[] };
    const rootDir = join(project.path, ".state/extensions", project.id);
    expect(plugins).toContainEqual(expect.objectContaining({ id: project.id, rootDir }));
    expectAnswer(await project.run("openclaw", ...CHAT));
  });
});

/** Most conformance checks are about hook handlers, and about what continues after an unload. */
function hasRunningCode({ id }: PluginProject): boolean {
  return /-(hook|service)$/.test(id);
}

function expectDone({ exitCode, output }: CommandOutcome, step: string): void {
  expect(exitCode, `${step}:\n${output}`).toBe(0);
}

/** A host that cannot load a plugin prints the reason and continues without it. */
function expectAnswer(outcome: CommandOutcome): void {
  expectDone(outcome, "openclaw chat");
  expect(outcome.output).not.toMatch(/^openclaw: /m);
  expect(outcome.output).toMatch(/\d:\d\d/);
}
