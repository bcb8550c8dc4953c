import type { LayerScope, PolicyLayer } from "../layers/layer.js";
import type { ConfigNode } from "./node.js";
import { layerOf, readRules } from "./rules.js";

const LISTS = ["allow", "deny", "requireApproval"] as const;

/** Keys of a group's `tools`. */
const GROUP_TOOL_KEYS = ["enabled", ...LISTS, "toolsBySender"] as const;

function senderScope(key: string): LayerScope | undefined {
  if (key === "*") return {};
  const value = key.slice(key.indexOf(":") + 1).trim();
  if (value === "") return undefined;
  if (/^id:/i.test(key)) return { senderId: value };
  if (/^name:/i.test(key)) return { senderName: value };
  return undefined;
}

/** Of several keys that fit a sender the narrowest counts; it adds to the group's rules. */
function senderLayers(node: ConfigNode): readonly PolicyLayer[] {
  const layers: PolicyLayer[] = [];
  for (const [key, entry] of node.entries()) {
    const when = senderScope(key);
    if (when === undefined) {
      entry.error(
        "POLICY_UNKNOWN_KEY",
        `"${key}" names no sender`,
        'write "id:<x>", "name:<x>" or "*"',
      );
      continue;
    }
    entry.rejectUnknown(LISTS);
    const rules = readRules(entry, LISTS);
    layers.push(layerOf(rules, { layer: "group", slot: "sender", when, label: `sender ${key}` }));
  }
  return layers;
}

function groupLayer(tools: ConfigNode, when: LayerScope, label: string): PolicyLayer {
  tools.rejectUnknown(GROUP_TOOL_KEYS);
  const enabled = tools.get("enabled");
  if (enabled !== undefined && typeof enabled.value !== "boolean") {
    enabled.error(
      "POLICY_BAD_VALUE",
      `expected true or false, got ${JSON.stringify(enabled.value)}`,
      "write false to switch the group's rules off",
    );
  }
  const rules = readRules(tools, LISTS);
  const bySender = tools.get("toolsBySender");
  const within = bySender === undefined ? [] : senderLayers(bySender);
  const frame = { layer: "group", slot: "group", when } as const;
  // The layer stays: a group that is switched off does not fall back to groups.*.
  if (enabled?.value === false) return { ...frame, label: `${label}, switched off` };
  return layerOf(rules, { ...frame, label, within });
}

function groupsOf(node: ConfigNode | undefined, channel?: string): readonly PolicyLayer[] {
  return (node?.sections() ?? []).flatMap(([groupId, group]) => {
    group
      .get("toolsBySender")
      ?.error(
        "POLICY_UNKNOWN_KEY",
        '"toolsBySender" stands beside "tools"',
        'move it into "tools" of the same group',
      );
    const tools = group.get("tools");
    if (tools === undefined) return [];
    const when = channel === undefined ? { groupId } : { channel, groupId };
    return [groupLayer(tools, when, groupId === "*" ? "any group" : `group "${groupId}"`)];
  });
}

/**
 * Makes layer 5 from `channels.<channel>.groups.<id>.tools` and `groups.<id>.tools`. The entry of a
 * group goes before `*`, one of the channel before one for all channels (POL-012).
 * @param root - the whole configuration
 */
export function groupLayers(root: ConfigNode): readonly PolicyLayer[] {
  return [
    ...groupsOf(root.get("groups")),
    ...(root.get("channels")?.sections() ?? []).flatMap(([channel, node]) =>
      groupsOf(node.get("groups"), channel),
    ),
  ];
}
