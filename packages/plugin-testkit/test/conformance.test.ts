import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  CONFORMANCE_CHECKS,
  type ConformanceCheck,
  type ConformanceCheckId,
  ConformanceProcess,
  checkConformance,
} from "../src/index.js";

const plugin = (name: string) => fileURLToPath(new URL(`./plugins/${name}`, import.meta.url));

/** Plugins with one fault each, the check that finds it, and what is said of it. */
const FAULTS: [fault: string, check: ConformanceCheckId, finding: RegExp][] = [
  ["manifest-wrong", "manifest-valid", /error: .*"\/id".*got string "Not An Id"/],
  ["throws", "loads-as-module", /error: .*no licence/],
  ["unpublished-file", "loads-installed", /error: .*helper\.mjs/],
  ["undeclared-dependency", "loads-installed", /error: .*fast-check/],
  ["registers-once", "register-idempotent", /tools registered the first time: once; .*: none/],
  ["leaves-timer", "unload-leaves-nothing", /a timer, made at .*index\.mjs/],
  ["undeclared", "declared-equals-registered", /registers "unannounced".*\n.*declares "promised"/],
  ["hangs", "survives-neighbours", /did not settle before its deadline/],
  ["chokes", "survives-neighbours", /threw/],
  ["malformed", "results-keep-to-catalog", /"block" must be a boolean/],
  ["unknown-field", "results-keep-to-catalog", /blocked/],
  ["async-in-sync", "sync-hooks-sync", /promise/],
  ["open-door", "gates-hold-under-timeout", /gate "before_agent_run" opens/],
  ["undeclared", "permission-honesty", /unannounced/],
  ["starts-process", "permission-honesty", /started a child process/],
];

/** Checks that do not apply to a plugin, and why. */
const SKIPPED: [plugin: string, check: ConformanceCheckId, reason: RegExp][] = [
  ["throws", "loads-installed", /package\.json/],
  ["leaves-timer", "survives-neighbours", /no hook handler/],
  ["hangs", "sync-hooks-sync", /no synchronous hook/],
  ["async-in-sync", "gates-hold-under-timeout", /guards no step/],
];

/** Checks that a plugin of an older API passes with warnings, and these warnings. */
const OLDER: [plugin: string, check: ConformanceCheckId, finding: RegExp][] = [
  ["older-undeclared", "declared-equals-registered", /^warn: it registers "unannounced"/m],
  [
    "older-undeclared",
    "permission-honesty",
    /^warn: .*"unannounced"[\s\S]*^warn: it started a child/m,
  ],
];

