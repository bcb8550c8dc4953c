// Makes the declarations of a package complete without @openclaw/foundation, which is private and bundled: copies
// foundation's declarations to dist/foundation-types and points every import of them there. `--remove` undoes it.
// The `prepack` and `postpack` scripts of packages run it in the package's folder.
// usage: node ../../scripts/foundation-types.mjs [--remove]
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { argv, cwd } from "node:process";

const NAME = "@openclaw/foundation";
const FOLDER = "foundation-types";
const SOURCE = resolve(import.meta.dirname, "../packages/foundation/dist");
const remove = argv.includes("--remove");
const dist = join(cwd(), "dist");
const copy = join(dist, FOLDER);

const declarations = globSync("**/*.d.ts", { cwd: dist }).filter(
  (file) => !file.startsWith(`${FOLDER}/`),
);
let users = 0;
for (const file of declarations) {
  const path = join(dist, file);
  const text = readFileSync(path, "utf8");
  const toFoundation = posix.relative(posix.dirname(file), FOLDER);
  const folder = toFoundation.startsWith(".") ? toFoundation : `./${toFoundation}`;
  const next = remove
    ? text.replaceAll(
        new RegExp(`(["'])${folder.replaceAll(".", "\\.")}/([a-z-]+)\\.js\\1`, "g"),
        restored,
      )
    : text.replaceAll(
        new RegExp(`(["'])${NAME}(?:/([a-z-]+))?\\1`, "g"),
        (_, quote, entry = "index") => `${quote}${folder}/${entry}.js${quote}`,
      );
  if (next === text) continue;
  users += 1;
  writeFileSync(path, next);
}
rmSync(copy, { recursive: true, force: true });
if (!remove && users > 0) {
  for (const file of globSync("**/*.d.ts", { cwd: SOURCE })) {
    if (file.startsWith("testing/")) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(SOURCE, file), join(copy, file));
  }
}

function restored(_, quote, entry) {
  return `${quote}${entry === "index" ? NAME : `${NAME}/${entry}`}${quote}`;
}
