import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { HOOK_NAMES } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

describe("published SDK package", () => {
  it("[SDK-006] has exports and types without findings of the package linters", () => {
    using folder = temporaryFolder("sdk-package");
    const archive = join(folder.path, packInto(folder));
    const bin = (name: string) => join(root, "node_modules/.bin", name);
    const linted = spawnSync(bin("publint"), [archive, "--strict"], { encoding: "utf8" });
    expect(linted, linted.stdout).toMatchObject({ status: 0 });
    const types = spawnSync(bin("attw"), [archive, "--profile", "esm-only"], { encoding: "utf8" });
    expect(types, types.stdout).toMatchObject({ status: 0 });
  });

  it("[SDK-038] contains the pages for authors with working links, and an index for coding agents", () => {
    using folder = temporaryFolder("sdk-package");
    execFileSync("tar", ["-xzf", packInto(folder)], { cwd: folder.path });
    const unpacked = join(folder.path, "package");
    const pages = globSync("{llms.txt,docs/**/*.md}", { cwd: unpacked });
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(unpacked, page), "utf8");
      return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(resolve(unpacked, dirname(page), target)))
        .map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
    const index = readFileSync(join(unpacked, "llms.txt"), "utf8");
    for (const page of ["quick-start", "plugins", "hooks", "manifest", "testing"]) {
      expect(index).toContain(`(docs/author/${page}.md)`);
    }
    expect(index).toContain("(docs/reference/error-codes.md)");
    for (const name of HOOK_NAMES) expect(index).toContain(`(docs/reference/hooks/${name}.md): `);
    expect(existsSync(join(unpacked, "manifest.schema.json"))).toBe(true);
  });
});

/** Packs the SDK as a release does; gives the archive's name. */
function packInto({ path }: TemporaryFolder): string {
  execFileSync("pnpm", ["pack", "--pack-destination", path], {
    cwd: join(root, "packages/plugin-sdk"),
    stdio: "pipe",
  });
  const [archive = ""] = globSync("*.tgz", { cwd: path });
  return archive;
}
