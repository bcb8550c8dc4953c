import type {
  Extension,
  ExtensionChange,
  ExtensionInstall,
  ExtensionKind,
  ExtensionLogin,
  ExtensionManagement,
} from "@openclaw/core-tools";
import { ToolRefusalError } from "@openclaw/core-tools";
import { defined, nearestNames, withSuggestion } from "@openclaw/foundation";
import type { PluginChange, PluginSummary } from "@openclaw/protocol";
import { type McpServerState, McpServers, type MethodPorts } from "./mcp-servers.js";

/** Dependencies of {@link GatewayExtensions}. */
export interface ExtensionDependencies extends MethodPorts {
  /** Returns the URL at which browsers reach the gateway; undefined for one without listener. */
  origin(): string | undefined;
  /**
   * Calls the listener after each change of the plugins.
   * @returns function that removes the listener
   */
  onPluginsChanged(listener: () => void): () => void;
  /** Base folder of relative paths. */
  readonly workspaceDir: string;
}

/** Extensions of a gateway, for the tools that manage them (TURN-067). All changes are those of its methods. */
export class GatewayExtensions implements ExtensionManagement {
  readonly #dependencies: ExtensionDependencies;
  readonly #servers: McpServers;

  /** @param dependencies - methods of the gateway and of its plugins */
  constructor(dependencies: ExtensionDependencies) {
    this.#dependencies = dependencies;
    this.#servers = new McpServers(dependencies);
  }

  async list(kind?: ExtensionKind): Promise<readonly Extension[]> {
    const plugins = kind === "mcp" ? [] : (await this.#plugins()).map(extensionOf);
    const servers = kind === "plugin" ? [] : await this.#servers.list();
    return [...plugins, ...servers.map(({ extension }) => extension)];
  }

  async install({ kind, name, url }: ExtensionInstall): Promise<ExtensionChange> {
    if (kind === "mcp") return await this.#servers.add(name, url);
    const { call } = await this.#methods();
    const { workspaceDir: cwd } = this.#dependencies;
    return changeOf(await call("plugins.install", { specifier: url ?? name, cwd }));
  }

  async activate(name: string): Promise<ExtensionChange> {
    const found = await this.#find(name);
    if ("server" in found) return await this.#servers.accept(found.server);
    const { call } = await this.#methods();
    return changeOf(await call("plugins.enable", { id: found.plugin.id }));
  }

  async authenticate(name: string): Promise<ExtensionLogin> {
    const { origin } = this.#dependencies;
    const returnsTo = origin();
    if (returnsTo === undefined) {
      const problem = "this gateway has no listener, to which a browser could return";
      throw new ToolRefusalError("refused", `${problem}; ask the operator to log in`);
    }
    const found = await this.#find(name);
    if ("server" in found) return await this.#servers.logIn(name, returnsTo);
    const { call } = await this.#methods();
    const { credentials } = await call("logins.list", {});
    const own = credentials.filter(({ pluginId }) => pluginId === found.plugin.id);
    const wanted = own.find(({ status }) => status === "needs-login") ?? own[0];
    if (wanted === undefined) {
      throw new ToolRefusalError(
        "wrong-kind",
        `the plugin ${name} registers no login; its settings are plugins.entries.${name}.config, and the operator stores keys with \`openclaw secrets set\``,
      );
    }
    const redirectUri = `${returnsTo}/oauth/callback`;
    const isLocal = redirectUri.startsWith("http://127.0.0.1:");
    const login = await call("logins.start", {
      name: wanted.name,
      // Without it the callback is below gateway.publicUrl.
      ...(isLocal ? { redirectUri } : {}),
    });
    return { name, url: login.url, returnsTo };
  }

  async remove(name: string): Promise<ExtensionChange> {
    const found = await this.#find(name);
    if ("server" in found) return await this.#servers.remove(found.server);
    const { id } = found.plugin;
    const { call } = await this.#methods();
    const removal = call("plugins.uninstall", { id });
    // The turn that calls the tool uses the plugins of its start, and its end would be waited for before data is removed.
    using unloaded = this.#untilUnloaded(id);
    const ended = await Promise.race([removal, unloaded.promise]);
    const notes = ended === undefined ? ["Its data is removed after the turns that use it."] : [];
    return { notes: [`Removed the plugin ${id}.`, ...notes] };
  }

  #untilUnloaded(id: string): Disposable & { readonly promise: Promise<undefined> } {
    let resolve: (value: undefined) => void = () => undefined;
    const promise = new Promise<undefined>((done) => {
      resolve = done;
    });
    const stop = this.#dependencies.onPluginsChanged(() => {
      this.#plugins().then(
        (plugins) => {
          if (!plugins.some((plugin) => plugin.id === id)) resolve(undefined);
        },
        () => undefined,
      );
    });
    return { promise, [Symbol.dispose]: stop };
  }

  async #find(name: string): Promise<FoundExtension> {
    const plugins = await this.#plugins();
    const plugin = plugins.find(({ id }) => id === name);
    if (plugin !== undefined) return { plugin };
    const servers = await this.#servers.list();
    const server = servers.find(({ extension }) => extension.name === name);
    if (server !== undefined) return { server };
    const names = [...plugins.map(({ id }) => id), ...servers.map((each) => each.extension.name)];
    const text = `no extension has the name "${name}"`;
    const next = "tool_list shows all names";
    throw new ToolRefusalError("not-found", withSuggestion(text, nearestNames(name, names), next));
  }

  async #plugins(): Promise<readonly PluginSummary[]> {
    const { call } = await this.#methods();
    return (await call("plugins.list", {})).plugins;
  }

  async #methods() {
    const methods = await this.#dependencies.methods();
    return { call: methods.call.bind(methods) };
  }
}

type FoundExtension = { readonly plugin: PluginSummary } | { readonly server: McpServerState };

function extensionOf({ id, name, description, status, reason, hint }: PluginSummary): Extension {
  const problem = [reason, hint].filter((text) => text !== undefined).join("; ");
  return {
    ...{ name: id, kind: "plugin", state: status, about: description ?? name },
    ...(problem === "" ? {} : { reason: problem }),
  };
}

/** Says what happened to a plugin, and what the operator has to decide. */
function changeOf(change: PluginChange): ExtensionChange {
  const { outcome, plugin, diagnostics, consentNeeded = [], freeSlot, addedPermissions } = change;
  const id = plugin?.id ?? "";
  const consent = `handlers that read conversations stay inactive (${consentNeeded.join(", ")}); the operator allows them with \`openclaw plugins enable ${id} --allow-conversation\``;
  const slot = `it needs the slot ${freeSlot}, which is free; call tool_activate for ${id}`;
  const added = `the new version requests more permissions: ${addedPermissions?.join(", ")}; the operator accepts them with \`openclaw plugins update ${id} --accept\``;
  const notes = [
    ...(addedPermissions === undefined ? [] : [added]),
    ...(consentNeeded.length === 0 ? [] : [consent]),
    ...(freeSlot === undefined ? [] : [slot]),
    ...diagnostics.map(({ message, hint }) => [message, hint].filter(Boolean).join("; ")),
  ];
  return {
    ...defined({ extension: plugin && extensionOf(plugin) }),
    notes: [`outcome: ${outcome}`, ...notes],
  };
}
