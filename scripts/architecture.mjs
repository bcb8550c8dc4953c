// Writes the tables of docs/project/architecture.md: packages by layer with their imports, and the folders of each package.
// The layers come from the table that the topology test enforces, imports from the sources, descriptions from
// package.json and from the folder tables of the READMEs.
// usage: pnpm architecture [--check]   --check changes nothing and fails when the page is stale
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv, exit, stderr } from "node:process";
import { importsOf, workspacePackageOf } from "../apps/e2e/src/repository/imports.ts";
import { LAYERS, layerOf, UNRESTRICTED } from "../apps/e2e/src/repository/layers.ts";

const PAGE = "docs/project/architecture.md";
const root = resolve(import.meta.dirname, "..");

const packages = globSync("{packages,extensions,apps}/*/package.json", { cwd: root })
  .sort()
  .map((file) => ({ dir: dirname(file), ...JSON.parse(read(file)) }));

const before = read(PAGE);
const after = section(section(before, "packages", packageTable()), "folders", folderTables());
if (before !== after && argv.includes("--check")) {
  stderr.write(`${PAGE} is stale; run pnpm architecture\n`);
  exit(1);
}
writeFileSync(join(root, PAGE), after);

/** Replaces the text between the markers of a section. */
function section(page, name, text) {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`);
  if (!pattern.test(page)) throw new Error(`${PAGE} has no section <!-- ${name} -->`);
  return page.replace(pattern, (_all, start, end) => `${start}${text}${end}`);
}

/** Returns one row per package, lowest layer first. */
function packageTable() {
  const heights = new Map(LAYERS.map((layer, index) => [layer.name, index]));
  const rows = packages
    .map((one) => ({ ...one, layer: one.dir === UNRESTRICTED ? "tests" : layerOf(one.dir)?.name }))
    .sort(
      (a, b) => (heights.get(a.layer) ?? LAYERS.length) - (heights.get(b.layer) ?? LAYERS.length),
    )
    .map(({ dir, description, layer }) => {
      const imports = dir === UNRESTRICTED ? "all" : importedBy(dir).join(", ");
      return `| [\`${dir}\`](../../${dir}/README.md) | ${layer} | ${description} | ${imports || "none"} |\n`;
    });
  return `| package | layer | description | imports |\n|---|---|---|---|\n${rows.join("")}`;
}

/** Returns the workspace packages that the sources of a package import, by their short names. */
function importedBy(dir) {
  const { name: own } = packages.find((one) => one.dir === dir);
  const names = globSync(`${dir}/src/**/*.{ts,mjs}`, { cwd: root })
    .flatMap((file) => importsOf(read(file)))
    .map((specifier) => workspacePackageOf(specifier))
    .filter((name) => name !== undefined && name !== own);
  return [...new Set(names)].map((name) => `\`${name.replace("@openclaw/", "")}\``).sort();
}

/** Returns the folder table of every package that has folders, as its README has it. */
function folderTables() {
  return packages
    .flatMap(({ dir }) => {
      const folders = readdirSync(join(root, dir, "src"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort();
      if (folders.length === 0) return [];
      const readme = read(`${dir}/README.md`);
      const rows = folders.map((folder) => {
        const row = readme.split("\n").find((line) => line.startsWith(`| \`${folder}/\` |`));
        if (row === undefined) throw new Error(`${dir}/README.md has no row for ${folder}/`);
        return `${row}\n`;
      });
      return [`### ${dir}\n\n| folder | contents |\n|---|---|\n${rows.join("")}`];
    })
    .join("\n");
}

function read(file) {
  return readFileSync(join(root, file), "utf8");
}
