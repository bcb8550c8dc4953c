// Makes the declarations of a package complete without the packages that are bundled into it: copies their declarations
// to dist/<name>-types and points every import of them there. These are @openclaw/foundation, which is private, and what
// `openclaw` forwards for older plugins. `--remove` undoes it.
// The `prepack` and `postpack` scripts of packages run it in the package's folder.
// usage: node ../../scripts/foundation-types.mjs [--remove]
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { argv, cwd } from "node:process";

/** Packages that are bundled, those first that others are bundled into. */
const BUNDLED = ["older-plugins", "foundation"];
const remove = argv.includes("--remove");
const dist = join(cwd(), "dist");
const { dependencies = {} } = JSON.parse(readFileSync(join(cwd(), "package.json"), "utf8"));

for (const name of BUNDLED) {
  if (`@openclaw/${name}` in dependencies) continue;
  if (remove) rmSync(join(dist, folderOf(name)), { recursive: true, force: true });
}
for (const name of BUNDLED) {
  if (`@openclaw/${name}` in dependencies) continue;
  const users = declarations().filter((file) => redirect(file, name)).length;
  if (!remove && users > 0) copyDeclarations(name);
}

function folderOf(name) {
  return `${name}-types`;
}

/** Declarations of the package, and those that were copied into it for another name. */
function declarations() {
  return globSync("**/*.d.ts", { cwd: dist });
}

/** Points the imports of a bundled package to the copies, or back; false when the file has none. */
function redirect(file, name) {
  if (file.startsWith(`${folderOf(name)}/`)) return false;
  const path = join(dist, file);
  const text = readFileSync(path, "utf8");
  const toCopies = posix.relative(posix.dirname(file), folderOf(name));
  const folder = toCopies.startsWith(".") ? toCopies : `./${toCopies}`;
  const restored = (_, quote, entry) =>
    `${quote}@openclaw/${entry === "index" ? name : `${name}/${entry}`}${quote}`;
  const next = remove
    ? text.replaceAll(
        new RegExp(`(["'])${folder.replaceAll(".", "\\.")}/([a-z/-]+)\\.js\\1`, "g"),
        restored,
      )
    : text.replaceAll(
        new RegExp(`(["'])@openclaw/${name}(?:/([a-z/-]+))?\\1`, "g"),
        (_, quote, entry = "index") => `${quote}${folder}/${entry}.js${quote}`,
      );
  if (next === text) return false;
  writeFileSync(path, next);
  return true;
}

function copyDeclarations(name) {
  const source = resolve(import.meta.dirname, `../packages/${name}/dist`);
  const copy = join(dist, folderOf(name));
  rmSync(copy, { recursive: true, force: true });
  for (const file of globSync("**/*.d.ts", { cwd: source })) {
    if (file.startsWith("testing/")) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(source, file), join(copy, file));
  }
}
