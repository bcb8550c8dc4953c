import { resolve } from "node:path";
import { sdkModules } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type PluginConfigOptions, readPluginConfig } from "./validate-command.js";

/**
 * Runs `openclaw plugins try`: loads a plugin into an in-memory host, prints what it registered, and on
 * request sends the demo model one message. The operator's own state is not touched.
 * @param path - plugin folder or entry file
 * @param options - `message` to send, and plugin configuration
 * @param context - terminal and environment
 */
export async function tryPluginCommand(
  path: string,
  options: PluginConfigOptions & { message?: string },
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const { createTestHost } = await import("@openclaw/plugin-testkit");
  const host = await createTestHost({
    plugin: resolve(path),
    ...readPluginConfig(options),
    answer: "allow-once",
    sdkModules: sdkModules(),
  });
  const { plugin, diagnostics } = host;
  const registered = Object.entries({
    tools: plugin.toolNames,
    hooks: plugin.hookNames,
    commands: plugin.commandNames,
    services: plugin.serviceIds,
    channels: plugin.channelIds,
    providers: plugin.providerIds,
    routes: plugin.httpRoutes,
    methods: plugin.gatewayMethods,
  }).filter(([, names]) => names.length > 0);
  const reply = options.message === undefined ? undefined : await host.turn(options.message);
  await host.dispose();

  // What was left out would be missing in a gateway, so a script must notice it.
  const exitCode = diagnostics.some(({ level }) => level === "error") ? EXIT.negative : EXIT.ok;
  const answer = reply === undefined ? {} : { reply: { status: reply.status, text: reply.text } };
  if (options.json === true) {
    terminal.print(
      JSON.stringify({
        id: plugin.id,
        registered: Object.fromEntries(registered),
        diagnostics,
        ...answer,
      }),
    );
    return exitCode;
  }
  terminal.print(`${plugin.id} ${plugin.status}`);
  for (const [kind, names] of registered) terminal.print(`  ${kind}: ${names.join(", ")}`);
  for (const { level, message, hint } of diagnostics) {
    terminal.note(`${level}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
  if (reply !== undefined) terminal.print(`\n${reply.text}`);
  return exitCode;
}
