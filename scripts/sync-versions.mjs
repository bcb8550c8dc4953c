// Carries the packages' versions to where else they are written: the manifests of the extensions, the
// dependencies of the plugins that create-openclaw-plugin starts, and the table of docs/project/versioning.md.
// usage: node scripts/sync-versions.mjs [--check]   --check changes nothing and fails on a difference
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv, exit, stderr } from "node:process";

/** Versions that new plugins start with. */
export const TEMPLATE_VERSIONS = "packages/create-openclaw-plugin/templates/versions.json";

const PAGE = "docs/project/versioning.md";
const TABLE = /(<!-- versions -->\n)[\s\S]*(<!-- \/versions -->)/;

/**
 * Writes the versions, or only tells where they are stale.
 * @param root - the workspace
 * @param options - `write` false changes nothing
 * @returns files that were stale
 */
export function syncVersions(root, { write }) {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const packages = globSync("{.,packages/*,extensions/*,apps/*}/package.json", { cwd: root })
    .sort()
    .map((file) => ({ dir: dirname(file), ...JSON.parse(read(file)) }));
  const stale = [];
  const update = (file, change) => {
    const before = read(file);
    const after = change(before);
    if (before === after) return;
    stale.push(file);
    if (write) writeFileSync(join(root, file), after);
  };
  for (const { dir, version } of packages.filter(({ dir }) => dir.startsWith("extensions/"))) {
    update(`${dir}/openclaw.plugin.json`, (text) =>
      text.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`),
    );
  }
  update(TEMPLATE_VERSIONS, (text) => templateVersions(text, packages));
  update(PAGE, (text) => text.replace(TABLE, (_all, from, to) => `${from}${table(packages)}${to}`));
  return stale;
}

function templateVersions(text, packages) {
  const known = new Map(
    packages.flatMap(({ dependencies = {}, devDependencies = {} }) =>
      Object.entries({ ...dependencies, ...devDependencies }),
    ),
  );
  for (const { name, version } of packages) known.set(name, version);
  const versions = Object.keys(JSON.parse(text)).map((name) => {
    const version = known.get(name);
    if (version === undefined)
      throw new Error(`${TEMPLATE_VERSIONS} names ${name}, which no package uses`);
    return [name, version];
  });
  return `${JSON.stringify(Object.fromEntries(versions), null, 2)}\n`;
}

/** One row for each published package: its version, and the ranges of ours that it was tested with. */
function table(packages) {
  const versions = new Map(packages.map(({ name, version }) => [name, version]));
  const rows = packages
    .filter((one) => one.private !== true)
    .map(({ name, version, dependencies = {}, peerDependencies = {} }) => {
      const ours = Object.keys({ ...dependencies, ...peerDependencies })
        .filter((dependency) => versions.has(dependency))
        .map(
          (dependency) => `${dependency.replace("@openclaw/", "")} ^${versions.get(dependency)}`,
        );
      return `| \`${name}\` | ${version} | ${ours.sort().join(", ")} |\n`;
    });
  return `| package | version | tested with |\n|---|---|---|\n${rows.join("")}`;
}

if (argv[1] === import.meta.filename) {
  const isCheck = argv.includes("--check");
  const stale = syncVersions(resolve(import.meta.dirname, ".."), { write: !isCheck });
  if (isCheck && stale.length > 0) {
    stderr.write(`stale versions in ${stale.join(", ")}; run node scripts/sync-versions.mjs\n`);
    exit(1);
  }
}
