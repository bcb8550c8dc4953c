import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkConformance } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const extensions = globSync("extensions/*/openclaw.plugin.json", { cwd: root }).map(dirname).sort();

describe("the extensions of the house", () => {
  it("are there", () => {
    expect(extensions).toContain("extensions/channel-guidance");
  });

  it.each(extensions)("%s holds to what every plugin should", async (extension) => {
    const { passed, checks } = await checkConformance(join(root, extension));
    const findings = checks.flatMap(({ id, findings }) =>
      findings.map(({ level, message }) => `${id}: ${level}: ${message}`),
    );
    expect(findings).toEqual([]);
    expect(passed).toBe(true);
  });
});
