import { resolve } from "node:path";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type PluginConfigOptions, readPluginConfig } from "./validate-command.js";

/**
 * `openclaw plugins try`: loads a plugin into a host in memory, shows what it registered, and on request
 * lets the demo model answer one message with it. Nothing of the operator's own state is touched.
 * @param path - of the plugin's folder or entry file
 * @param options - `message` to answer, and configuration for the plugin
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
    return EXIT.ok;
  }
  terminal.print(`${plugin.id} ${plugin.status}`);
  for (const [kind, names] of registered) terminal.print(`  ${kind}: ${names.join(", ")}`);
  for (const { level, message, hint } of diagnostics) {
    terminal.note(`${level}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
  if (reply !== undefined) terminal.print(`\n${reply.text}`);
  return EXIT.ok;
}
