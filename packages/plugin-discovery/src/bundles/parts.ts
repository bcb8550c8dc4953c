import { basename, join, relative } from "node:path";
import type { Bundle, BundlePart } from "./bundle.js";
import { commandName } from "./command-name.js";
import { isFile, skillsIn } from "./files.js";
import { HOOK_EVENTS } from "./hook-handlers.js";

/**
 * Lists what each part of a bundle does on this host, with the reason where it does not work as it is (EXT-024).
 * @param root - real path of its folder
 * @param id - ID as a plugin
 */
export function partsOf(bundle: Bundle, root: string, id: string): readonly BundlePart[] {
  const { skills, commands, agents, hooks, mcpServers, context, unsupported } = bundle;
  const name = commandName(id);
  return [
    ...skills.flatMap((folder) =>
      skillNames(join(root, folder)).map((skill) => works("skill", skill)),
    ),
    ...commands.map((command) =>
      mapped(
        "command",
        command.name,
        `/${name}:${command.name}; its text becomes the message to the agent, which runs the commands in it as tool calls`,
      ),
    ),
    ...agents.map((agent) =>
      mapped("agent", agent.name, `subagent with the label ${name}:${agent.name}`),
    ),
    ...Object.keys(mcpServers).map((server) => works("MCP server", server)),
    ...hooks.map((hook) =>
      mapped("hook", hook.name, `${String(hook.handler.type)} ${HOOK_EVENTS[hook.event]}`),
    ),
    ...context.map((path) => mapped("context", relative(root, path), "a part of each prompt")),
    ...unsupported,
  ];
}

function skillNames(folder: string): readonly string[] {
  return isFile(join(folder, "SKILL.md")) ? [basename(folder)] : skillsIn(folder);
}

function works(kind: string, name: string): BundlePart {
  return { kind, name, status: "works" };
}

function mapped(kind: string, name: string, reason: string): BundlePart {
  return { kind, name, status: "mapped", reason };
}
