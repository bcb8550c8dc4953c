// Rehearses a release: publishes every package to a registry on this machine, and takes new plugins of
// every template the whole way of their authors with what was published, in empty folders. Then it publishes everything
// under another scope, and does the same with it for the quick start and one template.
// usage: node scripts/rehearse-release.mjs [--keep] [--record] [template ...]   for example: tool hook
// --record writes the size of an installation to apps/gateway/bench/recorded/installation.json.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { bareEnvironment, endCommands } from "./rehearsal/command.mjs";
import { measureInstallation, recordInstallation } from "./rehearsal/installation.mjs";
import { rehearseProject } from "./rehearsal/project.mjs";
import { rehearseQuickStart } from "./rehearsal/quick-start.mjs";
import { startRegistry } from "./rehearsal/registry.mjs";
import { prepareRelease, publishRelease } from "./rehearsal/release.mjs";
import { choosePublishScope, publishNames } from "./releasing/published-manifests.mjs";

const TEMPLATES = [
  { kind: "tool", language: "typescript" },
  { kind: "hook", language: "typescript" },
  { kind: "provider", language: "typescript" },
  { kind: "service", language: "typescript" },
  { kind: "tool", language: "javascript" },
];

/** Scope of the second publication. */
const OTHER_SCOPE = "@another-publisher";

let failures = 0;
const began = performance.now();
const root = resolve(import.meta.dirname, "..");
const args = argv.slice(2);
const keeps = args.includes("--keep");
const kinds = args.filter((arg) => !arg.startsWith("--"));
const chosen = TEMPLATES.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
const unknown = kinds.filter((name) => TEMPLATES.every(({ kind }) => kind !== name));
if (unknown.length > 0) {
  stderr.write(`there is no template ${unknown.join(", ")}\n`);
  exit(2);
}
const work = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-rehearsal-")));
const workspace = folder("workspace");
const names = publishNames(root);
process.once("SIGINT", () => exit(130));
process.once("SIGTERM", () => exit(143));
process.once("exit", () => {
  endCommands();
  if (!keeps) rmSync(work, { recursive: true, force: true });
});

const [registry, prepared] = await Promise.all([
  step("registry", () =>
    startRegistry(work, join(root, "node_modules/.cache/rehearsal"), [names.scope, OTHER_SCOPE]),
  ),
  step("versions and builds", async () => {
    await prepareRelease(root, workspace);
    return true;
  }),
]);
if (registry && prepared) {
  const published = await step("publish", () => publishRelease(root, workspace, registry.url));
  if (published) {
    const environment = bareEnvironment(work, registry.url);
    const figures = await step("installed size", () =>
      measureInstallation(folder("installation"), environment, names),
    );
    for (const { metric, value, unit } of figures ?? []) {
      stdout.write(`   ${metric}: ${value} ${unit}\n`);
    }
    if (figures !== undefined && args.includes("--record")) recordInstallation(root, figures);
    await step("quick start", () =>
      rehearseQuickStart(root, folder("quick-start"), environment, names).then(() => true),
    );
    await rehearseProjects(environment);
    await step("another scope", () => rehearseOtherScope(environment));
  }
  if (failures > 0) stderr.write(`the registry said:\n${registry.complaints()}\n`);
}
await registry?.stop();
if (keeps) stdout.write(`kept ${work}\n`);
const outcome = failures === 0 ? "ok" : "FAILED";
stdout.write(`rehearsal: ${outcome} (${seconds(began)})\n`);
exit(failures === 0 ? 0 : 1);

/** As many at a time as the machine has processors; the first alone, since it fills npm's cache. */
async function rehearseProjects(environment) {
  const rehearse = async (template) => {
    const name = `${template.kind} in ${template.language}`;
    const place = folder(name.replaceAll(" ", "-"));
    await step(name, async () => {
      const times = await rehearseProject(template, place, environment, names);
      const parts = Object.entries(times).map(([part, ms]) => `${part} ${(ms / 1000).toFixed(1)}`);
      stdout.write(`   ${name}: ${parts.join(", ")} s\n`);
    });
    if (!keeps) await rm(place, { recursive: true, force: true });
  };
  const [first, ...rest] = chosen;
  if (first !== undefined) await rehearse(first);
  const next = async () => {
    for (let template = rest.shift(); template !== undefined; template = rest.shift()) {
      await rehearse(template);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
}

/** Publishes the same builds under another scope, and uses what was published under it. */
async function rehearseOtherScope(environment) {
  const others = choosePublishScope(workspace, OTHER_SCOPE);
  await publishRelease(root, workspace, registry.url);
  await rehearseQuickStart(root, folder("other-quick-start"), environment, others);
  const [template = TEMPLATES[0]] = chosen;
  await rehearseProject(template, folder("other-project"), environment, others);
  return true;
}

/** Runs a step and says how it went; the result is undefined when it failed. */
async function step(name, action) {
  const began = performance.now();
  try {
    const result = await action();
    stdout.write(`-- ${name}: ok (${seconds(began)})\n`);
    return result;
  } catch (error) {
    failures += 1;
    stdout.write(`-- ${name}: FAILED (${seconds(began)})\n`);
    stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
}

function seconds(since) {
  return `${Math.round((performance.now() - since) / 1000)} s`;
}

function folder(name) {
  const path = join(work, name);
  mkdirSync(path);
  return path;
}
