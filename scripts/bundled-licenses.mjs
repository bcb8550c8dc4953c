// Collects the licences of the libraries whose code a build has bundled, from the build's metafile, as
// dist/THIRD-PARTY-LICENSES.txt, and removes the metafile. The `build` script of a package runs it in the package's
// folder.
// usage: node ../../scripts/bundled-licenses.mjs
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cwd } from "node:process";

const METAFILE = join(cwd(), "dist/metafile-esm.json");
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

const { inputs } = JSON.parse(readFileSync(METAFILE, "utf8"));
const folders = new Set(Object.keys(inputs).flatMap((file) => PACKAGE.exec(file) ?? []));
const sections = [...folders].map((folder) => section(resolve(cwd(), folder))).sort();
writeFileSync(
  join(cwd(), "dist/THIRD-PARTY-LICENSES.txt"),
  sections.join(`\n${"-".repeat(80)}\n\n`),
);
rmSync(METAFILE);

function section(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice)/i.test(entry));
  const text = files
    .map((file) => `\n${readFileSync(join(folder, file), "utf8").trim()}\n`)
    .join("");
  if (text === "" && license === undefined) throw new Error(`${name} states no license`);
  return `${name} ${version} (${license})\n${text}`;
}
