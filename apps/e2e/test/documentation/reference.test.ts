import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HOOK_NAMES } from "@openclaw/plugin-sdk/hooks";
import { PLUGIN_MANIFEST_SCHEMA } from "@openclaw/plugin-sdk/manifest";
import { Errors } from "typebox/schema";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pagesIn = (folder: string) =>
  globSync("*.md", { cwd: join(root, "docs/reference", folder) })
    .map((file) => basename(file, ".md"))
    .toSorted();

describe("reference pages", () => {
  it("[SDK-531] equal the output of their sources", () => {
    execFileSync(process.execPath, ["scripts/reference.mjs", "--check"], { cwd: root });
  });

  it("[SDK-036] include one page per hook, with its fields and types", () => {
    expect(pagesIn("hooks")).toEqual(HOOK_NAMES.toSorted());
    for (const name of HOOK_NAMES) {
      const page = read(`docs/reference/hooks/${name}.md`);
      expect(page).toContain(`# ${name}\n`);
      expect(page).toContain("| event field |");
      expect(page).toContain(`api.on("${name}"`);
    }
  });

  it("[SDK-036] have a row for each error code of the packages", () => {
    const codes = globSync("{packages,extensions}/*/src/**/*.ts", { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/readonly code(?:: string)? = "([A-Z][A-Z_]+)"/g)].flatMap(
        ([, code]) => code ?? [],
      ),
    );
    expect(codes.length).toBeGreaterThan(50);
    const page = read("docs/reference/error-codes.md");
    for (const code of codes) expect(page, code).toMatch(new RegExp(`^\\| [^|]*\`${code}\``, "m"));
  });

  it("[PLUG-007] include a schema that accepts all bundled and documented manifests", () => {
    const published = JSON.parse(read("packages/plugin-sdk/manifest.schema.json"));
    expect(published).toEqual(PLUGIN_MANIFEST_SCHEMA);
    const manifests = globSync("{extensions,docs/examples}/*/openclaw.plugin.json", { cwd: root });
    expect(manifests.length).toBeGreaterThan(4);
    for (const file of manifests) {
      const [valid, errors] = Errors(published, JSON.parse(read(file)));
      expect(valid, `${file}: ${JSON.stringify(errors)}`).toBe(true);
    }
    expect(Errors(published, { id: "Not an id" })[0]).toBe(false);
  });

  it("name every field of the manifest", () => {
    const page = read("docs/reference/manifest.md");
    for (const field of Object.keys(Object(PLUGIN_MANIFEST_SCHEMA.properties))) {
      expect(page).toContain(`| \`${field}\``);
    }
  });
});
