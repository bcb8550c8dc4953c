import type { CommandCatalog, ListedCommand } from "./catalog.js";
import type { PluginCommands } from "./plugin-commands.js";

/** Commands for clients: their list, and completion of their arguments. */
export class CommandList {
  readonly #catalog: CommandCatalog;
  readonly #plugins: PluginCommands;

  /**
   * @param catalog - commands that work now
   * @param plugins - runs commands of plugins
   */
  constructor(catalog: CommandCatalog, plugins: PluginCommands) {
    this.#catalog = catalog;
    this.#plugins = plugins;
  }

  /** Returns the commands in the order of `/help`. */
  list(): readonly ListedCommand[] {
    return this.#catalog.list();
  }

  /**
   * Returns values for the last word of a command that a person is writing.
   * @param name - name of the command without the slash
   * @param args - text after the name
   */
  async complete(name: string, args: string): Promise<readonly string[]> {
    const known = name.toLowerCase();
    const command = this.#catalog.find(known);
    return command === undefined ? [] : await this.#plugins.complete(command, known, args);
  }
}
