/** Runs the command of a hook in a shell as its host would, and notes input, output and exit code in a file. */
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";

const [log, name, command] = process.argv.slice(2);
const input = readFileSync(0);
const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", command], { input });
const call = {
  ...{ name, cwd: process.cwd(), input: JSON.parse(String(input)) },
  ...{ stdout: String(stdout), stderr: String(stderr), code: status },
  variables: Object.keys(process.env).filter((key) => /^CLAUDE_(?:PLUGIN|PROJECT)_/.test(key)),
};
appendFileSync(log, `${JSON.stringify(call)}\n`);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status ?? 1;
