import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PLUGIN_API_VERSION } from "@openclaw/plugin-sdk";
import { buildManifest, ConformanceProcess } from "@openclaw/plugin-testkit";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const examples = globSync("docs/examples/*/openclaw.plugin.json", { cwd: root })
  .map(dirname)
  .sort();
const extensions = globSync("extensions/*/openclaw.plugin.json", { cwd: root }).map(dirname).sort();

// One process for all of them: loading the host is most of the time of a process.
const conformance = new ConformanceProcess();
afterAll(() => conformance[Symbol.asyncDispose]());

describe("bundled extensions and documented examples", () => {
  it("are all checked", () => {
    expect(extensions).toContain("extensions/channel-guidance");
    expect(examples).toContain("docs/examples/counter");
    expect(extensions.length).toBeGreaterThanOrEqual(4);
  });

  it.each([...extensions, ...examples])(
    "[SDK-031] [PLUG-340] pass the conformance kit against their API version: %s",
    { timeout: 120_000 },
    async (extension) => {
      const report = await conformance.check(join(root, extension), { api: PLUGIN_API_VERSION });
      const failed = report.checks.filter(({ status }) => status === "failed");
      expect(failed).toEqual([]);
      expect(report.checks.flatMap(({ findings }) => findings)).toEqual([]);
      expect(report.passed).toBe(true);
    },
  );

  it("[SCALE-643] have a data port when they open a database, so that db migrate moves it", async () => {
    const opening = extensions.filter((extension) =>
      globSync("src/**/*.ts", { cwd: join(root, extension) }).some((file) =>
        /\bstore\.database\(/.test(readFileSync(join(root, extension, file), "utf8")),
      ),
    );
    expect(opening).toContain("extensions/memory");
    for (const extension of opening) {
      const { default: plugin } = await import(join(root, extension, "src/index.ts"));
      expect(plugin.data?.databases?.length ?? 0, extension).toBeGreaterThan(0);
    }
  });

  it.each(extensions)(
    "[SDK-035] have the manifest that their code requires: %s",
    async (extension) => {
      expect((await buildManifest({ path: join(root, extension) })).drift).toEqual([]);
    },
  );
});
