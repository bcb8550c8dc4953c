import { startHost } from "../host/start.js";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Runs `openclaw gateway check`: starts on the real state, with migrations, plugins and listener, and stops at once
 * (GW-061). Nothing is resumed, and no channel and no service starts.
 * @param options - format
 * @param context - terminal and environment
 * @throws the error of the step that failed
 */
export async function checkStartCommand(
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const gateway = await startHost({ isForCommand: true, bind: "loopback" }, context, 0);
  await gateway.stop("command");
  const { version } = installation;
  const failed = gateway.plugins.plugins.flatMap(({ id, status }) =>
    status === "error" ? id : [],
  );
  if (json) terminal.print(JSON.stringify({ ready: true, version, failedPlugins: failed }));
  else terminal.print(`OpenClaw ${version} can start on ${gateway.state.dir}.`);
  if (failed.length > 0) terminal.note(`openclaw: plugins that failed: ${failed.join(", ")}`);
  return EXIT.ok;
}
