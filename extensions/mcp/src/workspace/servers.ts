import { join } from "node:path";
import type { Logger } from "@openclaw/plugin-sdk";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { McpServer, type ServerDependencies } from "../server/server.js";
import type { RefusedEntry, ServerSettings } from "../settings.js";
import type { WorkspaceDecision, WorkspaceDecisions } from "./decisions.js";
import { WORKSPACE_FILE, type WorkspaceEntry, type WorkspaceFiles } from "./file.js";

/** Dependencies of the servers of workspaces. */
export interface WorkspaceDependencies {
  readonly files: WorkspaceFiles;
  readonly decisions: WorkspaceDecisions;
  readonly server: ServerDependencies;
  readonly logger: Logger;
  /** Folders of the agents' workspaces. */
  readonly folders: readonly string[];
  /** Names that entries of the configuration have. */
  readonly taken: ReadonlySet<string>;
}

/** Servers of one workspace, both usable ones and others with the reason. */
export interface ServersOfWorkspace {
  readonly servers: readonly McpServer[];
  readonly refused: readonly RefusedEntry[];
  /** Entries about which no person was asked. */
  readonly undecided: readonly WorkspaceEntry[];
}

/** Servers that the files `.mcp.json` of workspaces name, each used once a person allowed its entry (EXT-010). */
export class WorkspaceServers {
  readonly #dependencies: WorkspaceDependencies;
  readonly #folders: Set<string>;
  /** Servers in use by the key of their place. */
  readonly #servers = new Map<string, McpServer>();
  /** Reasons why a person could not be asked, by the hash of the entry. */
  readonly #unasked = new Map<string, string>();
  readonly #told = new Set<string>();

  /** @param dependencies - files, decisions, and what servers need */
  constructor(dependencies: WorkspaceDependencies) {
    this.#dependencies = dependencies;
    this.#folders = new Set(dependencies.folders);
  }

  /** Folders of the workspaces that are known. */
  get folders(): readonly string[] {
    return [...this.#folders];
  }

  /** Servers of all workspaces that are in use. */
  get servers(): readonly McpServer[] {
    return [...this.#servers.values()];
  }

  /**
   * Returns the servers of a workspace as its file names them now.
   * @param folder - folder of the workspace
   */
  async of(folder: string): Promise<ServersOfWorkspace> {
    this.#folders.add(folder);
    const { files, decisions, taken } = this.#dependencies;
    const { entries, problem } = await files.read(folder);
    const servers: McpServer[] = [];
    const refused: RefusedEntry[] = [];
    if (problem !== undefined) {
      const file = join(folder, WORKSPACE_FILE);
      refused.push({ name: WORKSPACE_FILE, file, problem, nextStep: "correct it", isOff: false });
      this.#tell(`${file} ${problem}`);
    }
    const undecided: WorkspaceEntry[] = [];
    for (const entry of entries) {
      const { name, file, read } = entry;
      if (taken.has(name)) {
        const unused = "has the name of a server of the configuration, which is used instead";
        refused.push({
          name,
          file,
          problem: unused,
          nextStep: `rename it in ${file}`,
          isOff: true,
        });
      } else if ("problem" in read) refused.push(read);
      else {
        const decision = await decisions.of(entry);
        if (decision === "allowed") servers.push(this.#server(read));
        else {
          if (decision === undefined) undecided.push(entry);
          refused.push(this.#unallowed(entry, decision));
        }
      }
    }
    await this.#close(folder, new Set(servers));
    return { servers, refused, undecided };
  }

  /**
   * Asks for the servers of a workspace about which no person was asked.
   * @param folder - folder of the workspace
   * @param sessionKey - session of the turn that would use them
   */
  async ask({ undecided }: ServersOfWorkspace, sessionKey: string): Promise<void> {
    for (const entry of undecided) {
      const reason = await this.#dependencies.decisions
        .ask(entry, sessionKey)
        .catch((error: unknown) => errorMessage(error));
      if (reason === undefined) {
        this.#unasked.delete(entry.hash);
        continue;
      }
      this.#unasked.set(entry.hash, reason);
      this.#tell(
        `MCP server "${entry.name}" of ${entry.file} is not used, because no person could be asked: ${reason}; allow it with \`openclaw mcp accept ${entry.name} --yes\``,
      );
    }
  }

  /**
   * Allows a server at the request of the operator.
   * @param name - name of its entry
   * @returns false when no workspace has an entry of this name that waits for a decision
   */
  async allow(name: string): Promise<boolean> {
    const { files, decisions } = this.#dependencies;
    for (const folder of this.#folders) {
      const { entries } = await files.read(folder);
      const entry = entries.find((each) => each.name === name);
      if (entry === undefined || (await decisions.of(entry)) === "allowed") continue;
      await decisions.allow(entry);
      return true;
    }
    return false;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map((server) => server.close()));
  }

  #server(settings: ServerSettings): McpServer {
    const { key } = settings.place;
    const known = this.#servers.get(key);
    if (known?.settings.hash === settings.hash) return known;
    // The entry changed, and a person allowed the new one.
    void known?.close();
    const server = new McpServer(settings, this.#dependencies.server);
    this.#servers.set(key, server);
    return server;
  }

  /** Ends the servers of a workspace that its file no longer names, or whose entry changed. */
  async #close(folder: string, used: ReadonlySet<McpServer>): Promise<void> {
    for (const [key, server] of this.#servers) {
      if (server.settings.place.folder !== folder || used.has(server)) continue;
      this.#servers.delete(key);
      await server.close();
    }
  }

  #unallowed(
    { name, file, hash, target }: WorkspaceEntry,
    decision: Exclude<WorkspaceDecision, "allowed"> | undefined,
  ): RefusedEntry {
    const allow = `allow it with \`openclaw mcp accept ${name} --yes\``;
    const unasked = this.#unasked.get(hash);
    const reasons = {
      denied: "was not allowed",
      unanswered: "was not allowed: there was no answer",
      asked: "waits until a person allows it in the conversation",
    };
    const open =
      unasked === undefined
        ? "was not allowed yet: the next turn asks for it"
        : `was not allowed, because no person could be asked (${unasked})`;
    const problem = decision === undefined ? open : reasons[decision];
    return { name, file, target, problem, nextStep: allow, isOff: true, isUndecided: true };
  }

  #tell(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#dependencies.logger.warn(message);
  }
}
