import { type Gateway, unattendedNotice } from "@openclaw/gateway";
import { installation } from "../installation.js";
import type { Terminal } from "../shell/terminal.js";

/**
 * What an operator is told when a gateway has started: where it is, where its state lies, which model
 * answers and how to get another, and the next commands. The token itself is never printed (GW-013).
 * @param gateway - listening
 * @param terminal - where to print
 */
export function printStartUp(gateway: Gateway, { print, colors }: Terminal): void {
  const { state, model, url = "" } = gateway;
  const row = (name: string, value: string) => print(`  ${colors.dim(name.padEnd(8))} ${value}`);
  const { command } = installation;

  print(`${colors.bold("OpenClaw")} ${installation.version} is ready.`);
  print("");
  row("url", url);
  row("state", state.dir);
  if (gateway.database.dialect === "postgres") row("store", gateway.database.name);
  for (const [index, notice] of gateway.storeNotices.entries()) {
    row(index === 0 ? "store" : "", colors.yellow(notice));
  }
  row("model", `${model.ref} (${model.source})`);
  for (const [index, hint] of model.setupHints.entries()) row(index === 0 ? "others" : "", hint);
  if (gateway.modelNotice !== undefined) row("notice", colors.yellow(gateway.modelNotice.text));
  row("plugins", pluginSummary(gateway));
  row("sandbox", gateway.sandbox);
  for (const [index, line] of unaskedLines(gateway).entries()) {
    row(index === 0 ? "unasked" : "", colors.yellow(line));
  }
  if (gateway.recoveredTurns > 0)
    row("resumed", `${gateway.recoveredTurns} messages of the last run`);
  print("");
  print("Next:");
  print(`  ${command} chat`);
  print(`  curl -s ${url}/v1/chat/completions \\`);
  print(`    -H "Authorization: Bearer $(cat '${state.tokenFile}')" \\`);
  print(`    -H "Content-Type: application/json" \\`);
  print(`    -d '{"model":"openclaw","messages":[{"role":"user","content":"what time is it"}]}'`);
  print(`  ${command} gateway stop`);
}

/**
 * The tools that run without a question, and why (APPR-046).
 * @param gateway - listening, or hosting a chat
 */
export function unaskedLines({ unattendedTools }: Gateway): readonly string[] {
  return unattendedTools.map((tool) =>
    tool.problem === undefined ? unattendedNotice(tool) : `${tool.by}: ${tool.problem}`,
  );
}

function pluginSummary({ plugins }: Gateway): string {
  const loaded = plugins.plugins.filter(({ status }) => status === "loaded");
  const failed = plugins.plugins.filter(({ status }) => status === "error");
  const ids = loaded.map(({ id }) => id).join(", ");
  const failures =
    failed.length === 0
      ? ""
      : `; ${failed.length} failed, see \`${installation.command} plugins list\``;
  return `${loaded.length} loaded${ids === "" ? "" : ` (${ids})`}${failures}`;
}
