import { join } from "node:path";
import { type Gateway, unattendedNotice } from "@openclaw/gateway";
import { installation } from "../installation.js";
import type { Terminal } from "../shell/terminal.js";

/**
 * Prints the start-up message: the URL, the state folder, the model and how to choose another one, and the
 * next commands. The token itself is never printed (GW-013).
 * @param gateway - listening gateway
 * @param terminal - terminal to print to
 * @param variables - environment variables that the next commands need
 */
export function printStartUp(
  gateway: Gateway,
  { print, colors }: Terminal,
  variables: Readonly<Record<string, string>> = {},
): void {
  const { state, model, url } = gateway;
  const row = (name: string, value: string) => print(`  ${colors.dim(name.padEnd(8))} ${value}`);
  const command = Object.entries(variables).reduce(
    (text, [name, value]) => `${name}='${value}' ${text}`,
    installation.command,
  );

  print(`${colors.bold("OpenClaw")} ${installation.version} is ready.`);
  print("");
  row("url", url ?? "none, because gateway.enabled is false");
  if (gateway.networkNotice !== undefined) row("network", colors.yellow(gateway.networkNotice));
  row("folder", gateway.workspaceDir);
  if (gateway.workspaceDir === join(state.dir, "workspace")) {
    row("", colors.yellow("run in the folder of a project to work there"));
  }
  row("state", state.dir);
  if (gateway.database.dialect !== "sqlite") row("store", gateway.database.name);
  for (const [index, notice] of gateway.storeNotices.entries()) {
    row(index === 0 ? "store" : "", colors.yellow(notice));
  }
  row("model", `${model.ref} (${model.source})`);
  for (const [index, hint] of model.setupHints.entries()) row(index === 0 ? "others" : "", hint);
  if (gateway.modelNotice !== undefined) row("notice", colors.yellow(gateway.modelNotice.text));
  row("plugins", pluginSummary(gateway));
  for (const [index, line] of unservedLines(gateway.plugins).entries()) {
    row(index === 0 ? "not used" : "", colors.yellow(line));
  }
  for (const [index, line] of limitedLines(gateway.plugins).entries()) {
    row(index === 0 ? "limited" : "", colors.yellow(line));
  }
  row("sandbox", gateway.sandbox);
  for (const [index, line] of unattendedLines(gateway).entries()) {
    row(index === 0 ? "auto-run" : "", colors.yellow(line));
  }
  if (gateway.recoveredTurns > 0)
    row("resumed", `${gateway.recoveredTurns} messages from the last run`);
  print("");
  print("Next:");
  if (url !== undefined) {
    print(`  ${command} chat`);
    print(`  curl -s ${url}/v1/chat/completions \\`);
    print(`    -H "Authorization: Bearer $(cat '${state.tokenFile}')" \\`);
    print(`    -H "Content-Type: application/json" \\`);
    print(`    -d '{"model":"openclaw","messages":[{"role":"user","content":"what time is it"}]}'`);
  }
  print(`  ${command} gateway stop`);
}

/**
 * Returns a line for each tool that runs without approval, with the reason (APPR-046).
 * @param gateway - gateway that listens or hosts a chat
 */
export function unattendedLines({ unattendedTools }: Gateway): readonly string[] {
  return unattendedTools.map((tool) =>
    tool.problem === undefined ? unattendedNotice(tool) : `${tool.by}: ${tool.problem}`,
  );
}

/**
 * Returns a line for each plugin that registered something that no host of this version uses (PLUG-087). What a
 * running gateway serves is not listed for a process that is none.
 * @param plugins - the loaded plugins
 */
export function unservedLines({
  diagnostics,
}: Pick<Gateway["plugins"], "diagnostics">): readonly string[] {
  const byPlugin = new Map<string, Set<string>>();
  for (const { pluginId = "", code, unserved } of diagnostics) {
    if (unserved === undefined || code === "served-by-gateway") continue;
    byPlugin.set(pluginId, (byPlugin.get(pluginId) ?? new Set()).add(unserved));
  }
  return [...byPlugin].map(([id, registered]) => `${id}: ${[...registered].join(", ")}`);
}

/** Number of entry points of the SDK that a line names. */
const NAMED_ENTRY_POINTS = 4;

/**
 * Returns a line for each plugin that imports parts of the SDK that this host lacks (PLUG-140).
 * @param plugins - the loaded plugins
 */
export function limitedLines({ plugins }: Pick<Gateway["plugins"], "plugins">): readonly string[] {
  return plugins.flatMap(({ id, missingParts: parts = [] }) => {
    if (parts.length === 0) return [];
    const entryPoints = [...new Set(parts.map(({ specifier }) => specifier))];
    const more = entryPoints.length - NAMED_ENTRY_POINTS;
    const named = entryPoints
      .slice(0, NAMED_ENTRY_POINTS)
      .map((specifier) => specifier.replace(/^.*?plugin-sdk\/?/, "") || "plugin-sdk")
      .join(", ");
    const count = parts.length === 1 ? "1 part" : `${parts.length} parts`;
    const all = `\`${installation.command} plugins inspect ${id}\` names them`;
    return `${id}: imports ${count} of the SDK that this host does not have (of ${named}${more > 0 ? ` and ${more} more` : ""}); ${all}`;
  });
}

/** The plugins that come with the host are the same everywhere, so only the others are named. */
function pluginSummary({ plugins }: Gateway): string {
  const loaded = plugins.plugins.filter(({ status }) => status === "loaded");
  const failed = plugins.plugins.filter(({ status }) => status === "error");
  const ids = loaded.flatMap(({ id, origin }) => (origin === "bundled" ? [] : [id]));
  const bundled = loaded.length - ids.length;
  const names = [...(bundled === 0 ? [] : [`${bundled} bundled`]), ...ids].join(", ");
  const failures =
    failed.length === 0
      ? ""
      : `; ${failed.length} failed, see \`${installation.command} plugins list\``;
  return `${names === "" ? "none" : names}${failures}`;
}
