import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Characters of the output that a failure keeps. */
const KEPT_OUTPUT = 4_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Runs one chunk of a check in a process.
 * @param root - folder of the repository
 * @param folder - folder of the results
 * @param check - row of the table
 * @param chunk - amount of cases or seconds, and the seed
 * @param signal - ends the process
 * @returns the problem in words; undefined when the chunk passed
 */
export async function runChunk(root, folder, check, { amount, seed }, signal) {
  const scratch = mkdtempSync(join(tmpdir(), "openclaw-release-"));
  try {
    const results = join(scratch, "results.json");
    const [command, ...args] = check.vitest
      ? vitestCommand(root, check.vitest, results)
      : check.command.map((part) => part.replaceAll("{folder}", folder));
    const env = {
      ...process.env,
      // Tests that need a program fail where it is missing, instead of being skipped.
      CI: "1",
      OPENCLAW_TEST_SEED: String(seed),
      ...(check.unit === "s"
        ? { OPENCLAW_FUZZ_MS: String(Math.ceil(amount * 1_000)) }
        : { OPENCLAW_TEST_CASES: String(amount) }),
    };
    const { status, output, errors } = await processEnd(command, args, { cwd: root, env, signal });
    if (status !== 0) return `ended with ${status}\n${(errors + output).slice(-KEPT_OUTPUT)}`;
    if (check.output) writeFileSync(join(folder, check.output), output);
    return check.vitest ? missingTest(results) : undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the command that shows a failure again. */
export function reproduction({ unit, vitest, command }, { amount, seed }) {
  const amounts =
    unit === "s" ? `OPENCLAW_FUZZ_MS=${amount * 1_000}` : `OPENCLAW_TEST_CASES=${amount}`;
  const run = vitest
    ? `vitest run --project ${vitest.project} ${vitest.file} -t "${vitest.test}"`
    : command.join(" ");
  return `${amounts} OPENCLAW_TEST_SEED=${seed} ${run}`;
}

function vitestCommand(root, { project, file, test }, results) {
  return [
    join(root, "node_modules/.bin/vitest"),
    ...["run", "--project", project, file, "-t", test.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")],
    `--testTimeout=${DAY_MS}`,
    "--reporter=dot",
    ...["--reporter=json", `--outputFile.json=${results}`],
  ];
}

/** A title that changed must not make the check pass without a test. */
function missingTest(results) {
  if (!existsSync(results)) return "the tests wrote no results";
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, "utf8"));
  if (numFailedTests > 0) return `${numFailedTests} tests failed`;
  return numPassedTests > 0 ? undefined : "no test has the title of the check";
}

function processEnd(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      errors += text;
    });
    child.once("error", (error) => resolve({ status: error.message, output, errors }));
    child.once("close", (code, killed) => resolve({ status: code ?? killed, output, errors }));
  });
}
