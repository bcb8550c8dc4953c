import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";

const bench = fileURLToPath(new URL("../../bench/decide.bench.mjs", import.meta.url));

/** Runs the check against a record with another ratio. */
function checkAgainst(value: number) {
  using folder = temporaryFolder("tool-policy-check");
  const results = [{ bench: "decide", metric: "ratio to a Set lookup", value }];
  folder.write({ "decide.json": JSON.stringify({ results }) });
  const url = pathToFileURL(`${folder.path}/decide.json`).href;
  return spawnSync(process.execPath, [bench, "--check", "--recorded", url], { encoding: "utf8" });
}

it("[POL-040] fails the benchmark check only at twice the recorded ratio to a Set lookup", () => {
  const slower = checkAgainst(0.001);
  expect(slower.stdout).toMatch(/^SLOWER ratio to a Set lookup: .*, recorded 0\.00100, allowed/);
  expect(slower.status).toBe(1);
  expect(checkAgainst(1_000)).toMatchObject({ status: 0, stderr: "" });
});
