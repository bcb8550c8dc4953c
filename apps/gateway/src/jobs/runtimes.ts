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
    for (const { name, isAvailable, notice, cause, remedy } of found.runtimes) {
      if (!isAvailable) terminal.print(`${name}: not available, ${cause}; ${remedy}`);
      else terminal.print(`${name}: available${notice === undefined ? "" : `, but ${notice}`}`);
    }
  }
  return found.runtimes.some(({ isAvailable }) => isAvailable) ? EXIT.ok : EXIT.negative;
}
