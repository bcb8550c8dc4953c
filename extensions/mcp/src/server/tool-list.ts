import type { Logger } from "@openclaw/plugin-sdk";
import type { ServerSettings } from "../settings.js";
import type { PinnedTool, ToolPins } from "../tools/pins.js";
import type { Connection } from "./client.js";
import type { ServerOffers } from "./offers.js";
import { problemOf } from "./reason.js";

/** Dependencies of the list of tools of a server. */
export interface ToolListDependencies {
  readonly pins: ToolPins;
  readonly logger: Logger;
}

/** Tools of one server with their pins, and its prompts and resources: from the store until it is connected, then from itself. */
export class ToolList {
  readonly #settings: ServerSettings;
  readonly #dependencies: ToolListDependencies;
  #tools: readonly PinnedTool[] | undefined;
  #offers: ServerOffers = { prompts: [], hasResources: false };
  #stored: Promise<void> | undefined;
  #refresh: Promise<void> | undefined;
  #isRefreshAsked = false;

  /**
   * @param settings - entry of the server
   * @param dependencies - pins and log
   */
  constructor(settings: ServerSettings, dependencies: ToolListDependencies) {
    this.#settings = settings;
    this.#dependencies = dependencies;
  }

  /** Prompts and resources that the server offers, as far as they are known. */
  get offers(): ServerOffers {
    return this.#offers;
  }

  /** Returns the tools; undefined when they are not known. Waits for a refresh that is under way, and starts nothing. */
  async known(): Promise<readonly PinnedTool[] | undefined> {
    await this.#refresh;
    if (this.#tools === undefined) {
      this.#stored ??= this.#readStored();
      await this.#stored;
    }
    return this.#tools;
  }

  /**
   * Reads the tools and offers from the server, and compares them with their pins.
   * @param connection - open connection
   * @throws ConnectionProblem
   */
  async read(connection: Connection): Promise<void> {
    const { pins, logger } = this.#dependencies;
    const { name, hash, place, startupTimeoutMs } = this.#settings;
    const given = await connection.listTools(startupTimeoutMs);
    const before = new Set(suspended(this.#tools));
    this.#offers = await connection.offers(startupTimeoutMs);
    this.#tools = await pins.update(place.key, hash, given, this.#offers);
    for (const { definition, problem } of this.#tools) {
      if (problem === undefined || before.has(definition.name)) continue;
      logger.warn(
        `tool "${definition.name}" of MCP server "${name}" is not offered: ${problem.text}; compare it with \`openclaw mcp accept ${name}\``,
      );
    }
  }

  /**
   * Reads them again in the background. One refresh runs at a time; a change during it causes one more.
   * @param connection - open connection
   */
  refresh(connection: Connection): void {
    this.#isRefreshAsked = true;
    this.#refresh ??= (async () => {
      try {
        while (this.#isRefreshAsked) {
          this.#isRefreshAsked = false;
          await this.read(connection);
        }
      } catch (error) {
        const { reason } = problemOf(error);
        this.#dependencies.logger.warn(
          `the tools of MCP server "${this.#settings.name}" could not be read again: it ${reason}`,
        );
      } finally {
        this.#refresh = undefined;
      }
    })();
  }

  /** Forgets what was read from the store, because another process or a command changed it. */
  forget(): void {
    this.#tools = undefined;
    this.#stored = undefined;
  }

  async #readStored(): Promise<void> {
    const { place, hash } = this.#settings;
    const known = await this.#dependencies.pins.known(place.key, hash);
    if (known === undefined || this.#tools !== undefined) return;
    this.#tools = known.tools;
    this.#offers = known.offers ?? this.#offers;
  }
}

function suspended(tools: readonly PinnedTool[] = []): readonly string[] {
  return tools.flatMap(({ definition, problem }) => (problem === undefined ? [] : definition.name));
}
