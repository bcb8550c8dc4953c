import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const script = join(root, "scripts/release-checks.mjs");
const table = pathToFileURL(join(root, "scripts/release-checks/table.mjs")).href;
const verdict = pathToFileURL(join(root, "scripts/release-checks/verdict.mjs")).href;
const {
  releaseProblems,
}: {
  releaseProblems(folder: string, checks: readonly ReleaseCheck[], commit: string): string[];
} = await import(verdict);
const { CHECKS }: { readonly CHECKS: readonly ReleaseCheck[] } = await import(table);

interface ReleaseCheck {
  readonly name: string;
  readonly requirements: readonly string[];
  readonly total: number;
  readonly vitest?: { readonly project: string; readonly file: string; readonly test: string };
}

interface RecordedCheck {
  readonly n: number;
  readonly requirements: readonly string[];
  readonly commit: string;
}

/** A check of 5 cases, 2 at a time, whose process notes its amount and fails while the file `broken` exists. */
const TABLE = `
export const CHECKS = [
  {
    name: "sample", requirements: ["A-001"], total: 5, chunk: 2, unit: "cases",
    command: [process.execPath, "-e", \`
      const { appendFileSync, existsSync } = require("node:fs");
      const { OPENCLAW_TEST_CASES: cases, OPENCLAW_TEST_SEED: seed } = process.env;
      appendFileSync("{folder}/ran", cases + ":" + seed + " ");
      if (existsSync("{folder}/slow")) setInterval(() => {}, 1000);
      if (existsSync("{folder}/broken") && seed === "8") throw new Error("a broken case");
    \`],
  },
  { name: "other", requirements: [], total: 1, chunk: 1, unit: "run", command: ["true"] },
];`;

function argumentsIn(folder: TemporaryFolder, ...args: string[]): string[] {
  if (!existsSync(join(folder.path, "table.mjs"))) folder.write({ "table.mjs": TABLE });
  return [script, "--folder", folder.path, "--table", `${folder.path}/table.mjs`, ...args];
}

function releaseChecks(folder: TemporaryFolder, ...args: string[]) {
  return spawnSync(process.execPath, argumentsIn(folder, ...args), { encoding: "utf8" });
}

const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;

const read = (folder: TemporaryFolder, file: string) =>
  readFileSync(join(folder.path, file), "utf8");

describe("pnpm release-checks", () => {
  it("runs a check in chunks with a seed each, and reports commit, machine, n and duration", () => {
    using folder = temporaryFolder("release");
    expect(releaseChecks(folder, "--only", "sample", "--seed", "7")).toMatchObject({ status: 0 });
    expect(read(folder, "ran")).toBe("2:7 2:8 1:9 ");
    expect(JSON.parse(read(folder, "report.json"))).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}/),
      machine: { cores: expect.any(Number), node: process.version },
      checks: [{ name: "sample", result: "passed", n: 5, total: 5, seconds: expect.any(Number) }],
    });
    expect(read(folder, "report.md")).toContain("| sample | A-001 | passed | 5 of 5 cases |");
  });

  it("stops a check at its first failure, and repeats that chunk with the same seed", () => {
    using folder = temporaryFolder("release");
    folder.write({ broken: "" });
    const first = releaseChecks(folder, "--seed", "7");
    expect(first.status).toBe(1);
    expect(first.stdout).toContain("failed     sample: 2 of 5 cases\npassed     other: 1 of 1 run");
    expect(read(folder, "report.md")).toContain("OPENCLAW_TEST_CASES=2 OPENCLAW_TEST_SEED=8");
    expect(read(folder, "report.md")).toContain("a broken case");
    spawnSync("rm", [join(folder.path, "broken")]);
    expect(releaseChecks(folder)).toMatchObject({ status: 0 });
    expect(read(folder, "ran")).toBe("2:7 2:8 2:8 1:9 ");
  });

  it("continues after an interruption without counting the interrupted chunk", async () => {
    using folder = temporaryFolder("release");
    folder.write({ slow: "" });
    const child = spawn(process.execPath, argumentsIn(folder, "--only", "sample", "--seed", "7"));
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(join(folder.path, "ran")), { timeout: 20_000 }).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toEqual([1, null]);
    expect(read(folder, "report.md")).toContain("| incomplete | 0 of 5 cases |");
    spawnSync("rm", [join(folder.path, "slow")]);
    expect(releaseChecks(folder, "--list").stdout).toContain("0 of 5 cases");
    expect(releaseChecks(folder, "--only", "sample")).toMatchObject({ status: 0 });
    expect(read(folder, "report.md")).toContain("| passed | 5 of 5 cases |");
  });

  it("keeps the results of checks that passed when they are recorded", () => {
    using folder = temporaryFolder("release");
    folder.write({ broken: "" });
    expect(releaseChecks(folder, "--seed", "7", "--record").status).toBe(1);
    expect(existsSync(join(folder.path, "recorded/sample.json"))).toBe(false);
    expect(JSON.parse(read(folder, "recorded/other.json"))).toMatchObject({
      ...{ name: "other", result: "passed", n: 1, total: 1, seed: 7 },
      commit: expect.stringMatching(/^[0-9a-f]{40}/),
      machine: { node: process.version },
    });
  });

  it("passes the amount to the test", () => {
    using folder = temporaryFolder("release");
    const args = [script, "--folder", folder.path, "--only", "grants", "--scale", "0.001"];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stdout).toContain("passed     grants: 100 of 100 cases");
    expect(status).toBe(0);
  });

  it("fails when no test has the title of a check", () => {
    using folder = temporaryFolder("release");
    const check = { ...CHECKS.find(({ name }) => name === "grants"), total: 1, chunk: 1 };
    const vitest = { ...check.vitest, test: "a title that no test has" };
    folder.write({
      "table.mjs": `export const CHECKS = ${JSON.stringify([{ ...check, vitest }])};`,
    });
    expect(releaseChecks(folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no test has the title of the check"),
    });
  });

  it.each([
    [["--only", "nothing"], "no check is named nothing"],
    [["--scale", "2"], "--scale must be above 0 and at most 1"],
    [["--scale", "0.5", "--record"], "--record needs the whole amounts"],
    [["--seed", "x"], "--seed must be a whole number"],
  ])("rejects %j", (args, message) => {
    using folder = temporaryFolder("release");
    expect(releaseChecks(folder, ...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(message),
    });
  });
});

