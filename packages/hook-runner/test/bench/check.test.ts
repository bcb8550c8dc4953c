import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { runNode, SOURCE, type SourceRun } from "../support/source-process.js";

const bench = (file: string) => new URL(`../../bench/${file}`, import.meta.url);
const CASE = "1 sync";

/** Runs the check with a script that prints a ratio of 2 instead of measuring. */
async function checkAgainst(ratio: number, noise = 1): Promise<SourceRun> {
  using folder = temporaryFolder("hook-runner-check");
  folder.write({
    "recorded.json": JSON.stringify({ ratios: { [CASE]: { ratio, noise } } }),
    "measure.mjs": "console.log(JSON.stringify({ ratio: 2 }));",
  });
  const url = (file: string) => pathToFileURL(`${folder.path}/${file}`).href;
  const options = ["--recorded", url("recorded.json"), "--measure", url("measure.mjs")];
  return await runNode([fileURLToPath(bench("check.mjs")), ...options, CASE]);
}

describe("bench/check.mjs", () => {
  it("[SCALE-042] passes while a ratio to the floor is no more than a fifth worse than recorded", async () => {
    expect(await checkAgainst(1.7)).toMatchObject({
      status: 0,
      stdout: "ok     1 sync: 2, recorded 1.7, allowed 2.04\n",
    });
  });

  it("[SCALE-042] fails and names the case when a ratio stays more than a fifth worse", async () => {
    const { status, stdout, stderr } = await checkAgainst(1.5);
    expect(status).toBe(1);
    expect(stdout).toBe("SLOWER 1 sync: 2, recorded 1.5, allowed 1.8\n");
    expect(stderr).toContain("slower than recorded in 1 of 1 cases");
  });

  it("tolerates the recorded noise", async () => {
    expect(await checkAgainst(1.5, 1.2)).toMatchObject({ status: 0 });
  });

  it("[SCALE-042] has a recorded ratio for every case", async () => {
    const recorded = readFileSync(bench("recorded.json"), "utf8");
    const cases = await runNode([
      "--input-type=module",
      `--eval=import { CASES, ISOLATED, RIVALS, SWITCHES, VARIANTS } from ${JSON.stringify(bench("cases.mjs").href)};
       console.log(JSON.stringify([...CASES, ...VARIANTS, ...ISOLATED, ...RIVALS, ...SWITCHES].map(({ name }) => name)));`,
    ]);
    expect(Object.keys((JSON.parse(recorded) as { ratios: object }).ratios)).toEqual(
      JSON.parse(cases.stdout),
    );
  });

  it("measures the sources with one batch and checks the shape of the report only", async () => {
    const measure = fileURLToPath(bench("measure.mjs"));
    const { stdout, stderr } = await runNode([measure, CASE, "hook-runner", "1", SOURCE]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({
      ratio: expect.any(Number),
      n: expect.any(Number),
    });
  });
});
