import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { McpServerNotFoundError, McpServerRefusedError } from "./errors.js";
import { McpServer, type ServerDependencies, type ServerState } from "./server/server.js";
import type { ReadServers, RefusedEntry } from "./settings.js";
import { serverPrefixes, toolNames } from "./tools/names.js";
import type { PinnedTool } from "./tools/pins.js";
import { hostTool } from "./tools/tool.js";

/** Time in milliseconds for which the first turn waits for servers whose tools are not known yet. */
const FIRST_TURN_MS = 3000;

/** Tool of a server as status and commands show it. */
export interface ToolOverview {
  /** Name as the server gives it. */
  readonly tool: string;
  /** Name by which models call it. */
  readonly name: string;
  readonly description: string;
  /** Reason why it is not offered. */
  readonly problem?: string;
  /** Accepted definition and the one that waits for acceptance. */
  readonly change?: { readonly accepted: unknown; readonly pending: unknown };
}

/** Server as status and commands show it. */
export interface ServerOverview {
  readonly name: string;
  readonly target: string;
  readonly state: ServerState["kind"];
  readonly reason?: string;
  readonly nextAttemptAt?: number;
  readonly protocolVersion?: string;
  /** Undefined when they are not known. */
  readonly tools?: readonly ToolOverview[];
}

/** The servers of the configuration. */
export class McpServers {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #refused: ReadonlyMap<string, RefusedEntry>;
  readonly #prefixes: ReadonlyMap<string, string>;
  /** Tools for the host by server, made once for each list of tools. */
  readonly #made = new WeakMap<readonly PinnedTool[], readonly AnyAgentTool[]>();
  #isRunning = false;
  #firstTurn: Promise<unknown> | undefined;

  /**
   * @param entries - entries of the configuration
   * @param dependencies - host and store
   */
  constructor({ servers, refused }: ReadServers, dependencies: ServerDependencies) {
    this.#servers = new Map(
      servers.map((settings) => [settings.name, new McpServer(settings, dependencies)]),
    );
    this.#refused = new Map(refused.map((entry) => [entry.name, entry]));
    this.#prefixes = serverPrefixes([...this.#servers.keys()]);
  }

  /** Names of all entries. */
  get names(): readonly string[] {
    return [...this.#servers.keys(), ...this.#refused.keys()];
  }

  /**
   * Connects in the background: the servers whose entry asks for it, and those whose tools are not known. Nothing waits
   * for them.
   */
  async run(): Promise<void> {
    this.#isRunning = true;
    const starting: Promise<unknown>[] = [];
    for (const server of this.#servers.values()) {
      const isKnown = (await server.tools()) !== undefined;
      if (server.settings.start === "eager" || !isKnown) starting.push(quietly(server.start()));
    }
    this.#firstTurn = Promise.all(starting);
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.#isRunning = false;
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  /** Returns the tools of all servers for the host, in an order that does not depend on the servers. */
  async tools(): Promise<AnyAgentTool[]> {
    if (this.#isRunning) await this.#waitForFirst();
    const all: AnyAgentTool[] = [];
    for (const server of this.#servers.values()) {
      const tools = (await server.tools()) ?? [];
      const made = this.#made.get(tools) ?? this.#make(server, tools);
      this.#made.set(tools, made);
      all.push(...made);
    }
    return all;
  }

  /**
   * Returns a server.
   * @param name - name of its entry
   * @throws McpServerNotFoundError, McpServerRefusedError
   */
  server(name: string): McpServer {
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    const refused = this.#refused.get(name);
    if (refused === undefined) throw new McpServerNotFoundError(name, this.names);
    throw new McpServerRefusedError(name, refused.problem, refused.nextStep);
  }

  /** Returns all servers with their states and tools. */
  async overview(): Promise<readonly ServerOverview[]> {
    const servers = [...this.#servers.values()].map((server) => this.overviewOf(server));
    const refused = [...this.#refused.values()].map(({ name, problem, nextStep }) => ({
      name,
      target: "",
      state: "refused" as const,
      reason: `${problem}; ${nextStep}`,
    }));
    const all = [...(await Promise.all(servers)), ...refused];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Returns a server with its state and tools.
   * @param server - the server
   */
  async overviewOf(server: McpServer): Promise<ServerOverview> {
    const { state, settings } = server;
    const tools = await server.tools();
    const names = this.#namesOf(server, tools ?? []);
    const target =
      settings.target.kind === "http"
        ? settings.target.url
        : [settings.target.command, ...settings.target.args].join(" ");
    return {
      name: server.name,
      target,
      state: state.kind,
      ...(state.kind === "failing" ? { reason: state.reason, nextAttemptAt: state.until } : {}),
      ...(state.kind === "refused" ? { reason: state.reason } : {}),
      ...(state.kind === "ready" && state.protocolVersion !== undefined
        ? { protocolVersion: state.protocolVersion }
        : {}),
      ...(tools && { tools: tools.map((tool) => overviewOfTool(tool, names)) }),
    };
  }

  #make(server: McpServer, tools: readonly PinnedTool[]): readonly AnyAgentTool[] {
    const names = this.#namesOf(server, tools);
    const prefix = this.#prefixOf(server);
    const { allow, deny } = server.settings;
    return tools.flatMap(({ definition, problem }) => {
      const { name: tool } = definition;
      const isLeftOut = deny.includes(tool) || allow?.includes(tool) === false;
      if (problem !== undefined || isLeftOut) return [];
      const made = hostTool(server, definition, { name: names.get(tool) ?? tool, prefix });
      return [made as AnyAgentTool];
    });
  }

  #namesOf(server: McpServer, tools: readonly PinnedTool[]): ReadonlyMap<string, string> {
    const given = tools.map(({ definition }) => definition.name);
    return toolNames(this.#prefixOf(server), given);
  }

  #prefixOf({ name }: McpServer): string {
    return this.#prefixes.get(name) ?? name;
  }

  /** A command that starts a host for one message would otherwise never see the tools of a new server. */
  async #waitForFirst(): Promise<void> {
    if (this.#firstTurn === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FIRST_TURN_MS);
    });
    await Promise.race([this.#firstTurn, late]);
    clearTimeout(timer);
    this.#firstTurn = undefined;
  }
}

function overviewOfTool(
  { definition, pending, problem }: PinnedTool,
  names: ReadonlyMap<string, string>,
): ToolOverview {
  return {
    tool: definition.name,
    name: names.get(definition.name) ?? definition.name,
    description: definition.description ?? definition.title ?? "",
    ...(problem === undefined ? {} : { problem: problem.text }),
    ...(pending === undefined ? {} : { change: { accepted: definition, pending } }),
  };
}

async function quietly(work: Promise<unknown>): Promise<void> {
  // The state of the server has the reason, and it was logged.
  await work.catch(() => undefined);
}
