import { readWorkerArguments, runWorker } from "@openclaw/jobs/worker";

/**
 * The program of a worker: `openclaw worker` without the other commands, in one file that a sandbox shows (HOST-035). The
 * first argument is the name of the command.
 */
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
try {
  const given = readWorkerArguments(process.argv.slice(3), process.env);
  process.exitCode = await runWorker(given, {
    ...{ workspaceDir: process.cwd(), environment: process.env, signal: stopping.signal },
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
process.exit();
