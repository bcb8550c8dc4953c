import { expect, it } from "vitest";
import {
  type ListedTool,
  metadataFields,
  notOffered,
  registeredMetadata,
  toolTable,
} from "../../src/tools/tool-table.js";

const allowed = {
  allowed: true,
  decidedBy: { kind: "layer", layer: "global", verdict: "allow" },
} as const;
const read: ListedTool = { ...allowed, name: "read" };
const call: ListedTool = {
  ...allowed,
  name: "voice_call",
  pluginId: "voice",
  displayName: "Voice Call",
  risk: "high",
  tags: ["phone", "voice"],
};

it("[PLUG-119] the list of tools has the label and the risk that plugins registered", () => {
  expect(toolTable([read, call])).toEqual({
    titles: ["tool", "label", "risk", "from", "policy", "reason"],
    rows: [
      ["read", "", "", "core", "allowed", ""],
      ["voice_call", "Voice Call", "high", "voice", "allowed", ""],
    ],
  });
});

it("[PLUG-119] the list has no columns for metadata that no plugin registered", () => {
  expect(toolTable([read]).titles).toEqual(["tool", "from", "policy", "reason"]);
  const { risk: _, ...withoutRisk } = call;
  expect(toolTable([withoutRisk]).titles).toEqual(["tool", "label", "from", "policy", "reason"]);
});

it("[PLUG-119] the description of a tool has the metadata of its plugin, with its source", () => {
  expect(registeredMetadata(read)).toBeUndefined();
  const metadata = registeredMetadata({ ...call, description: "Calls people." });
  expect(metadataFields(metadata ?? {})).toEqual([
    ["label", "Voice Call"],
    ["risk", "high, as the plugin states"],
    ["tags", "phone, voice"],
    ["plugin says", "Calls people."],
  ]);
});

it("[PLUG-122] the description of a tool that policy allows and models do not get says why", () => {
  const dropped = { allowed: true, isOffered: false };
  expect(notOffered(dropped)).toBe(
    "its plugin did not make it for this session, or the host dropped it, which `openclaw logs --level warn` shows",
  );
  expect(notOffered({ ...dropped, isOffered: true })).toBeUndefined();
  expect(notOffered({ ...dropped, allowed: false })).toBeUndefined();
});
