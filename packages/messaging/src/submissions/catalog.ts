import { nearestNames, quotedChoice } from "@openclaw/foundation";
import type { PluginCommandRegistration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { PluginCommand, PluginCommandVariant } from "@openclaw/plugin-sdk/plugin-entry";
import { BUILT_IN_COMMANDS, type BuiltInCommand, findBuiltInCommand } from "./command-table.js";

/** A command that works now. */
export interface ListedCommand {
  /** Name without the slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Arguments, for example `[id]`; undefined when it takes none. */
  readonly usage: string | undefined;
  /** One line. */
  readonly summary: string;
  /** Plugin that registered it; undefined for a built-in command. */
  readonly pluginId: string | undefined;
}

/** Dependencies of {@link CommandCatalog}. */
export interface CommandCatalogDependencies {
  readonly plugins: Pick<PluginRuntime, "current">;
  /** True if a message can stop the host. */
  readonly canQuit: boolean;
}

/** The commands that work now: built-in ones, and those of the current plugins (SUB-017). */
export class CommandCatalog {
  readonly #dependencies: CommandCatalogDependencies;

  /** @param dependencies - plugins, and abilities of the host */
  constructor(dependencies: CommandCatalogDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the commands in the order of `/help`. */
  list(): readonly ListedCommand[] {
    const { plugins, canQuit } = this.#dependencies;
    const builtIn = BUILT_IN_COMMANDS.filter(({ name }) => canQuit || name !== "quit").map(
      ({ name, aliases, usage, summary }) => ({
        name,
        aliases,
        usage,
        summary,
        pluginId: undefined,
      }),
    );
    const added = plugins.current.commands.flatMap(({ command, pluginId, usage }) => [
      {
        name: command.name,
        aliases: [],
        usage: command.acceptsArgs === true ? (usage ?? "[arguments]") : undefined,
        summary: command.description,
        pluginId,
      },
      ...variantsOf(command).map(({ name, description: summary, usage }) => ({
        ...{ name, aliases: [], usage, summary, pluginId },
      })),
    ]);
    return [...builtIn, ...added.sort((left, right) => (left.name < right.name ? -1 : 1))];
  }

  /**
   * Finds a command of a plugin by its name or the name of a variant.
   * @param name - name without the slash, in lower case
   */
  find(name: string): PluginCommandRegistration | undefined {
    return this.#dependencies.plugins.current.commands.find(
      ({ command }) =>
        command.name === name || variantsOf(command).some((variant) => variant.name === name),
    );
  }

  /** Returns the list of the commands as text. */
  help(): string {
    const lines = this.list().map((each) => `  ${signature(each)}: ${each.summary}${origin(each)}`);
    return ["Commands:", ...lines, "Anything else is a message to the agent."].join("\n");
  }

  /**
   * Explains one command.
   * @param name - name or alias, with or without the slash, in any letter case
   * @returns undefined when no command has the name
   */
  explain(name: string): string | undefined {
    const wanted = findBuiltInCommand(name)?.name ?? name.replace(/^\//, "").toLowerCase();
    const found = this.list().find((each) => each.name === wanted);
    if (found === undefined) return undefined;
    const also = found.aliases.map((alias) => `/${alias}`);
    return [
      `${signature(found)}: ${found.summary}${origin(found)}`,
      ...(also.length === 0 ? [] : [`Also: ${also.join(", ")}`]),
    ].join("\n");
  }

  /**
   * Returns the answer to an unknown command, or to a known one with arguments that it does not take (SUB-014).
   * @param name - name without the slash
   */
  unknown(name: string): string {
    const builtIn = findBuiltInCommand(name);
    if (builtIn !== undefined) {
      const written = signature(builtIn);
      return builtIn.usage === undefined
        ? `Nothing was done: ${written} takes no argument.`
        : `Nothing was done: write ${written}.`;
    }
    const known = this.list().flatMap((each) => [each.name, ...each.aliases]);
    const near = nearestNames(name, known).map((each) => `/${each}`);
    const suggestion = near.length === 0 ? "" : ` Did you mean ${quotedChoice(near)}?`;
    return `Unknown command /${name}.${suggestion} /help lists the commands; begin the message with a space to send it to the agent.`;
  }
}

/** Name of a variant, whose colon sets it apart from every other command. */
const VARIANT = /^[a-z0-9_-]+:[a-z0-9_-]+$/;
const LONGEST_VARIANT = 96;

/** Returns the variants of a command that have usable names; what a plugin returns may be of any type. */
function variantsOf({ variants }: PluginCommand): readonly PluginCommandVariant[] {
  try {
    return (variants?.() ?? []).filter(
      ({ name, description }) =>
        VARIANT.test(name) && name.length <= LONGEST_VARIANT && typeof description === "string",
    );
  } catch {
    // A plugin that fails here loses its variants, not the list of all commands.
    return [];
  }
}

function signature({ name, usage }: Pick<BuiltInCommand, "name" | "usage">): string {
  return usage === undefined ? `/${name}` : `/${name} ${usage}`;
}

function origin({ pluginId }: ListedCommand): string {
  return pluginId === undefined ? "" : ` (plugin ${pluginId})`;
}
