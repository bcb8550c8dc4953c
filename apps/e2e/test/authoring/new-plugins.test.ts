import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PLUGIN_KINDS, type PluginKind, type PluginLanguage } from "create-openclaw-plugin";
import { afterAll, describe, expect, it } from "vitest";
import { authorsFolder, type CommandOutcome, startProject } from "../../src/plugin-project.js";

const kinds = Object.keys(PLUGIN_KINDS) as PluginKind[];
const templates: { kind: PluginKind; language: PluginLanguage }[] = [
  ...kinds.map((kind) => ({ kind, language: "typescript" as const })),
  { kind: "tool", language: "javascript" },
];

const folder = authorsFolder("authors");
afterAll(() => folder[Symbol.dispose]());

describe.each(templates)("a new $kind in $language", { timeout: 120_000 }, (template) => {
  const project = startProject(folder, template);

  it("[SDK-033] [SDK-034] passes its own lint, types and tests, untouched", async () => {
    for (const script of ["lint", "typecheck", "test"]) {
      expectDone(await project.script(script), script);
    }
  });

  it("[SDK-034] holds to what every plugin should, and its manifest says what it registers", async () => {
    expectDone(await project.script("validate"), "validate");
    expectDone(await project.script("build", "--check"), "build --check");
  });

  it("[SDK-034] is loaded by the reference host from its folder", async () => {
    const chat = ["chat", "--model", "demo/echo", "-m", "what time is it", "--plugin", "."];
    expectAnswer(await project.run("openclaw", ...chat));
  });

  // All kinds are packed alike; the rehearsal of a release installs each of them, from a registry.
  if (template.kind !== "tool") return;
  it("[SDK-034] is installed from its archive", async () => {
    expectDone(await project.run("npm", "pack", "--silent"), "npm pack");
    const [archive = ""] = readdirSync(project.path).filter((file) => file.endsWith(".tgz"));
    const installed = await project.run("openclaw", "plugins", "install", `./${archive}`);
    expectDone(installed, "plugins install");
    const list = await project.run("openclaw", "plugins", "list", "--json");
    const { plugins } = JSON.parse(list.output) as { plugins: { id: string }[] };
    expect(plugins).toContainEqual(
      expect.objectContaining({
        id: `a-${template.kind}`,
        rootDir: join(project.path, ".state/extensions", `a-${template.kind}`),
      }),
    );
    expectAnswer(await project.run("openclaw", "chat", "-m", "what time is it"));
  });
});

function expectDone({ exitCode, output }: CommandOutcome, step: string): void {
  expect(exitCode, `${step}:\n${output}`).toBe(0);
}

/** A host that cannot load a plugin prints the reason and continues without it. */
function expectAnswer(outcome: CommandOutcome): void {
  expectDone(outcome, "openclaw chat");
  expect(outcome.output).not.toMatch(/^openclaw: /m);
  expect(outcome.output).toMatch(/\d:\d\d/);
}
