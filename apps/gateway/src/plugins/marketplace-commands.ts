import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";

interface JsonOption {
  readonly json?: boolean;
}

/** Runs `openclaw plugins marketplace add`. */
export function addMarketplaceCommand(
  source: string,
  { json = false }: JsonOption,
  context: CommandContext,
): Promise<ExitCode> {
  const { print, note } = context.terminal;
  return withGatewayMethods(context, async (call) => {
    const added = await call("marketplaces.add", { source, cwd: process.cwd() });
    if (json) {
      print(JSON.stringify(added));
      return EXIT.ok;
    }
    for (const problem of added.problems) note(`warn: ${added.name}: left out: ${problem}`);
    const count = added.plugins === 1 ? "1 plugin" : `${added.plugins} plugins`;
    print(`Added "${added.name}" with ${count}.`);
    print(`Install one with \`openclaw plugins install <plugin>@${added.name}\`.`);
    return EXIT.ok;
  });
}

/** Runs `openclaw plugins marketplace list`. */
export function listMarketplacesCommand(
  { json = false }: JsonOption,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  return withGatewayMethods(
    context,
    async (call) => {
      const found = await call("marketplaces.list", {});
      if (json) {
        terminal.print(JSON.stringify(found));
        return EXIT.ok;
      }
      const { marketplaces } = found;
      if (marketplaces.length === 0) {
        terminal.print("No marketplaces. Add one with `openclaw plugins marketplace add`.");
        return EXIT.ok;
      }
      printRows(
        marketplaces.map(({ name, plugins, updatedAt, commit, source }) => [
          name,
          String(plugins),
          commit?.slice(0, 12) ?? new Date(updatedAt).toISOString().slice(0, 10),
          source,
        ]),
        terminal,
        { titles: ["marketplace", "plugins", "state", "source"] },
      );
      for (const { name, problems } of marketplaces) {
        for (const problem of problems) terminal.note(`warn: ${name}: ${problem}`);
      }
      return EXIT.ok;
    },
    "reads",
  );
}

/** Runs `openclaw plugins marketplace search`. */
export function searchMarketplacesCommand(
  words: readonly string[],
  { json = false, marketplace }: JsonOption & { readonly marketplace?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  return withGatewayMethods(
    context,
    async (call) => {
      const found = await call("marketplaces.search", {
        query: words.join(" "),
        ...(marketplace === undefined ? {} : { name: marketplace }),
      });
      if (json) {
        terminal.print(JSON.stringify(found));
        return EXIT.ok;
      }
      const { plugins } = found;
      if (plugins.length === 0) {
        terminal.print("No plugins. `openclaw plugins marketplace list` shows what is searched.");
        return EXIT.ok;
      }
      printRows(
        plugins.map(({ name, marketplace: of, version = "", installed, description = "" }) => [
          `${name}@${of}`,
          installed ? `${version} installed`.trim() : version,
          description,
        ]),
        terminal,
        { titles: ["plugin", "version", "description"] },
      );
      return EXIT.ok;
    },
    "reads",
  );
}

/** Runs `openclaw plugins marketplace update`. */
export function updateMarketplacesCommand(
  name: string | undefined,
  { json = false }: JsonOption,
  context: CommandContext,
): Promise<ExitCode> {
  const { print, note } = context.terminal;
  return withGatewayMethods(context, async (call) => {
    const updated = await call("marketplaces.update", name === undefined ? {} : { name });
    const { marketplaces } = updated;
    const failed = marketplaces.some(({ problem }) => problem !== undefined);
    if (json) print(JSON.stringify(updated));
    else {
      if (marketplaces.length === 0) print("No marketplaces.");
      for (const { name: of, added, removed, newer, problem } of marketplaces) {
        if (problem !== undefined) {
          note(`error: ${of}: ${problem}`);
          continue;
        }
        print(`Updated "${of}": ${added.length} added, ${removed.length} removed.`);
        for (const plugin of added) print(`  + ${plugin}`);
        for (const plugin of removed) print(`  - ${plugin}`);
        for (const { pluginId, installed = "no version", offered } of newer) {
          print(`  ${pluginId}: ${installed} is installed, ${offered} is offered`);
          print(`    openclaw plugins update ${pluginId}`);
        }
      }
    }
    return failed ? EXIT.negative : EXIT.ok;
  });
}

/** Runs `openclaw plugins marketplace remove`. */
export function removeMarketplaceCommand(
  name: string,
  { json = false }: JsonOption,
  context: CommandContext,
): Promise<ExitCode> {
  const { print } = context.terminal;
  return withGatewayMethods(context, async (call) => {
    const removed = await call("marketplaces.remove", { name });
    if (json) {
      print(JSON.stringify(removed));
      return EXIT.ok;
    }
    print(`Removed the marketplace "${name}".`);
    for (const id of removed.plugins) {
      print(`  ${id} stays installed; remove it with \`openclaw plugins uninstall ${id}\``);
    }
    return EXIT.ok;
  });
}
