// Creates an extension in extensions/<name> from a template of create-openclaw-plugin, and registers it in the
// workspace: TypeScript references, table of versions, architecture page and a changeset.
// usage: pnpm new extension <name> [--template tool|hook|service] [--no-install]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv, execPath, exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { fillTemplate } from "../packages/create-openclaw-plugin/src/template.ts";
import { syncVersions } from "./sync-versions.mjs";

const USAGE = "usage: pnpm new extension <name> [--template tool|hook|service] [--no-install]\n";
/** Kinds of extensions, and the topic of the changeset of each. */
const TOPIC_OF_KIND = { tool: "tools", hook: "guard", service: "operate" };
const KINDS = Object.keys(TOPIC_OF_KIND);
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const root = resolve(import.meta.dirname, "..");
/** An extension starts at the version of the host with which it is tested. */
const VERSION = JSON.parse(read("apps/gateway/package.json")).version;
const { kind, name, install } = readArguments();
const folder = `extensions/${name}`;
if (existsSync(join(root, folder))) fail(`${folder} exists. Choose another name, or delete it.`);

for (const [file, content] of extensionFiles()) write(`${folder}/${file}`, content);
write(`.changeset/new-extension-${name}.md`, changeset());
register();
if (install) run("npx", ["-y", packageManager(), "install"]);
run(join(root, "node_modules/.bin/biome"), ["check", "--write", folder, "tsconfig.json"]);
run(execPath, ["scripts/architecture.mjs"]);
run(execPath, ["scripts/bundled-extensions.mjs"]);
stdout.write(
  `${folder} is ready. Its tests: pnpm exec vitest run --project extensions ${folder}\n`,
);

/** Returns the contents of the files of the extension by relative path. */
function extensionFiles() {
  const identifier = name.replaceAll("-", "_");
  const template = fillTemplate(["common", kind], "typescript", {
    id: name,
    name: title(),
    shortId: name,
    identifier,
    packageName: `@openclaw/${name}`,
    ending: "ts",
    // Versions are those of the workspace.
    ...Object.fromEntries(
      templateDependencies().flatMap((one) => [
        [`version:${one}`, "workspace:^"],
        [`dependency:${one}`, "workspace:^"],
      ]),
    ),
  });
  const manifest = manifestOf(JSON.parse(template.get("openclaw.plugin.json")));
  return [
    ["openclaw.plugin.json", json(manifest)],
    [
      "package.json",
      json(packageOf(manifest.description, JSON.parse(template.get("package.json")))),
    ],
    ["tsconfig.json", read("extensions/channel-guidance/tsconfig.json")],
    ["tsup.config.ts", read("extensions/channel-guidance/tsup.config.ts")],
    ["README.md", readme(manifest.description)],
    ["src/index.ts", template.get("src/index.ts")],
    ["test/plugin.test.ts", testOf(template.get("test/plugin.test.ts"))],
  ];
}

function manifestOf({ $schema: _schema, ...manifest }) {
  const configSchema = { type: "object", additionalProperties: false };
  return { configSchema, ...manifest, version: VERSION, entry: "dist/index.js" };
}

/** The tests of an extension load its sources; tests of a separate plugin load its folder. */
function testOf(test) {
  const imports = `import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";
`;
  const folderImport = /\nconst plugin = new URL\("\.\.", import\.meta\.url\);\n/;
  if (!folderImport.test(test)) throw new Error(`the test of the template ${kind} loads no folder`);
  return test
    .replace(folderImport, imports)
    .replaceAll("createTestHost({ plugin", "createTestHost({ plugin, manifest")
    .replaceAll(/createTestHost\(\{\n(\s*)plugin,/g, "createTestHost({\n$1plugin,\n$1manifest,");
}

/** The manifest of the package; of the template's dependencies it has those of the workspace, such as the test kit. */
function packageOf(description, { devDependencies }) {
  const model = JSON.parse(read("extensions/channel-guidance/package.json"));
  const ofTests = Object.keys(devDependencies).filter(
    (one) => one.startsWith("@openclaw/") && !(one in model.dependencies),
  );
  return {
    ...model,
    name: `@openclaw/${name}`,
    version: VERSION,
    description,
    repository: { ...model.repository, directory: folder },
    files: model.files.filter((file) => file !== "skills"),
    devDependencies: Object.fromEntries(ofTests.map((one) => [one, "workspace:^"])),
  };
}

function readme(description) {
  return `# @openclaw/${name}\n\n${description}\n\nThe configuration is described in \`openclaw.plugin.json\`.\n`;
}

function changeset() {
  return `---\n"@openclaw/${name}": minor\n---\n\n${TOPIC_OF_KIND[kind]}: ${title()} is a new extension.\n`;
}

/** Adds the extension to the TypeScript build and to the table of versions. */
function register() {
  const build = JSON.parse(read("tsconfig.json"));
  const last = build.references.findLastIndex(({ path }) => path.startsWith("extensions/"));
  build.references.splice(last + 1, 0, { path: folder });
  write("tsconfig.json", json(build));
  syncVersions(root, { write: true });
}

function templateDependencies() {
  return Object.keys(JSON.parse(read("packages/create-openclaw-plugin/templates/versions.json")));
}

function title() {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function packageManager() {
  return JSON.parse(read("package.json")).packageManager;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(2),
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: "string", default: "tool" },
        install: { type: "boolean", default: true },
      },
    });
    const [what, name, ...rest] = positionals;
    if (what !== "extension" || name === undefined || rest.length > 0) fail(USAGE.trimEnd());
    if (!NAME.test(name)) fail(`${name} is not lower-case words joined by hyphens`);
    if (!KINDS.includes(values.template)) fail(`--template is one of ${KINDS.join(", ")}`);
    return { kind: values.template, name, install: values.install };
  } catch (error) {
    return fail(`${error.message}\n${USAGE.trimEnd()}`);
  }
}

function read(file) {
  return readFileSync(join(root, file), "utf8");
}

function write(file, content) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) fail(`${command} ${args.join(" ")} failed`);
}

function fail(message) {
  stderr.write(`${message}\n`);
  exit(2);
}
