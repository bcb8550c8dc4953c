import { basename, join } from "node:path";
import { defined } from "@openclaw/foundation";
import type { Bundle, BundlePart } from "./bundle.js";
import { fieldsOf, filesBelow, isFile, isFolder, pathIn, skillsIn, textsOf } from "./files.js";

/**
 * Reads an extension of Gemini CLI: `commands/*.toml`, skills, MCP servers, and the context of `GEMINI.md` or of the files
 * that `contextFileName` names.
 * @param root - real path of the extension
 * @param marker - absolute path of `gemini-extension.json`
 * @param value - its content
 */
export function readGeminiExtension(root: string, marker: string, value: unknown): Bundle {
  const manifest = fieldsOf(value);
  const { name, version, description, contextFileName, mcpServers, excludeTools } = manifest;
  const unsupported: BundlePart[] = [];
  const reject = (kind: string, part: string, reason: string) => {
    unsupported.push({ kind, name: part, status: "unsupported", reason });
  };
  const commands = pathIn(root, "commands");
  const agents = pathIn(root, "agents");
  const skills = pathIn(root, "skills");
  const named = contextFileName === undefined ? ["GEMINI.md"] : textsOf(contextFileName);
  const context = named.flatMap((file) => {
    const path = pathIn(root, file);
    return path !== undefined && isFile(path) ? path : [];
  });
  if (isFile(join(root, "hooks", "hooks.json"))) {
    reject("files", "hooks/hooks.json", "hooks of Gemini CLI have other events and answers");
  }
  if (excludeTools !== undefined) {
    reject("field", "excludeTools", "deny the tools in the policy of the host");
  }
  for (const field of ["settings", "themes", "plan"]) {
    if (manifest[field] !== undefined) reject("field", field, "the host has no such setting");
  }
  return {
    format: "gemini",
    marker,
    name: typeof name === "string" && name.trim() !== "" ? name : basename(root),
    ...defined({
      version: typeof version === "string" ? version : undefined,
      description: typeof description === "string" ? description : undefined,
    }),
    skills:
      skills !== undefined && isFolder(skills) && skillsIn(skills).length > 0 ? ["skills"] : [],
    commands: commands === undefined ? [] : filesBelow(commands, ".toml"),
    agents: agents === undefined ? [] : filesBelow(agents, ".md"),
    mcpServers: fieldsOf(mcpServers),
    ...{ hooks: [], context, unsupported },
  };
}
