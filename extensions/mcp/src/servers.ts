import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import type { BundleServers } from "./bundles/servers.js";
import type { CallTurn } from "./elicitation/open-elicitations.js";
import { McpServerNotFoundError, McpServerRefusedError } from "./errors.js";
import { RESOURCE_TOOLS, resourceTools } from "./resources/tools.js";
import { McpServer, type ServerDependencies } from "./server/server.js";
import type { ServerState } from "./server/state.js";
import { waitWithin } from "./server/wait.js";
import { type ReadServers, type RefusedEntry, targetText } from "./settings.js";
import { serverPrefixes, toolNames } from "./tools/names.js";
import type { PinnedTool } from "./tools/pins.js";
import { hostTool, type TurnTool } from "./tools/tool.js";
import type { WorkspaceServers } from "./workspace/servers.js";

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
  /** File of a workspace that names it; absent for a server of the configuration. */
  readonly origin?: string;
  /** True for a program that runs outside a sandbox, with the rights of the gateway. */
  readonly isOutsideSandbox?: true;
  /** True for a server of a workspace that no person has allowed. */
  readonly isUndecided?: true;
  readonly state: ServerState["kind"];
  readonly reason?: string;
  readonly nextAttemptAt?: number;
  readonly protocolVersion?: string;
  /** Undefined when they are not known. */
  readonly tools?: readonly ToolOverview[];
}

/** Turn that uses tools. */
export interface ServersTurn extends CallTurn {
  readonly workspaceDir: string;
}

interface MadeTools {
  readonly prefix: string;
  readonly tools: readonly TurnTool[];
}

/** The servers of the configuration, of bundles and of workspaces. */
export class McpServers {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #refused: ReadonlyMap<string, RefusedEntry>;
  readonly #bundles: BundleServers;
  readonly #workspaces: WorkspaceServers;
  /** Tools for the host, made once for each list of tools of a server. */
  readonly #made = new WeakMap<readonly PinnedTool[], MadeTools>();
  #isRunning = false;
  #firstTurn: Promise<unknown> | undefined;

