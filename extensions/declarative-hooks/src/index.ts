import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { DeclarativeHooksConfig } from "./config.js";
import { BUNDLE_HOOKS } from "./points/bundle-event.js";
import { POINTS } from "./points/point.js";
import { ConfiguredHooks } from "./set/configured-hooks.js";
import { readSources } from "./sources/sources.js";
import { HookState } from "./sources/state.js";
import { approveFile, type WorkspaceContext } from "./sources/workspace.js";

export default definePluginEntry<DeclarativeHooksConfig>({
  id: "declarative-hooks",
  name: "Declarative hooks",
  description: "Hooks written as configuration: rules, programs, HTTP calls and webhooks.",
  async register(api) {
    const { logger, runtime, pluginConfig: config } = api;
    const state = new HookState(() => api.store.kv, logger);
    const folder = runtime.agent.resolveAgentWorkspaceDir?.();
    const read = {
      compile: runtime.patterns.compile,
      checkUrl: runtime.checkUrl,
      secrets: config.secrets ?? {},
    };
    const workspace: WorkspaceContext | undefined =
      folder === undefined || config.workspaceFiles === false
        ? undefined
        : { folder, isTrusted: () => runtime.agent.isWorkspaceTrusted?.() === true, read, state };
    const hooks = new ConfiguredHooks({
      api,
      state,
      load: () =>
        readSources({
          ...{ config, read, workspace, folder: folder ?? api.rootDir },
          declared: () => runtime.plugins.declaredHooks(),
        }),
      approveFile: async (file, hash) =>
        workspace === undefined ? undefined : await approveFile(file, hash, workspace),
    });
    // Which of them have handlers depends on the configuration and on files.
    api.registerHook([...Object.values(POINTS), ...BUNDLE_HOOKS], () => undefined, {
      register: false,
      description: "hooks written as configuration",
    });
    await hooks.open();
    api.registerHookSet(hooks);
    api.lifecycle.onDispose(() => hooks.close());

    let stop: (() => Promise<void>) | undefined;
    api.registerService({
      id: "declarative-hooks",
      async start() {
        const reload = () => void hooks.reload();
        const unlisten = runtime.plugins.onChanged(reload);
        const { watchHookFiles } = await import("./sources/watch.js");
        const unwatch =
          folder === undefined || workspace === undefined
            ? undefined
            : await watchHookFiles(folder, reload, logger);
        stop = async () => {
          unlisten();
          await unwatch?.();
        };
        await hooks.resume();
      },
      async stop() {
        await stop?.();
      },
    });
  },
});