describe("conformance checks", () => {
  it("[SDK-030] all pass for a correct plugin", { timeout: 60_000 }, async () => {
    const report = await checkConformance(plugin("sound"));
    const found = report.checks.map(({ id, status, findings }) => ({ id, status, findings }));
    expect(found).toEqual(CONFORMANCE_CHECKS.map((id) => ({ id, status: "passed", findings: [] })));
    expect(report).toMatchObject({ path: plugin("sound"), passed: true });
  });

  describe("of a faulty plugin", () => {
    const openGate = ["open-gate", "gates-hold-under-timeout"] as const;
    const ofHost = ["older-undeclared", "loads-installed"] as const;
    const results = runChecks([...FAULTS, ...SKIPPED, openGate, ...OLDER, ofHost]);

    it.each(FAULTS)("[SDK-030] %s: fails %s", (fault, id, finding) => {
      const check = results.get(`${fault} ${id}`);
      const lines = check?.findings.map(({ level, message }) => `${level}: ${message}`) ?? [];
      expect(lines.join("\n")).toMatch(finding);
      expect(check).toMatchObject({ id, status: "failed" });
    });

    it.each(SKIPPED)("%s: skips %s with a reason", (name, id, reason) => {
      const check = results.get(`${name} ${id}`);
      expect(check).toMatchObject({ status: "skipped", findings: [] });
      expect(check?.reason).toMatch(reason);
    });

    it.each(OLDER)("[SDK-030] %s: passes %s with a warning", (name, id, finding) => {
      const check = results.get(`${name} ${id}`);
      const lines = check?.findings.map(({ level, message }) => `${level}: ${message}`) ?? [];
      expect(lines.join("\n")).toMatch(finding);
      expect(check).toMatchObject({ id, status: "passed" });
    });

    it("[SDK-030] loads a plugin whose peer, the host, is not installed next to it", () => {
      expect(results.get(ofHost.join(" "))).toMatchObject({ status: "passed", findings: [] });
    });

    it("[SDK-030] open-gate: passes with a warning when a handler that may also change the call fails open", () => {
      expect(results.get(openGate.join(" "))).toMatchObject({
        status: "passed",
        findings: [
          { level: "warn", message: expect.stringContaining('the gate "before_tool_call" opens') },
        ],
      });
    });
  });

  it("[SDK-030] fail a plugin that exits its process, and continue", {
    timeout: 60_000,
  }, async () => {
    const report = await checkConformance(plugin("faults/ends-process"), {
      checks: ["loads-as-module", "results-keep-to-catalog", "gates-hold-under-timeout"],
    });
    expect(report.checks.map(({ status }) => status)).toEqual(["passed", "failed", "passed"]);
    const [finding] = report.checks[1]?.findings ?? [];
    expect(finding?.message).toMatch(/exit code 7[\s\S]*I have seen enough/);
  });

  it("[SDK-030] check several plugins in one process, and the one after a failure in a new one", {
    timeout: 60_000,
  }, async () => {
    await using conformance = new ConformanceProcess();
    const outcomeOf = async (folder: string) => {
      const { passed, checks } = await conformance.check(plugin(folder), {
        checks: ["loads-as-module"],
      });
      return { passed, count: checks.length };
    };
    const sound = { passed: true, count: 1 };
    expect([await outcomeOf("sound"), await outcomeOf("sound")]).toEqual([sound, sound]);
    expect(await outcomeOf("faults/throws")).toEqual({ passed: false, count: 1 });
    expect(await outcomeOf("sound")).toEqual(sound);
  });

  it("[SDK-030] fail a plugin that blocks its process", { timeout: 60_000 }, async () => {
    const report = await checkConformance(plugin("faults/blocks-process"), {
      checks: ["results-keep-to-catalog"],
      checkDeadlineMs: 3000,
    });
    expect(report).toMatchObject({
      passed: false,
      checks: [
        { findings: [{ message: expect.stringContaining("did not finish within 3000 ms") }] },
      ],
    });
  });

  it("[SDK-031] run against the given API version", { timeout: 60_000 }, async () => {
    const checks = ["manifest-valid", "loads-as-module", "loads-installed"] as const;
    const statuses = async (api: string) => {
      const report = await checkConformance(plugin("of-next-api"), { api, checks });
      return report.checks.map(({ status }) => status);
    };
    expect(await statuses("2.1.0")).toEqual(["passed", "passed", "passed"]);
    const failed = await checkConformance(plugin("of-next-api"), { api: "1.0.0", checks });
    expect(failed.checks.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    expect(JSON.stringify(failed)).toContain("plugin API ^2.0.0, and this host is 1.0.0");
  });

  it("reject a path that does not exist", async () => {
    await expect(checkConformance("/nowhere/at/all")).rejects.toMatchObject({
      code: "PLUGIN_MISSING",
    });
  });
});

/** Runs checks in one process, by plugin and name. */
function runChecks(
  wanted: readonly (readonly [name: string, id: ConformanceCheckId, ...rest: RegExp[]])[],
): Map<string, ConformanceCheck> {
  const script = fileURLToPath(new URL("support/faults.mjs", import.meta.url));
  const pairs = wanted.map(([name, id]) => [name, id] as const);
  const args = [script, JSON.stringify(pairs)];
  const output = execFileSync(process.execPath, args, { encoding: "utf8" });
  const checks = JSON.parse(output) as ConformanceCheck[];
  return new Map(checks.map((check, index) => [pairs[index]?.join(" ") ?? "", check]));
}