  /**
   * @param entries - entries of the configuration
   * @param dependencies - host and store
   * @param bundles - servers of bundles
   * @param workspaces - servers of workspaces
   */
  constructor(
    { servers, refused }: ReadServers,
    dependencies: ServerDependencies,
    bundles: BundleServers,
    workspaces: WorkspaceServers,
  ) {
    this.#servers = new Map(
      servers.map((settings) => [settings.name, new McpServer(settings, dependencies)]),
    );
    this.#refused = new Map(refused.map((entry) => [entry.name, entry]));
    this.#bundles = bundles;
    this.#workspaces = workspaces;
  }

  /**
   * Connects in the background: the servers whose entry asks for it, and those whose tools are not known. Nothing waits
   * for them.
   */
  async run(): Promise<void> {
    this.#isRunning = true;
    const { servers } = await this.#all();
    this.#firstTurn = Promise.all(await this.#startUnknown(servers));
  }

  /** Reads the servers of bundles again, after plugins were loaded or unloaded. */
  async reloadBundles(): Promise<void> {
    await this.#bundles.reload();
    if (!this.#isRunning) return;
    await this.#startUnknown(this.#bundles.servers);
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.#isRunning = false;
    await this.#workspaces.close();
    await this.#bundles.close();
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  /**
   * Returns the tools of all servers for the host, in an order that does not depend on the servers, and asks for servers of
   * the workspace about which no person was asked.
   * @param turn - turn that uses them
   */
  async tools(turn: ServersTurn): Promise<AnyAgentTool[]> {
    const { workspaceDir, sessionKey } = turn;
    const found = await this.#workspaces.of(workspaceDir);
    await this.#bundles.load();
    if (found.undecided.length > 0) await this.#workspaces.ask(found, sessionKey);
    const servers = [...this.#servers.values(), ...this.#bundles.servers, ...found.servers];
    if (servers.length === 0) return [];
    if (this.#isRunning) {
      if (found.servers.length > 0) await this.#startUnknown(found.servers);
      await this.#waitForFirst();
    }
    const prefixes = prefixesOf(servers);
    const all: AnyAgentTool[] = [];
    for (const server of servers) {
      const tools = await server.tools();
      if (tools === undefined) continue;
      const prefix = prefixes.get(server.name) ?? server.name;
      const known = this.#made.get(tools);
      const made = known?.prefix === prefix ? known.tools : this.#make(server, tools, prefix);
      this.#made.set(tools, { prefix, tools: made });
      all.push(...made.map((tool) => tool(turn)));
    }
    return all;
  }

  /**
   * Returns a server.
   * @param name - name of its entry
   * @throws McpServerNotFoundError, McpServerRefusedError
   */
  async server(name: string): Promise<McpServer> {
    const { servers, refused } = await this.#all();
    const server = servers.find((each) => each.name === name);
    if (server !== undefined) return server;
    const entry = refused.find((each) => each.name === name);
    const names = [...servers, ...refused].map((each) => each.name);
    if (entry === undefined) throw new McpServerNotFoundError(name, names);
    throw new McpServerRefusedError(name, entry.problem, entry.nextStep);
  }

  /**
   * Allows a server that the file of a workspace names.
   * @param name - name of its entry
   * @returns false when no such server waits for a decision
   */
  async allow(name: string): Promise<boolean> {
    return await this.#workspaces.allow(name);
  }

  /** Returns all servers whose entries can be used. */
  async all(): Promise<readonly McpServer[]> {
    return (await this.#all()).servers;
  }

  /** Returns the servers that were used or started, by the prefixes of their names. Starts nothing. */
  current(): ReadonlyMap<string, McpServer> {
    const { servers: ofBundles } = this.#bundles;
    const servers = [...this.#servers.values(), ...ofBundles, ...this.#workspaces.servers];
    const prefixes = prefixesOf(servers);
    return new Map(servers.map((server) => [prefixes.get(server.name) ?? server.name, server]));
  }

  /** Returns all servers with their states and tools. */
  async overview(): Promise<readonly ServerOverview[]> {
    const { servers, refused } = await this.#all();
    const shown = servers.map((server) => this.overviewOf(server));
    const others = refused.map(({ name, problem, nextStep, file, isUndecided, target = "" }) => ({
      ...{ name, target },
      ...defined({ isUndecided, origin: file }),
      state: "refused" as const,
      reason: `${problem}; ${nextStep}`,
    }));
    const all = [...(await Promise.all(shown)), ...others];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Returns a server with its state and tools.
   * @param server - the server
   */
  async overviewOf(server: McpServer): Promise<ServerOverview> {
    const { state, settings } = server;
    const tools = await server.tools();
    const { file } = settings.place;
    const all = [...this.#servers.values(), ...this.#bundles.servers, server];
    const prefixes = prefixesOf([...new Set(all)]);
    const names = namesOf(prefixes.get(server.name) ?? server.name, tools ?? []);
    return {
      name: server.name,
      target: targetText(settings.target),
      ...(settings.target.kind === "stdio" && settings.target.sandbox === undefined
        ? { isOutsideSandbox: true as const }
        : {}),
      state: state.kind,
      ...defined({
        origin: file,
        reason: "reason" in state ? state.reason : undefined,
        nextAttemptAt: state.kind === "failing" ? state.until : undefined,
        protocolVersion: state.kind === "ready" ? state.protocolVersion : undefined,
        tools: tools?.map((tool) => overviewOfTool(tool, names)),
      }),
    };
  }

  /** Returns the servers of the configuration, of bundles and of the known workspaces. */
  async #all(): Promise<ReadServers<McpServer>> {
    await this.#bundles.load();
    const { folders } = this.#workspaces;
    const found = await Promise.all(folders.map((folder) => this.#workspaces.of(folder)));
    const { servers: ofBundles, refused: refusedOfBundles } = this.#bundles;
    return {
      servers: [
        ...this.#servers.values(),
        ...ofBundles,
        ...found.flatMap(({ servers }) => servers),
      ],
      refused: [
        ...this.#refused.values(),
        ...refusedOfBundles,
        ...found.flatMap(({ refused }) => refused),
      ],
    };
  }

  /** Starts the servers whose entry asks for it, and those whose tools are not known, and returns their attempts. */
  async #startUnknown(servers: readonly McpServer[]): Promise<Promise<unknown>[]> {
    const starting: Promise<unknown>[] = [];
    for (const server of servers) {
      if (server.state.kind !== "stopped") continue;
      const isKnown = (await server.tools()) !== undefined;
      if (server.settings.start === "eager" || !isKnown) starting.push(quietly(server.start()));
    }
    return starting;
  }

  #make(server: McpServer, tools: readonly PinnedTool[], prefix: string): readonly TurnTool[] {
    const names = namesOf(prefix, tools);
    const { allow, deny } = server.settings;
    const own = new Set(names.values());
    const isLeftOut = (tool: string) => deny.includes(tool) || allow?.includes(tool) === false;
    const ofResources = server.offers.hasResources
      ? resourceTools(server, prefix).filter(
          ({ name }, index) => !own.has(name) && !isLeftOut(RESOURCE_TOOLS[index] ?? ""),
        )
      : [];
    const ofServer = tools.flatMap(({ definition, problem }) => {
      const { name: tool } = definition;
      if (problem !== undefined || isLeftOut(tool)) return [];
      return hostTool(server, definition, { name: names.get(tool) ?? tool, prefix });
    });
    return [...ofServer, ...ofResources.map((tool) => () => tool)];
  }

  /** A command that starts a host for one message would otherwise never see the tools of a new server. */
  async #waitForFirst(): Promise<void> {
    if (this.#firstTurn === undefined) return;
    await waitWithin(FIRST_TURN_MS, this.#firstTurn);
    this.#firstTurn = undefined;
  }
}

function prefixesOf(servers: readonly McpServer[]): ReadonlyMap<string, string> {
  return serverPrefixes(servers.map(({ name }) => name));
}

function namesOf(prefix: string, tools: readonly PinnedTool[]): ReadonlyMap<string, string> {
  return toolNames(
    prefix,
    tools.map(({ definition }) => definition.name),
  );
}

function overviewOfTool(
  { definition, pending, problem }: PinnedTool,
  names: ReadonlyMap<string, string>,
): ToolOverview {
  return {
    tool: definition.name,
    name: names.get(definition.name) ?? definition.name,
    description: definition.description ?? definition.title ?? "",
    ...defined({
      problem: problem?.text,
      change: pending && { accepted: definition, pending },
    }),
  };
}

async function quietly(work: Promise<unknown>): Promise<void> {
  // The state of the server has the reason, and it was logged.
  await work.catch(() => undefined);
}