/** Smallest amounts that requirements give to a release, by check; a scenario of hooks has more than two handlers. */
const AMOUNTS: Readonly<Record<string, number>> = {
  "policy-oracle": 10_000_000,
  "hook-failures": 10_000_000 / 3.5,
  commands: 10_000_000,
  interleavings: 1_000_000,
};

describe("publishing a release", () => {
  const [commit = ""] = git("rev-parse", "HEAD").split("\n");

  function publish(report: object | undefined) {
    using folder = temporaryFolder("release");
    if (report !== undefined) folder.write({ "report.json": JSON.stringify(report) });
    return spawnSync(process.execPath, [join(root, "scripts/publish.mjs")], {
      cwd: root,
      encoding: "utf8",
      env: { OPENCLAW_RELEASE_CHECKS: folder.path, PATH: process.env.PATH },
    });
  }
  const passed = CHECKS.map(({ name, total }) => ({ name, result: "passed", n: total }));

  it("[HOOK-034] [POL-041] [APPR-010] [APPR-045] needs every check passed for this commit with its whole amount", () => {
    const changed = (name: string, change: object) => ({
      commit,
      checks: passed.map((each) => (each.name === name ? { ...each, ...change } : each)),
    });
    for (const [report, problem] of [
      [undefined, "report.json does not exist"],
      [{ commit: `${commit} with changes`, checks: passed }, "with changes, not of"],
      [{ commit, checks: passed.slice(1) }, `${CHECKS[0]?.name} was not run`],
      [changed("commands", { n: 9_999_999 }), "commands ran 9999999 of 10000000 cases"],
      [changed("interleavings", { result: "failed" }), "interleavings is failed"],
    ] as const) {
      const { status, stderr } = publish(report);
      expect(stderr).toContain("The release checks have not passed:");
      expect(stderr).toContain(problem);
      expect(status).toBe(1);
    }
    using folder = temporaryFolder("release");
    folder.write({ "report.json": JSON.stringify({ commit, checks: passed }) });
    expect(releaseProblems(folder.path, CHECKS, commit)).toEqual([]);
  });

  it("[HOOK-034] [POL-041] [APPR-010] [APPR-045] has the amounts of the requirements in the table", () => {
    for (const [name, amount] of Object.entries(AMOUNTS)) {
      const check = CHECKS.find((each) => each.name === name);
      expect(check?.total, name).toBeGreaterThanOrEqual(amount);
    }
  });
});

// Written by `pnpm release-checks --only NAME --record`.
describe("recorded release checks", () => {
  it("[POL-041] have 10 million cases in which oracle and policy agree", () => {
    const file = join(root, "scripts/release-checks/recorded/policy-oracle.json");
    const recorded: RecordedCheck = JSON.parse(readFileSync(file, "utf8"));
    expect(recorded).toMatchObject({ name: "policy-oracle", result: "passed" });
    expect(recorded.n).toBeGreaterThanOrEqual(10_000_000);
    expect(recorded.requirements).toContain("POL-041");
    expect(recorded.commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it("[JOB-026] [SCALE-016] have a year of 200 routines with one run or one reason for each due time", () => {
    const file = join(root, "scripts/release-checks/recorded/routine-year.json");
    const recorded: RecordedCheck = JSON.parse(readFileSync(file, "utf8"));
    expect(recorded).toMatchObject({ name: "routine-year", result: "passed" });
    expect(recorded.n).toBeGreaterThanOrEqual(200);
    expect(recorded.requirements).toEqual(["JOB-026", "SCALE-016"]);
  });
});

describe("release check table", () => {
  it("names existing tests by a title that their file contains", () => {
    const names = CHECKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, vitest, requirements } of CHECKS) {
      if (vitest === undefined) continue;
      const text = readFileSync(join(root, vitest.file), "utf8");
      expect(text, name).toContain(vitest.test);
      for (const id of requirements) expect(text, `${name} cites ${id}`).toContain(id);
    }
  });

  it("includes every property with a configurable number of cases", () => {
    const { stdout } = spawnSync(
      "git",
      [
        "grep",
        "-lE",
        "(generatedCases|fuzzedCases)\\(",
        "--",
        ":(glob)packages/*/test/**",
        ":(glob)extensions/*/test/**",
      ],
      { cwd: root, encoding: "utf8" },
    );
    const files = stdout.split("\n").filter((file) => file.endsWith(".test.ts"));
    const checked = new Set(CHECKS.map(({ vitest }) => vitest?.file));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !checked.has(file) && !file.includes("foundation"))).toEqual([]);
  });
});
