import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { type InboundMessage, mainSessionKey, type ReplyOutcome } from "@openclaw/messaging";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { openStore, type Store } from "@openclaw/store";
import { openHost } from "../host/host.js";
import type { Host } from "../host/running-host.js";
import { openStateFolder, type StateFolder } from "../state/folder.js";
import { openLog } from "../state/log.js";
import {
  CLIENT_PROBE,
  CORE_PROBE,
  type Guard,
  GuardCanary,
  MCP_PROBE,
  PLUGIN_PROBE,
  WASM_PROBE,
} from "./guard-canary.js";

const AGENT_ID = "main";

/** Plugins and configuration of the host to check. */
export interface GuardProofOptions {
  readonly version: string;
  readonly configuration: LoadedConfiguration;
  readonly workspaceDir: string;
  readonly bundledExtensions: readonly string[];
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Folders or files of further plugins, `--plugin`. */
  readonly pluginPaths?: readonly string[] | undefined;
  /** Plugins given as objects. */
  readonly inlinePlugins?: readonly PluginDefinition[] | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Host without durable state that contains the canary. */
export interface GuardProofHost extends AsyncDisposable {
  /** Current host. */
  readonly host: Host;
  readonly store: Store;
  readonly canary: GuardCanary;
  readonly agentId: string;
  readonly sessionKey: string;
  /** Options for another host like the current one, for example to replay a run. */
  readonly parts: GuardProofOptions & {
    readonly state: StateFolder;
    readonly inlinePlugins: readonly PluginDefinition[];
    readonly providers: readonly ModelProvider[];
  };
  /**
   * Activates a denial. A denial by policy is part of the configuration, so the host ends and another one
   * continues with the same store.
   * @param guard - guard that denies the canary's calls from now on
   */
  arm(guard: Guard): Promise<void>;
  /**
   * Sends a message of the operator to the agent.
   * @param text - text for the canary's model
   * @param rest - further parts of the message
   */
  say(text: string, rest?: Pick<InboundMessage, "client">): Promise<ReplyOutcome>;
}

/**
 * Opens a host with the given plugins and configuration, and with the canary. Its store is in memory and its
 * state in a temporary folder; it does not serve, so plugins do not start.
 * @param options - plugins and configuration
 */
export async function openGuardProofHost(options: GuardProofOptions): Promise<GuardProofHost> {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "openclaw-guards-"));
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  const state = openStateFolder(folder);
  const store = await openStore({ file: ":memory:" });
  opening.defer(() => store.close());
  const canary = new GuardCanary();
  let parts = {
    ...options,
    state,
    inlinePlugins: [...(options.inlinePlugins ?? []), canary.plugin],
    providers: [canary.provider],
  };
  const open = () =>
    openHost({
      ...parts,
      model: canary.model,
      store,
      log: openLog(undefined, { level: "silent" }),
    });
  let host = await open();
  opening.defer(() => host.close("command"));
  await host.recover();
  const sessionKey = mainSessionKey(AGENT_ID);
  const closing = opening.move();
  return {
    get host() {
      return host;
    },
    get parts() {
      return parts;
    },
    store,
    canary,
    agentId: AGENT_ID,
    sessionKey,
    async arm(guard) {
      canary.armed = guard;
      if (guard !== "policy") return;
      await host.close("restart");
      parts = { ...parts, configuration: withDenial(parts.configuration) };
      host = await open();
      await host.recover();
    },
    say: (text, rest = {}) =>
      host.receive({
        ...rest,
        channel: "terminal",
        conversationId: "guard-proof",
        senderId: "operator",
        senderIsOwner: true,
        sessionKey,
        agentId: AGENT_ID,
        model: canary.model,
        text,
      }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Returns the configuration with the canary's tools denied, as an operator would deny them. */
function withDenial(configuration: LoadedConfiguration): LoadedConfiguration {
  // The agent's schema of `tools` does not contain the keys of policy.
  const tools: ToolsSection = configuration.value.tools ?? {};
  const denied: ToolsSection = {
    ...tools,
    deny: [...(tools.deny ?? []), CORE_PROBE, PLUGIN_PROBE, MCP_PROBE, WASM_PROBE, CLIENT_PROBE],
  };
  return { ...configuration, value: { ...configuration.value, tools: denied } };
}

type ToolsSection = NonNullable<LoadedConfiguration["value"]["tools"]> & {
  readonly deny?: readonly string[] | undefined;
};
