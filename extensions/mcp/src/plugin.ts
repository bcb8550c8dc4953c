import { env } from "node:process";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import {
  definePluginEntry,
  type OpenClawPluginApi,
  type Unregister,
} from "@openclaw/plugin-sdk/plugin-entry";
import { BundleServers } from "./bundles/servers.js";
import { diagnoseEntries } from "./diagnostics.js";
import { OpenElicitations } from "./elicitation/open-elicitations.js";
import { registerMethods } from "./methods.js";
import { gatewayUrlsOf, registerClientMetadata, registerLoginMethods } from "./oauth/methods.js";
import { OAuthRecords } from "./oauth/record.js";
import { oauthTarget } from "./oauth/target.js";
import { promptCommand } from "./prompts/commands.js";
import { RESTART_DELAYS_MS } from "./server/restarts.js";
import type { ServerDependencies } from "./server/server.js";
import { McpServers } from "./servers.js";
import { fields, readServer, readServers } from "./settings.js";
import { ToolPins } from "./tools/pins.js";
import { WorkspaceDecisions } from "./workspace/decisions.js";
import { WorkspaceFiles } from "./workspace/file.js";
import { WorkspaceServers } from "./workspace/servers.js";

/** Options of {@link createMcpPlugin}. */
export interface McpPluginOptions {
  /** Times in milliseconds before each restart of a server; the last one repeats. */
  readonly restartDelaysMs?: readonly number[];
}

/**
 * Creates the plugin that offers the tools of MCP servers to agents.
 * @param options - times of restarts
 */
export function createMcpPlugin({ restartDelaysMs = RESTART_DELAYS_MS }: McpPluginOptions = {}) {
  return definePluginEntry({
    id: "mcp",
    name: "MCP",
    description: "Tools of MCP servers for an OpenClaw host.",
    register(api) {
      const entries = readServers(api.config.mcpServers);
      diagnoseEntries(api, entries);
      api.registerReload({ hotPrefixes: ["mcpServers"] });
      let opened: ToolPins | undefined;
      const pins = () => {
        opened ??= new ToolPins({
          kv: api.store.kv,
          findInjections: (text) => api.runtime.safety.findInjections(text),
        });
        return opened;
      };
      const gatewayUrls = gatewayUrlsOf(fields(api.config.gateway).publicUrl);
      const oauth = new OAuthRecords(() => api.store.secrets);
      const elicitations = new OpenElicitations({
        approvals: api.approvals,
        async tell(sessionKey, text, id) {
          await api.session.workflow.enqueueNextTurnInjection({
            ...{ sessionKey, text, idempotencyKey: id },
          });
        },
      });
      const dependencies: ServerDependencies = {
        ...{ oauth, gatewayUrls, elicitations },
        get pins() {
          return pins();
        },
        logger: api.logger,
        restartDelaysMs,
        version: api.runtime.version,
        folder: api.runtime.agent.resolveAgentWorkspaceDir?.() ?? api.rootDir,
        fetch: (input, init) => api.runtime.fetch(input, init),
        startProcess: async (command, options) => {
          const start = api.runtime.system.startProcess;
          if (start === undefined) {
            throw new RuntimeCapabilityError("mcp", "system.startProcess", "use an HTTP server");
          }
          return await start(command, options);
        },
      };
      const decisions = new WorkspaceDecisions({
        get kv() {
          return api.store.kv;
        },
        approvals: api.approvals,
      });
      const workspaces = new WorkspaceServers({
        files: new WorkspaceFiles(env),
        decisions,
        server: dependencies,
        logger: api.logger,
        folders: workspaceFolders(api),
        taken: new Set([...entries.servers, ...entries.refused].map(({ name }) => name)),
      });
      const bundles = new BundleServers({
        declared: () => api.runtime.plugins.declaredServers(),
        environment: env,
        server: dependencies,
        logger: api.logger,
        taken: new Set([...entries.servers, ...entries.refused].map(({ name }) => name)),
      });
      const servers = new McpServers(entries, dependencies, bundles, workspaces);
      api.approvals.onResolved(async (approval) => {
        if (await elicitations.resolved(approval)) return;
        if (await decisions.resolved(approval)) return;
        await elicitations.tellUnused(approval);
      });
      api.registerCli(
        async (context) => {
          const { describeMcpCommands } = await import("./commands/commands.js");
          describeMcpCommands(context, () => fields(api.config.mcpServers));
        },
        {
          descriptors: [
            {
              name: "mcp",
              description: "add, list, test and remove MCP servers",
              hasSubcommands: true,
            },
          ],
        },
      );
      const forget = async (server: string, entry: unknown) => {
        await pins().forget(server);
        const settings = readServer(server, fields(entry));
        const target = "problem" in settings ? undefined : oauthTarget(settings, gatewayUrls);
        if (target !== undefined) await oauth.remove(target);
      };
      registerMethods(api, servers, { pins, forget });
      registerLoginMethods(api, servers, dependencies);
      registerClientMetadata(api, gatewayUrls);
      api.registerCommand(promptCommand(servers));
      api.registerTool(async (turn) => await servers.tools(turn));
      let unlisten: Unregister | undefined;
      api.registerService({
        id: "mcp",
        // Not awaited: a slow server delays neither the gateway nor other services.
        start() {
          void servers.run();
          unlisten = api.runtime.plugins.onChanged(() => void servers.reloadBundles());
        },
        async stop() {
          unlisten?.();
          await servers.close();
        },
      });
      api.lifecycle.onDispose(() => servers.close());
    },
  });
}

/** Returns the workspaces of the agents of the configuration. */
function workspaceFolders({ runtime, config }: Pick<OpenClawPluginApi, "runtime" | "config">) {
  const ids = ["main", ...Object.keys(fields(config.agents)).filter((id) => id !== "defaults")];
  const folders = ids.flatMap(
    (id) => runtime.agent.resolveAgentWorkspaceDir?.(undefined, id) ?? [],
  );
  return [...new Set(folders)];
}
