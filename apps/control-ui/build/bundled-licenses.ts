import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Fonts, of which the style sheet imports files only. */
const FONTS = ["@fontsource-variable/ibm-plex-sans", "@fontsource/ibm-plex-mono"];

/** Collects the licences of the libraries and fonts in the build as `licenses.txt`, which the page links to. */
export function bundledLicenses(): Plugin {
  return {
    name: "bundled-licenses",
    apply: "build",
    generateBundle() {
      const modules = [...this.getModuleIds()].flatMap((id) => PACKAGE.exec(id) ?? []);
      const fonts = FONTS.map((name) => join(import.meta.dirname, "../node_modules", name));
      const sections = [...new Set([...modules, ...fonts])].map(section).sort();
      this.emitFile({
        type: "asset",
        fileName: "licenses.txt",
        source: sections.join(`\n${"-".repeat(80)}\n\n`),
      });
    },
  };
}

function section(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { name: string; version: string; license?: string };
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice|ofl)/i.test(entry));
  const text = files
    .map((file) => `\n${readFileSync(join(folder, file), "utf8").trim()}\n`)
    .join("");
  if (text === "" && license === undefined) throw new Error(`${name} states no license`);
  return `${name} ${version} (${license})\n${text}`;
}
