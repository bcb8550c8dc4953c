import { runCommandLine } from "./command-line.js";

const exitCode = await runCommandLine(process.argv.slice(2), process.env);
await Promise.all([written(process.stdout), written(process.stderr)]);
// A timer or server that a plugin left would keep the process running.
process.exit(exitCode);

/** Settles when all that was printed has been written, or cannot be. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
