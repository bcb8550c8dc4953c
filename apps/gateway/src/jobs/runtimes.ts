import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Runs `openclaw jobs runtimes`.
 * @param options - format
 * @param context - terminal and environment
 * @returns negative when sandboxed jobs cannot run
 */
export async function runtimesCommand(
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const found = await withGatewayMethods(context, (call) => call("jobs.runtimes", {}), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else {
    for (const { name, isAvailable, notice, version, cause, remedy } of found.runtimes) {
      if (!isAvailable) terminal.print(`${name}: not available, ${cause}; ${remedy}`);
      else {
        const of = version === undefined ? "" : `, version ${version}`;
        terminal.print(`${name}: available${of}${notice === undefined ? "" : `, but ${notice}`}`);
      }
    }
  }
  const sandboxes = found.runtimes.filter(({ name }) => name !== "claude_code");
  return sandboxes.some(({ isAvailable }) => isAvailable) ? EXIT.ok : EXIT.negative;
}
