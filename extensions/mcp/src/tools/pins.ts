import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { FoundInjection } from "@openclaw/plugin-sdk/services";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import { asJson } from "../json.js";
import type { ServerOffers } from "../server/offers.js";

/** Time in milliseconds for which a server counts as one of an earlier protocol without another probe. */
const LEGACY_MS = 7 * 24 * 3600 * 1000;
/** Maximum size of the definition of a tool, as JSON. */
const MAXIMUM_DEFINITION = 64 * 1024;
/** Maximum number of tools of one server. */
const MAXIMUM_TOOLS = 512;

/** Reason why a tool of a server is not offered. */
type ToolProblem =
  | { readonly kind: "changed"; readonly text: string }
  | { readonly kind: "suspicious"; readonly text: string }
  | { readonly kind: "invalid"; readonly text: string };

/** Tool of a server with its pin. */
export interface PinnedTool {
  /** Definition in force: the accepted one. */
  readonly definition: Tool;
  /** Definition that the server gives now, when it differs from the accepted one. */
  readonly pending?: Tool;
  /** Absent for a tool that is offered. */
  readonly problem?: ToolProblem;
}

/** Tools and offers of a server when it was last connected. */
export interface KnownServer {
  readonly tools: readonly PinnedTool[];
  readonly offers: ServerOffers | undefined;
}

/** Pin as it is stored. */
interface StoredPin {
  readonly definition: Tool;
  readonly isAccepted: boolean;
  readonly pending?: Tool | undefined;
}

/** Record of a server as it is stored. */
interface StoredServer {
  readonly hash: string;
  /** Names of its tools when it was last connected. */
  readonly tools?: readonly string[] | undefined;
  /** Prompts and resources that it had then. */
  readonly offers?: ServerOffers | undefined;
  /** Time of the verdict that it speaks an earlier protocol. */
  readonly legacyAt?: number | undefined;
}

/** Dependencies of the pins. */
interface PinDependencies {
  readonly kv: PluginKeyValueStore;
  findInjections(text: string): readonly FoundInjection[];
}

/**
 * Pins of the tools of servers. The first definition of a tool is accepted unless it contains an injection; a later one
 * that differs suspends the tool until the operator accepts it (EXT-012). A tool that disappears keeps its pin.
 */
export class ToolPins {
  readonly #dependencies: PinDependencies;

