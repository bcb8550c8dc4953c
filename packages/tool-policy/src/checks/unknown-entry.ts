import { didYouMean, nearestName } from "@openclaw/foundation";
import {
  entrySource,
  entryValue,
  LIST_NAMES,
  layerKey,
  type PolicyEntry,
  type PolicyLayer,
} from "../layers/layer.js";
import { type PolicyWarning, placeOf } from "../layers/problem.js";
import type { PolicySource } from "../layers/source.js";
import { type ParsedEntry, parseEntry } from "../matching/entry.js";
import { charactersOf } from "../matching/glob.js";
import type { PolicyTool } from "../matching/tool.js";
import { BUILT_IN_GROUP_NAMES, type PolicyGroup } from "../matching/tool-group.js";
import { canonicalToolName, normalizeName } from "../matching/tool-name.js";

interface Vocabulary {
  readonly tools: ReadonlySet<string>;
  readonly plugins: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** All known entries, for suggestions. */
  readonly phrases: readonly string[];
}

function vocabularyOf(
  groups: readonly PolicyGroup[],
  tools: readonly PolicyTool[],
  knownNames: ReadonlySet<string>,
): Vocabulary {
  const aliases = tools.flatMap((tool) => tool.aliases.map(canonicalToolName));
  const plugins = new Set(
    tools.flatMap(({ pluginId }) => (pluginId === undefined ? [] : [normalizeName(pluginId)])),
  );
  const names = new Set([...knownNames, ...aliases]);
  const groupNames = new Set([
    ...BUILT_IN_GROUP_NAMES,
    ...groups.map((group) => normalizeName(group.name)),
  ]);
  const phrases = [
    ...names,
    ...[...groupNames].map((name) => `group:${name}`),
    ...[...plugins].map((id) => `plugin:${id}`),
  ];
  return { tools: names, plugins, groups: groupNames, phrases };
}

function isKnown(entry: ParsedEntry, vocabulary: Vocabulary): boolean {
  switch (entry.kind) {
    case "name":
      return (
        vocabulary.tools.has(entry.name) ||
        (entry.pluginId !== undefined && vocabulary.plugins.has(entry.pluginId))
      );
    case "plugin":
      return vocabulary.plugins.has(entry.pluginId);
    case "group":
      return vocabulary.groups.has(entry.group);
    case "glob":
      return [...vocabulary.tools].some((name) => entry.glob.matches(charactersOf(name)));
  }
}

function review(
  written: PolicyEntry,
  source: PolicySource,
  vocabulary: Vocabulary,
  knownNames: ReadonlySet<string>,
): PolicyWarning | undefined {
  const text = normalizeName(entryValue(written));
  const entry = parseEntry(text, knownNames);
  const place = placeOf(entrySource(written) ?? source);
  if (!isKnown(entry, vocabulary)) {
    const near = nearestName(text, vocabulary.phrases);
    return {
      code: "POLICY_UNKNOWN_ENTRY",
      severity: "warning",
      ...place,
      message: `"${text}" matches no known tool, group or plugin`,
      suggestion: didYouMean(near) ?? "remove it or install what it names",
      entry: text,
      ...(near !== undefined && { near }),
    };
  }
  if (entry.kind === "name" && vocabulary.plugins.has(text) && knownNames.has(entry.name)) {
    return {
      code: "POLICY_AMBIGUOUS_NAME",
      severity: "warning",
      ...place,
      message: `"${text}" is a tool and a plugin's id; here it means the tool`,
      suggestion: `to mean all tools of the plugin, write "plugin:${text}"`,
    };
  }
  return undefined;
}

/**
 * Reports entries that match nothing, and ambiguous bare names (POL-019, POL-022).
 * @param layers - as compiled
 * @param groups - as compiled
 * @param tools - every tool that exists
 * @param knownNames - their canonical names and those of core tools
 */
export function unknownEntries(
  layers: readonly PolicyLayer[],
  groups: readonly PolicyGroup[],
  tools: readonly PolicyTool[],
  knownNames: ReadonlySet<string>,
): readonly PolicyWarning[] {
  const vocabulary = vocabularyOf(groups, tools, knownNames);
  const warnings: PolicyWarning[] = [];
  const seen = new Set<unknown>();
  const visit = (entries: readonly PolicyEntry[], source: PolicySource) => {
    if (seen.has(entries)) return;
    seen.add(entries);
    for (const entry of entries) {
      if (entrySource(entry)?.builtIn === true) continue;
      const warning = review(entry, source, vocabulary, knownNames);
      if (warning !== undefined) warnings.push(warning);
    }
  };
  const visitLayers = (definitions: readonly PolicyLayer[]) => {
    if (seen.has(definitions)) return;
    seen.add(definitions);
    for (const definition of definitions) {
      if (definition.builtIn !== true) {
        for (const list of LIST_NAMES) {
          const key = `${layerKey(definition)}.${list}`;
          visit(definition[list] ?? [], { ...definition.source, key });
        }
      }
      visitLayers(definition.within ?? []);
    }
  };
  visitLayers(layers);
  for (const group of groups) {
    visit(group.members, group.source ?? { key: `groups.${group.name}` });
  }
  return warnings;
}
