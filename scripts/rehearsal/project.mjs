import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command.mjs";

/**
 * Takes one new plugin the whole way of its author: started, installed, checked, tested, held against what
 * every plugin should hold to, loaded by a gateway from its folder, packed, and installed from its archive.
 * @param template - kind and language
 * @param folder - an empty folder
 * @param environment - with a registry that has this release
 * @param names - names of the packages in the registry
 * @returns the duration of each step in milliseconds
 */
export async function rehearseProject({ kind, language }, folder, environment, names) {
  const id = `a-${kind}`;
  const project = join(folder, id);
  const times = {};
  const step = async (name, action) => {
    const began = performance.now();
    await action();
    times[name] = performance.now() - began;
  };
  const inProject = (...command) =>
    run(command, {
      cwd: project,
      environment: { ...environment, OPENCLAW_STATE_DIR: join(folder, "state") },
    });
  const answer = ["--", "--template", kind, "--language", language, "--id", id, "--yes"];
  const create = [...`${names.createCommand()}@latest`.split(" "), id, ...answer];
  await step("create", () => run(create, { cwd: folder, environment }));
  await step("install", async () => {
    await inProject("npm", "install");
    assertNames(project, names);
  });
  await step("lint", () => inProject("npm", "run", "lint"));
  await step("types", () => inProject("npm", "run", "typecheck"));
  await step("tests", () => inProject("npm", "test"));
  await step("conformance", () => inProject("npm", "run", "validate"));
  await step("manifest", () => inProject("npm", "run", "build", "--", "--check"));
  const openclaw = join(project, "node_modules/.bin/openclaw");
  const chat = [openclaw, "chat", "--model", "demo/echo", "-m", "what time is it"];
  await step("load", async () => answers(await inProject(...chat, "--plugin", ".")));
  await step("archive", async () => {
    await inProject("npm", "pack");
    const [archive] = readdirSync(project).filter((file) => file.endsWith(".tgz"));
    await inProject(openclaw, "plugins", "install", `./${archive}`);
    const { stdout } = await inProject(openclaw, "plugins", "list", "--json");
    const found = JSON.parse(stdout).plugins.find((plugin) => plugin.id === id);
    if (found === undefined) throw new Error(`the installed plugin is not listed:\n${stdout}`);
    answers(await inProject(...chat));
  });
  return times;
}

/**
 * Checks that no package came under a name that this release is not published under.
 * @throws Error
 */
function assertNames(project, names) {
  const others = globSync("**/node_modules/{*,@*/*}/package.json", { cwd: project })
    .map((file) => JSON.parse(readFileSync(join(project, file), "utf8")).name ?? "")
    .filter((name) => names.nameOf(name) !== name);
  if (others.length === 0) return;
  throw new Error(
    `installed under names that are not published: ${[...new Set(others)].join(", ")}`,
  );
}

/** A gateway that cannot load a plugin reports it and continues without it. */
function answers({ stdout, output }) {
  if (/^openclaw: /m.test(output)) throw new Error(`the gateway has something to say:\n${output}`);
  if (!/\d:\d\d/.test(stdout)) throw new Error(`the gateway's answer names no time:\n${output}`);
}
