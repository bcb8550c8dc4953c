// Lists the libraries whose code a build has bundled, from the build's metafile: their licences as
// dist/THIRD-PARTY-LICENSES.txt, and a software bill of materials in the CycloneDX format as dist/sbom.cdx.json, since
// scanners of installed packages see no library that is part of a bundle. Removes the metafile. The `build` script of a
// package runs it in the package's folder.
// usage: node ../../scripts/bundled-libraries.mjs
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cwd } from "node:process";
import { billOfMaterials } from "./building/bill-of-materials.mjs";

const METAFILE = join(cwd(), "dist/metafile-esm.json");
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

const { inputs } = JSON.parse(readFileSync(METAFILE, "utf8"));
const folders = new Set(Object.keys(inputs).flatMap((file) => PACKAGE.exec(file) ?? []));
const libraries = [...folders].map((folder) => libraryIn(resolve(cwd(), folder)));
writeFileSync(
  join(cwd(), "dist/THIRD-PARTY-LICENSES.txt"),
  libraries
    .map(section)
    .sort()
    .join(`\n${"-".repeat(80)}\n\n`),
);
const bundle = JSON.parse(readFileSync(join(cwd(), "package.json"), "utf8"));
writeFileSync(
  join(cwd(), "dist/sbom.cdx.json"),
  `${JSON.stringify(billOfMaterials(bundle, libraries), null, 2)}\n`,
);
rmSync(METAFILE);

function libraryIn(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice)/i.test(entry));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0 && manifest.license === undefined) {
    throw new Error(`${manifest.name} states no license`);
  }
  return { ...manifest, texts };
}

function section({ name, version, license, texts }) {
  return `${name} ${version} (${license})\n${texts.map((text) => `\n${text}\n`).join("")}`;
}
