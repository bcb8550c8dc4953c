import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const { choosePublishScope, renamePackages } = await import(
  new URL("../../../../scripts/releasing/published-manifests.mjs", import.meta.url).href
);

const MANIFESTS = "{packages,extensions,apps}/*/package.json";
const NAMES = "packages/create-openclaw-plugin/templates/publish-names.json";

it("[SDK-900] a chosen scope names every package and its dependencies while they are published", () => {
  using copy = temporaryFolder();
  const files = globSync(["{packages,extensions,apps}/*/{package.json,README.md}", NAMES], {
    cwd: root,
  });
  for (const file of files) {
    mkdirSync(dirname(join(copy.path, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy.path, file));
  }
  const names = choosePublishScope(copy.path, "@acme");
  const restore = renamePackages(copy.path, names);
  const published = globSync(MANIFESTS, { cwd: copy.path })
    .map((file) => JSON.parse(readFileSync(join(copy.path, file), "utf8")))
    .filter((manifest) => manifest.private !== true);
  const versions = new Map(published.map(({ name, version }) => [name, version]));
  expect(published.length).toBeGreaterThan(30);
  for (const { name, dependencies, optionalDependencies, peerDependencies } of published) {
    expect(name).toMatch(/^@acme\/[a-z-]+$/);
    const all = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    for (const [dependency, range] of Object.entries<string>(all)) {
      if (!/^(@openclaw\/|openclaw$|create-openclaw-plugin$)/.test(dependency)) continue;
      const short = dependency.slice(dependency.indexOf("/") + 1);
      const version = versions.get(`@acme/${short}`);
      expect(range, `${name} needs ${dependency}`).toBe(`npm:@acme/${short}@^${version}`);
    }
  }
  const readme = (folder: string) =>
    readFileSync(join(folder, "packages/create-openclaw-plugin/README.md"), "utf8");
  expect(readme(copy.path)).toContain("npm create @acme/openclaw-plugin my-plugin");

  restore();
  for (const file of files.filter((each) => each !== NAMES && existsSync(join(root, each)))) {
    expect(readFileSync(join(copy.path, file), "utf8"), file).toBe(
      readFileSync(join(root, file), "utf8"),
    );
  }
});
