import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printNodes } from "./list.js";

/** Option of every command. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw nodes list`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listNodesCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const cluster = await withGatewayMethods(context, (call) => call("nodes.list", {}), "reads");
  if (json) terminal.print(JSON.stringify(cluster));
  else printNodes(cluster, terminal);
  return EXIT.ok;
}

/**
 * Runs `openclaw nodes drain`.
 * @param node - ID or name of a node
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayRefusedError with the code `NODE_NOT_FOUND` or `LAST_NODE`
 */
export async function drainNodeCommand(
  node: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const drained = await withGatewayMethods(context, (call) =>
    call("nodes.drain", { nodeId: node }),
  );
  const text = `${drained.name} takes no new turns; it ends those that run, and others take over the rest. \`openclaw nodes resume\` lets it take work again.`;
  context.terminal.print(json ? JSON.stringify(drained) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw nodes resume`.
 * @param node - ID or name of a node
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayRefusedError with the code `NODE_NOT_FOUND`
 */
export async function resumeNodeCommand(
  node: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const resumed = await withGatewayMethods(context, (call) =>
    call("nodes.resume", { nodeId: node }),
  );
  context.terminal.print(json ? JSON.stringify(resumed) : `${resumed.name} takes work again.`);
  return EXIT.ok;
}