  /** @param dependencies - store and rules */
  constructor(dependencies: PinDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the tools that a server had when it was last connected with the same entry.
   * @param hash - hash of its entry
   * @returns undefined when they are not known
   */
  async known(server: string, hash: string): Promise<KnownServer | undefined> {
    const record = await this.#server(server);
    if (record?.hash !== hash || record.tools === undefined) return undefined;
    const pins = await this.#pins(server);
    const tools = record.tools.flatMap((name) => {
      const pin = pins.get(name);
      return pin === undefined ? [] : [describe(pin, this.#problemOf(pin))];
    });
    return { tools, offers: record.offers };
  }

  /**
   * Compares the tools that a server gives with their pins, and pins new ones.
   * @param hash - hash of its entry
   * @param tools - definitions of the server
   * @param offers - prompts and resources that it has
   */
  async update(
    server: string,
    hash: string,
    tools: readonly Tool[],
    offers?: ServerOffers,
  ): Promise<readonly PinnedTool[]> {
    const pins = await this.#pins(server);
    const found: PinnedTool[] = [];
    const names: string[] = [];
    for (const given of new Map(tools.map((tool) => [tool.name, tool])).values()) {
      const definition = essence(given);
      const limit = limitProblem(definition, found.length);
      if (limit !== undefined) {
        found.push({ definition, problem: limit });
        continue;
      }
      names.push(definition.name);
      const pin = this.#pinOf(pins.get(definition.name), definition);
      await this.#store(server, pin);
      found.push(describe(pin, this.#problemOf(pin)));
    }
    const record = await this.#server(server);
    await this.#put(server, {
      ...(record?.hash === hash ? record : {}),
      hash,
      tools: names,
      offers,
    });
    return found;
  }

  /**
   * Accepts the definitions that a server gives now.
   * @param tool - name of one tool; all of them when absent
   * @returns names of the tools that were accepted
   */
  async accept(server: string, tool?: string): Promise<readonly string[]> {
    const accepted: string[] = [];
    for (const [name, pin] of await this.#pins(server)) {
      const isOpen = pin.pending !== undefined || !pin.isAccepted;
      if (!isOpen || (tool !== undefined && tool !== name)) continue;
      await this.#store(server, { definition: pin.pending ?? pin.definition, isAccepted: true });
      accepted.push(name);
    }
    return accepted;
  }

  /** Removes everything that is stored about a server. */
  async forget(server: string): Promise<void> {
    const { kv } = this.#dependencies;
    for (const { key } of await kv.list(toolPrefix(server))) await kv.delete(key);
    await kv.delete(serverKey(server));
  }

  /**
   * Returns true for a server that was found to speak an earlier protocol in the last week.
   * @param hash - hash of its entry
   */
  async isLegacy(server: string, hash: string): Promise<boolean> {
    const record = await this.#server(server);
    const { legacyAt } = record ?? {};
    return record?.hash === hash && legacyAt !== undefined && Date.now() - legacyAt < LEGACY_MS;
  }

  /**
   * Stores the verdict about the protocol of a server.
   * @param hash - hash of its entry
   * @param isLegacy - true for an earlier protocol
   */
  async setLegacy(server: string, hash: string, isLegacy: boolean): Promise<void> {
    const record = await this.#server(server);
    const known = record?.hash === hash ? record : { hash };
    await this.#put(server, { ...known, legacyAt: isLegacy ? Date.now() : undefined });
  }

  #pinOf(pin: StoredPin | undefined, given: Tool): StoredPin {
    if (pin === undefined) {
      return { definition: given, isAccepted: this.#suspicionOf(given) === undefined };
    }
    if (hashOf(pin.definition) === hashOf(given)) {
      return { definition: pin.definition, isAccepted: pin.isAccepted };
    }
    return { ...pin, pending: given };
  }

  #problemOf({ definition, isAccepted, pending }: StoredPin): ToolProblem | undefined {
    if (pending !== undefined) {
      return { kind: "changed", text: "the server changed its definition" };
    }
    if (isAccepted) return undefined;
    const text = this.#suspicionOf(definition) ?? "its definition was not accepted";
    return { kind: "suspicious", text };
  }

  #suspicionOf(tool: Tool): string | undefined {
    const found = this.#dependencies
      .findInjections(JSON.stringify(textsOf(tool)))
      .find(({ severity }) => severity === "high" || severity === "critical");
    return found && `its description may give instructions to the model (${found.marker})`;
  }

  async #server(server: string): Promise<StoredServer | undefined> {
    // Only this class writes the key.
    return (await this.#dependencies.kv.get(serverKey(server))) as StoredServer | undefined;
  }

  async #put(server: string, record: StoredServer): Promise<void> {
    await this.#dependencies.kv.set(serverKey(server), asJson(record));
  }

  async #pins(server: string): Promise<ReadonlyMap<string, StoredPin>> {
    const rows = await this.#dependencies.kv.list(toolPrefix(server));
    // Only this class writes below the prefix.
    const pins = rows.map(({ value }) => value as unknown as StoredPin);
    return new Map(pins.map((pin) => [pin.definition.name, pin]));
  }

  async #store(server: string, pin: StoredPin): Promise<void> {
    const key = `${toolPrefix(server)}${digest(pin.definition.name).slice(0, 32)}`;
    await this.#dependencies.kv.set(key, asJson(pin));
  }
}

/** Returns the part of a definition that models and guards depend on. */
function essence(tool: Tool): Tool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    inputSchema,
    ...defined({ title, description, outputSchema, annotations }),
  };
}

/** Returns every text of a definition: a model reads those of the schema too. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...textsOf(part)]);
}

function limitProblem(tool: Tool, count: number): ToolProblem | undefined {
  const size = Buffer.byteLength(JSON.stringify(tool));
  if (size > MAXIMUM_DEFINITION) {
    const text = `its definition has ${size} bytes, at most ${MAXIMUM_DEFINITION} are accepted`;
    return { kind: "invalid", text };
  }
  if (count < MAXIMUM_TOOLS) return undefined;
  return { kind: "invalid", text: `the server has more than ${MAXIMUM_TOOLS} tools` };
}

function describe({ definition, pending }: StoredPin, problem?: ToolProblem): PinnedTool {
  return { definition, ...defined({ pending, problem }) };
}

/** The order of the fields of an object does not matter. */
function hashOf(value: unknown): string {
  return digest(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, part]) => [key, sorted(part)]);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function serverKey(server: string): string {
  return `server/${encodeURIComponent(server)}`;
}

function toolPrefix(server: string): string {
  return `tool/${encodeURIComponent(server)}/`;
}
