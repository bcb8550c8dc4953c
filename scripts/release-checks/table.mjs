/**
 * Every check that is too long for a change and that a requirement gives to a release. A check is done in chunks, each a
 * separate process that gets the number of its cases in OPENCLAW_TEST_CASES and a seed in OPENCLAW_TEST_SEED; of a check
 * whose unit is `s` each chunk gets its time in OPENCLAW_FUZZ_MS.
 *
 * - `requirements`: what the check proves
 * - `total`, `chunk`, `unit`: amount of a release, and of one process
 * - `vitest`: project, file and part of the title of the test that runs; or `command`: program and arguments, in which
 *   `{folder}` is the folder of the results
 * - `output`: file in that folder that takes what a command prints
 */
export const CHECKS = [
  cases("policy-oracle", ["POL-041"], 10_000_000, 1_000_000, {
    project: "packages",
    file: "packages/tool-policy/test/decision/oracle.test.ts",
    test: "agrees with the oracle",
  }),
  cases("hook-failures", ["HOOK-034"], 2_880_000, 40_000, {
    project: "apart",
    file: "packages/hook-runner/test/dispatch/failure-matrix.test.ts",
    test: "have exactly the documented effect",
  }),
  cases("hook-laws", ["HOOK-016"], 20_000, 5_000, {
    project: "apart",
    file: "packages/hook-runner/test/dispatch/laws.property.test.ts",
    test: "properties of a dispatch",
  }),
  cases("hook-patches", ["HOOK-048"], 50_000, 50_000, {
    project: "apart",
    file: "packages/hook-runner/test/observe/json-patch.test.ts",
    test: "transforms the event before into the event after",
  }),
  cases("hook-memory", ["HOOK-059"], 1_000_000, 1_000_000, {
    project: "apart",
    file: "packages/hook-runner/test/generations/leak.test.ts",
    test: "memory",
  }),
  cases("plugin-reloads", ["GW-040"], 5_000, 500, {
    project: "packages",
    file: "packages/gateway/test/server/plugins/routes.test.ts",
    test: "serves every request over its kept connection",
  }),
  cases("commands", ["APPR-045"], 10_000_000, 250_000, {
    project: "packages",
    file: "packages/safety/test/shell/parsing/generated-commands.test.ts",
    test: "parses and evaluates generated commands without an error",
  }),
  cases("large-commands", ["APPR-045"], 2_000, 2_000, {
    project: "packages",
    file: "packages/safety/test/shell/parsing/generated-commands.test.ts",
    test: "parses 8 KiB of mixed parts in at most 50 ms",
  }),
  cases("submissions", ["SUB-049"], 10_000_000, 1_000_000, {
    project: "packages",
    file: "packages/messaging/test/submissions/parser.test.ts",
    test: "returns the text of every input unchanged",
  }),
  // Each chunk simulates a year, with its own restarts and jumps of the clock.
  cases("routine-year", ["JOB-026", "SCALE-016"], 200, 20, {
    project: "packages",
    file: "packages/routines/test/simulated-time.test.ts",
    test: "gives each due time exactly one run or one reason",
  }),
  cases("undo-model", ["SUB-031", "SUB-032"], 20_000, 1_000, {
    project: "packages",
    file: "packages/store/test/messages/checkpoints.test.ts",
    test: "follow a simple model",
  }),
  cases("interleavings", ["APPR-010"], 1_000_000, 20_000, {
    project: "packages",
    file: "packages/approval-broker/test/interleavings.test.ts",
    test: "allows at most one execution",
  }),
  cases("grant-proposals", ["APPR-021"], 100_000, 100_000, {
    project: "packages",
    file: "packages/approval-broker/test/prefix/proposal.test.ts",
    test: "proposes a grantable prefix that is not too wide",
  }),
  cases("wire-frames", ["GW-019"], 1_000_000, 50_000, {
    project: "packages",
    file: "packages/server/test/websocket/frame.test.ts",
    test: "read any text as a frame",
  }),
  cases("wire-parameters", ["GW-021"], 1_000_000, 50_000, {
    project: "packages",
    file: "packages/server/test/websocket/frame.test.ts",
    test: "name at most five issues of any parameters",
  }),
  cases("grants", ["APPR-021"], 100_000, 100_000, {
    project: "packages",
    file: "packages/approval-broker/test/prefix/grant.test.ts",
    test: "never allows a command that does not start with the exact words",
  }),
  cases("rule-prefixes", ["APPR-040"], 100_000, 100_000, {
    project: "extensions",
    file: "extensions/approvals/test/rules/prefix.test.ts",
    test: "matches exactly the commands",
  }),
  cases("granted-options", ["APPR-260"], 1_000_000, 100_000, {
    project: "extensions",
    file: "extensions/approvals/test/grants.test.ts",
    test: "never contains an option outside the table of a program",
  }),
  cases("hidden-commands", ["APPR-038", "APPR-039"], 200_000, 20_000, {
    project: "extensions",
    file: "extensions/approvals/test/disguise.test.ts",
    test: "never decides more leniently about a disguised command",
  }),
  cases("disguised-words", ["APPR-042"], 100_000, 20_000, {
    project: "extensions",
    file: "extensions/approvals/test/disguise.test.ts",
    test: "never decides more leniently when every word is spelled differently",
  }),
  cases("any-text", ["APPR-038"], 500_000, 50_000, {
    project: "extensions",
    file: "extensions/approvals/test/disguise.test.ts",
    test: "evaluates any text",
  }),
  cases("effects", ["APPR-042"], 100_000, 20_000, {
    project: "extensions",
    file: "extensions/approvals/test/effects.test.ts",
    test: "change nothing when bash runs them",
  }),
  cases("python-programs", ["APPR-160"], 1_000_000, 50_000, {
    project: "extensions",
    file: "extensions/approvals/test/python.test.ts",
    test: "a reading program contains a statement or value that does more",
  }),
  cases("perl-programs", ["APPR-502"], 100_000, 20_000, {
    project: "extensions",
    file: "extensions/approvals/test/perl.test.ts",
    test: "needs approval when a reading program contains code that does more",
  }),
  cases("ruby-programs", ["APPR-503"], 20_000, 2_000, {
    project: "extensions",
    file: "extensions/approvals/test/ruby.test.ts",
    test: "needs approval when a reading program contains code that does more",
  }),
  cases("tracked-names", ["APPR-620"], 20_000, 1_000, {
    project: "extensions",
    file: "extensions/approvals/test/tracked-positions.test.ts",
    test: "needs approval in each position when a program writes",
  }),
  cases("shown-requests", ["APPR-047"], 20_000, 5_000, {
    project: "packages",
    file: "packages/gateway/test/messaging/approvals/shown-in-full.test.ts",
    test: "reverting the escapes returns the parameters",
  }),
  // Each run kills a host several times, and starts it again.
  cases("kills", ["SCALE-030"], 10_000, 500, {
    project: "apart",
    file: "packages/gateway/test/crash.test.ts",
    test: "killed repeatedly at random points",
  }),
  cases("kills-on-postgresql", ["SCALE-030"], 10_000, 100, {
    project: "postgres",
    file: "packages/gateway/test/postgres-crash.test.ts",
    test: "killed at random points",
  }),
  cases("workflow-files", ["LOB-035"], 10_000_000, 250_000, {
    project: "extensions",
    file: "extensions/lobster/test/fuzz/parsers.test.ts",
    test: "reads any workflow file",
  }),
  cases("workflow-pipelines", ["LOB-035"], 10_000_000, 500_000, {
    project: "extensions",
    file: "extensions/lobster/test/fuzz/parsers.test.ts",
    test: "reads any pipeline",
  }),
  cases("workflow-paths", ["LOB-005", "LOB-035"], 1_000_000, 100_000, {
    project: "extensions",
    file: "extensions/lobster/test/fuzz/parsers.test.ts",
    test: "never name a folder or file outside the workspace",
  }),
  cases("workflow-tokens", ["LOB-024", "LOB-035"], 10_000_000, 500_000, {
    project: "extensions",
    file: "extensions/lobster/test/fuzz/tokens.test.ts",
    test: "no generated or changed token is accepted",
  }),
  cases("workflow-kills", ["LOB-025"], 10_000, 500, {
    project: "extensions",
    file: "extensions/lobster/test/killed.test.ts",
    test: "killed several times executes nothing twice",
  }),
  fuzzing("fuzzed-programs", ["APPR-038"], "differential", "starts the same programs as bash"),
  fuzzing("fuzzed-files", ["APPR-037"], "planted-files", "read no planted file"),
  fuzzing(
    "fuzzed-git",
    ["APPR-037", "APPR-038"],
    "planted-git",
    "only if it shows no planted text",
  ),
  {
    name: "soak",
    requirements: ["SCALE-032"],
    ...{ total: 3_600, chunk: 3_600, unit: "s" },
    command: ["node", "apps/e2e/bench/soak.mjs"],
    output: "soak.jsonl",
  },
  {
    name: "mutants",
    requirements: [],
    ...{ total: 1, chunk: 1, unit: "run" },
    command: ["node", "scripts/mutants.mjs", "--resume", "--report", "{folder}/mutants.json"],
  },
  {
    name: "benchmarks",
    requirements: ["SCALE-042"],
    ...{ total: 1, chunk: 1, unit: "run" },
    command: ["node", "scripts/bench.mjs", "--json"],
    output: "benchmarks.json",
  },
];

function cases(name, requirements, total, chunk, vitest) {
  return { name, requirements, total, chunk, unit: "cases", vitest };
}

/** An hour, a minute at a time. */
function fuzzing(name, requirements, file, test) {
  const vitest = {
    project: "extensions",
    file: `extensions/approvals/test/${file}.test.ts`,
    test,
  };
  return { name, requirements, total: 3_600, chunk: 60, unit: "s", vitest };
}
