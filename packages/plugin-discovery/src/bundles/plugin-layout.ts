import { basename, join, relative } from "node:path";
import { defined } from "@openclaw/foundation";
import type { Bundle, BundleFile, BundleFormat, BundlePart } from "./bundle.js";
import {
  fieldsOf,
  filesBelow,
  isFile,
  isFolder,
  pathIn,
  readJson,
  skillsIn,
  textsOf,
} from "./files.js";
import { readHandlers } from "./hook-handlers.js";

/** Folder or file of a part, with its fixed place and the field of the manifest that adds places. */
type Field = "skills" | "commands" | "agents" | "hooks" | "mcpServers";

/** Parts that this host has no place for, by their fixed place. */
const WITHOUT_PLACE: Readonly<Record<string, string>> = {
  "output-styles":
    "styles of output are prompts of the client; set the text as the prompt of the agent",
  ".lsp.json": "language servers are not started",
  "monitors/monitors.json": "monitors are not started; write a routine",
  bin: "programs are not added to PATH; call them by their path",
  "settings.json": "settings of the client are not read; set what you need in openclaw.json",
  rules: "rules of the client are not read; make a skill of each",
};

const FIELDS_WITHOUT_PLACE: Readonly<Record<string, string>> = {
  lspServers: "language servers are not started",
  outputStyles:
    "styles of output are prompts of the client; set the text as the prompt of the agent",
  monitors: "monitors are not started; write a routine",
};

/**
 * Reads a bundle with the layout of Claude Code, which Codex and Cursor share: `skills/`, `commands/`, `agents/`,
 * `hooks/hooks.json` and `.mcp.json`, and the further places that its manifest names.
 * @param root - real path of the bundle
 * @param format - format of the marker
 * @param marker - absolute path of the manifest; absent for a folder without one
 * @param manifest - its fields
 */
export function readLayout(
  root: string,
  format: BundleFormat,
  marker: string | undefined,
  manifest: Readonly<Record<string, unknown>>,
): Bundle {
  const unsupported: BundlePart[] = [];
  const reject = (kind: string, name: string, reason: string) => {
    unsupported.push({ kind, name, status: "unsupported", reason });
  };
  /** Returns the existing places of a part: the fixed one, and those of the manifest. */
  const placesOf = (field: Field, fixed: string): readonly string[] => {
    // An entry of a marketplace with `strict: false` names all places of a part itself (EXT-545).
    const isReplaced = manifest.strict === false && manifest[field] !== undefined;
    const own = isReplaced ? undefined : pathIn(root, fixed);
    const named = textsOf(manifest[field]).flatMap((path) => {
      const found = pathIn(root, path);
      if (found === undefined) reject(field, path, "it does not exist in the folder of the bundle");
      return found ?? [];
    });
    return [...new Set([...(own === undefined ? [] : [own]), ...named])];
  };
  const skills = placesOf("skills", "skills").filter(
    (folder) => isFile(join(folder, "SKILL.md")) || skillsIn(folder).length > 0,
  );
  const files = (field: Field, fixed: string): readonly BundleFile[] =>
    withoutTwins(placesOf(field, fixed).flatMap((place) => filesBelow(place, ".md")));
  const objects = (field: Field, fixed: string): readonly Written[] => {
    const inline = fieldsOf(manifest[field]);
    const written = placesOf(field, fixed).flatMap((path) => {
      const read = readJson(path);
      if ("value" in read) return { source: relative(root, path), value: fieldsOf(read.value) };
      reject("file", relative(root, path), `it ${read.problem}`);
      return [];
    });
    const source = marker === undefined ? "" : relative(root, marker);
    return Object.keys(inline).length === 0 ? written : [...written, { source, value: inline }];
  };
  const events = objects("hooks", "hooks/hooks.json").map(({ value }) =>
    fieldsOf("hooks" in value ? value.hooks : value),
  );
  const hooks = readHandlers(events, reject);
  const servers = objects("mcpServers", ".mcp.json").map(({ value }) =>
    fieldsOf("mcpServers" in value ? value.mcpServers : value),
  );
  const commands = files("commands", "commands");
  const agents = files("agents", "agents");
  for (const [place, reason] of Object.entries(WITHOUT_PLACE)) {
    const path = join(root, place);
    if (isFile(path) || isFolder(path)) reject("files", place, reason);
  }
  for (const [field, reason] of Object.entries(FIELDS_WITHOUT_PLACE)) {
    if (manifest[field] !== undefined) reject("field", field, reason);
  }
  const { name, version, description } = manifest;
  return {
    format,
    name: typeof name === "string" && name.trim() !== "" ? name : basename(root),
    ...defined({
      marker,
      version: typeof version === "string" ? version : undefined,
      description: typeof description === "string" ? description : undefined,
    }),
    skills: skills.map((folder) => relative(root, folder) || "."),
    ...{ commands, agents, hooks, context: [], unsupported },
    mcpServers: Object.assign({}, ...servers),
  };
}

interface Written {
  readonly source: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Leaves out the later of two files with one name. */
function withoutTwins(files: readonly BundleFile[]): readonly BundleFile[] {
  const byName = new Map<string, BundleFile>();
  for (const file of files) if (!byName.has(file.name)) byName.set(file.name, file);
  return [...byName.values()];
}
