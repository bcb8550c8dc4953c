import { runClaudeBridge } from "@openclaw/jobs/bridge";

/**
 * The program of a bridge: `openclaw claude-bridge` without the other commands, in one file that a sandbox shows (HOST-035).
 * The first argument is the name of the command.
 */
try {
  process.exitCode = await runClaudeBridge(process.argv.slice(3), process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
process.exit();
