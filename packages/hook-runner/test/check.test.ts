import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { runNode, SOURCE, type SourceRun } from "./support/source-process.js";

const CHECK = fileURLToPath(new URL("../bench/check.mjs", import.meta.url));
const CASE = "1 sync";

/** Checks one case against a ratio that might have been recorded. */
async function checkAgainst(ratio: number): Promise<SourceRun> {
  const folder = mkdtempSync(join(tmpdir(), "hook-runner-check-"));
  try {
    const file = join(folder, "recorded.json");
    writeFileSync(file, JSON.stringify({ ratios: { [CASE]: { ratio, noise: 1 } } }));
    const recorded = pathToFileURL(file).href;
    return await runNode([CHECK, "--recorded", recorded, "--entry", SOURCE, CASE]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("bench/check.mjs", { timeout: 120_000 }, () => {
  it("[SCALE-042] passes while a ratio to the floor is no worse than recorded", async () => {
    expect(await checkAgainst(1_000)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok {5}1 sync: /),
    });
  });

  it("[SCALE-042] fails and names the case when it stays more than a fifth worse", async () => {
    const { status, stdout, stderr } = await checkAgainst(0.001);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^SLOWER 1 sync: .*, recorded 0.001, allowed 0.0012/);
    expect(stderr).toContain("slower than recorded in 1 of 1 cases");
  });

  it("[SCALE-042] has a recorded ratio for every case", async () => {
    const recorded = readFileSync(new URL("../bench/recorded.json", import.meta.url), "utf8");
    const cases = await runNode([
      "--input-type=module",
      `--eval=import { CASES, SWITCHES, VARIANTS } from ${JSON.stringify(new URL("../bench/cases.mjs", import.meta.url).href)};
       console.log(JSON.stringify([...CASES, ...VARIANTS, ...SWITCHES].map(({ name }) => name)));`,
    ]);
    expect(Object.keys((JSON.parse(recorded) as { ratios: object }).ratios)).toEqual(
      JSON.parse(cases.stdout),
    );
  });
});
