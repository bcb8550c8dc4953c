import {
  type Extension,
  type ExtensionChange,
  type ExtensionLogin,
  ToolRefusalError,
} from "@openclaw/core-tools";
import { defined, errorMessage, OpenClawError } from "@openclaw/foundation";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";

/** Plugin that connects to MCP servers; its methods exist while it is loaded. */
const PLUGIN = "mcp";
/** Path at which this plugin takes a browser back from a login. */
const CALLBACK_PATH = "/plugins/mcp/login/callback";
/** Name of an entry of `mcpServers`, with which the names of its tools begin. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const overview = Type.Object({
  name: Type.String(),
  target: Type.String(),
  state: Type.String(),
  reason: Type.Optional(Type.String()),
  isUndecided: Type.Optional(Type.Boolean()),
  origin: Type.Optional(Type.String()),
  tools: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), problem: Type.Optional(Type.String()) })),
  ),
});
const overviews = Type.Object({ servers: Type.Array(overview) });
const accepted = Type.Object({ accepted: Type.Array(Type.String()) });
const startedLogin = Type.Object({ url: Type.String() });

type Overview = Static<typeof overview>;

/** Methods of the gateway and of its plugins. */
export interface MethodPorts {
  /** Returns the methods of the gateway. */
  methods(): Promise<Pick<MethodRegistry<GatewayMethods>, "call">>;
  /**
   * Calls a method of a plugin as the operator.
   * @param params - parameters
   */
  callPlugin(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** MCP server as the tools show it. */
export interface McpServerState {
  readonly extension: Extension;
  /** True for an entry of the configuration, which can be removed. */
  readonly isConfigured: boolean;
  /** Number of tools that wait for acceptance. */
  readonly waiting: number;
  /** True for a server of a workspace that no person has allowed. */
  readonly isUndecided: boolean;
  /** True for an entry that cannot be used, for example because it is disabled. */
  readonly isRefused: boolean;
}

/** The servers of the section `mcpServers`, as the plugin `mcp` knows them. */
export class McpServers {
  readonly #dependencies: MethodPorts;

  /** @param dependencies - methods of the gateway and of the plugin */
  constructor(dependencies: MethodPorts) {
    this.#dependencies = dependencies;
  }

  /** Returns the servers; none while the plugin is not loaded. */
  async list(): Promise<readonly McpServerState[]> {
    if (!(await this.#isLoaded())) return [];
    const listed = await this.#dependencies.callPlugin("mcp.list", {});
    return Check(overviews, listed) ? listed.servers.map(stateOf) : [];
  }

  /**
   * Adds a server, and connects to it.
   * @param name - name of its entry
   * @throws ToolRefusalError for a name or a URL that cannot be used
   */
  async add(name: string, url: string | undefined): Promise<ExtensionChange> {
    const problem = await this.#problem(name, url);
    if (problem !== undefined) throw new ToolRefusalError("invalid-value", problem);
    const notes = await this.#change(["mcpServers", name], { url });
    return { ...(await this.#test(name)), notes: [`Added the MCP server ${name}.`, ...notes] };
  }

  /**
   * Allows a server of a workspace, or accepts changed definitions of its tools.
   * @param server - server that was listed
   */
  async accept(server: McpServerState): Promise<ExtensionChange> {
    const { extension, waiting, isUndecided, isConfigured, isRefused } = server;
    const { name } = extension;
    if (isConfigured && isRefused && (await this.#entry(name)).enabled === false) {
      const notes = await this.#change(["mcpServers", name, "enabled"], true);
      return { ...(await this.#test(name)), notes: [`Enabled the MCP server ${name}.`, ...notes] };
    }
    if (!isUndecided && waiting === 0) {
      return { ...(await this.#test(name)), notes: ["Nothing was waiting for acceptance."] };
    }
    const result = await this.#dependencies.callPlugin("mcp.accept", { server: name });
    const tools = Check(accepted, result) ? result.accepted : [];
    const list = tools.length === 0 ? "the server" : tools.join(", ");
    return { ...(await this.#test(name)), notes: [`Accepted ${list}.`] };
  }

  /**
   * Starts a login.
   * @param name - name of the server
   * @param origin - URL of the gateway for browsers
   */
  async logIn(name: string, origin: string): Promise<ExtensionLogin> {
    const redirectUri = `${origin}${CALLBACK_PATH}`;
    const login = await this.#dependencies.callPlugin("mcp.auth.start", {
      ...{ server: name, redirectUri },
    });
    if (Check(startedLogin, login)) return { name, url: login.url, returnsTo: origin };
    throw new ToolRefusalError("request-failed", `the login of ${name} has no page; try it again`);
  }

  /**
   * Removes a server with what is stored about it.
   * @param server - server that was listed
   * @throws ToolRefusalError for a server of a workspace
   */
  async remove({ extension, isConfigured }: McpServerState): Promise<ExtensionChange> {
    const { name } = extension;
    if (!isConfigured) {
      const text = `the MCP server ${name} is an entry of the file .mcp.json of the workspace; remove it there`;
      throw new ToolRefusalError("refused", text);
    }
    const entry = await this.#entry(name);
    const notes = await this.#change(["mcpServers", name], undefined);
    await this.#dependencies.callPlugin("mcp.forget", { server: name, entry });
    return { notes: [`Removed the MCP server ${name}.`, ...notes] };
  }

  async #problem(name: string, url: string | undefined): Promise<string | undefined> {
    if (!(await this.#isLoaded())) {
      return `the plugin ${PLUGIN} is not loaded; call tool_activate for ${PLUGIN} first`;
    }
    if (!NAME.test(name)) return `name: "${name}" must have at most 64 of A-Z a-z 0-9 . _ -`;
    if (url === undefined) {
      return "url: an MCP server needs one; a program is added by the operator with `openclaw mcp add`";
    }
    const { protocol = "" } = URL.parse(url) ?? {};
    if (protocol !== "https:" && protocol !== "http:") return "url: expected an http or https URL";
    const known = await this.list();
    if (!known.some(({ extension }) => extension.name === name)) return undefined;
    return `name: an MCP server ${name} exists; choose another name, or remove it first`;
  }

  async #entry(name: string): Promise<Readonly<Record<string, unknown>>> {
    const methods = await this.#dependencies.methods();
    const { value } = await methods.call("config.get", {});
    return Object(Object(Object(value).mcpServers)[name]);
  }

  /** Returns what the reload did not apply. */
  async #change(path: string[], value: unknown): Promise<readonly string[]> {
    const methods = await this.#dependencies.methods();
    const { baseHash } = await methods.call("config.get", {});
    const changes = [{ path, ...defined({ value }) }];
    const { problem } = await methods.call("config.set", { baseHash, changes });
    return problem === undefined ? [] : [problem];
  }

  async #test(name: string): Promise<Pick<ExtensionChange, "extension">> {
    try {
      const tested = await this.#dependencies.callPlugin("mcp.test", { server: name });
      return Check(overview, tested) ? { extension: stateOf(tested).extension } : {};
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      const reason = errorMessage(error);
      return { extension: { name, kind: "mcp", state: "failing", reason } };
    }
  }

  async #isLoaded(): Promise<boolean> {
    const methods = await this.#dependencies.methods();
    const { plugins } = await methods.call("plugins.list", {});
    return plugins.some(({ id, status }) => id === PLUGIN && status === "loaded");
  }
}

function stateOf({ name, target, state, reason, isUndecided, origin, tools }: Overview) {
  const names = tools?.flatMap((tool) => (tool.problem === undefined ? tool.name : []));
  const waiting = tools?.filter(({ problem }) => problem !== undefined).length ?? 0;
  const note = waiting === 0 ? [] : [`${waiting} tools wait for acceptance with tool_activate`];
  const text = [...(reason === undefined ? [] : [reason]), ...note].join("; ");
  const extension: Extension = {
    ...{ name, kind: "mcp", state, about: target },
    ...(text === "" ? {} : { reason: text }),
    ...defined({ tools: names }),
  };
  return {
    ...{ extension, waiting, isConfigured: origin === undefined },
    ...{ isUndecided: isUndecided === true, isRefused: state === "refused" },
  };
}
