import fc from "fast-check";
import { describe, it } from "vitest";
import {
  compilePolicy,
  LAYER_NAMES,
  type PolicyContext,
  type PolicyGroup,
  type PolicyLayer,
  type PolicyTool,
} from "../../src/index.js";
import {
  anyContext,
  anyEntry,
  anyGroups,
  anyLayers,
  anyTool,
  GROUPS,
} from "../support/vocabulary.js";

const RUNS = { numRuns: 2_000 };

function groupsOf(own: Readonly<Record<string, readonly string[]>>): readonly PolicyGroup[] {
  return Object.entries(own).map(([name, members]) => ({ name, members }));
}

function mapEntries(
  layers: readonly PolicyLayer[],
  change: (entries: readonly string[]) => readonly string[],
): readonly PolicyLayer[] {
  return layers.map(({ layer, ...lists }) => {
    const changed = Object.entries(lists).map(([list, entries]) => [
      list,
      Array.isArray(entries) ? change(entries.map(String)) : entries,
    ]);
    return { layer, ...Object.fromEntries(changed) };
  });
}

function upper(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

const anyQuestion = fc.tuple(anyTool, anyContext);

describe("compiled policy", { timeout: 30_000 }, () => {
  it("[POL-042] never admits more after a deny is added", () => {
    const property = fc.property(
      anyLayers,
      anyGroups,
      anyQuestion,
      fc.constantFrom(...LAYER_NAMES),
      anyEntry,
      (layers, own, [tool, context], denying, entry) => {
        const options = { groups: groupsOf(own) };
        const stricter = layers.map((each) =>
          each.layer === denying ? { ...each, deny: [...(each.deny ?? []), entry] } : each,
        );
        const before = compilePolicy(layers, options).decide(tool, context).allowed;
        const after = compilePolicy(stricter, options).decide(tool, context).allowed;
        return before || !after;
      },
    );
    fc.assert(property, RUNS);
  });

  it("[POL-042] does not depend on the order of entries, layers and members", () => {
    const property = fc.property(anyLayers, anyGroups, anyQuestion, (layers, own, question) => {
      const reversed = mapEntries(layers, (entries) => entries.toReversed()).toReversed();
      const turned = groupsOf(own)
        .map(({ name, members }) => ({ name, members: members.toReversed() }))
        .toReversed();
      const before = compilePolicy(layers, { groups: groupsOf(own) });
      const after = compilePolicy(reversed, { groups: turned });
      const [first, second] = [before, after].map((policy) => policy.decide(...question));
      return before.hash === after.hash && JSON.stringify(first) === JSON.stringify(second);
    });
    fc.assert(property, RUNS);
  });

  it("[POL-042] ignores letter case", () => {
    const shout = (tool: PolicyTool): PolicyTool => ({
      ...tool,
      name: upper(tool.name),
      aliases: tool.aliases.map(upper),
      ...(tool.pluginId === undefined ? {} : { pluginId: upper(tool.pluginId) }),
    });
    const shoutIn = (context: PolicyContext): PolicyContext => ({
      ...context,
      agentId: upper(context.agentId),
      ...(context.runAllow === undefined ? {} : { runAllow: context.runAllow.map(upper) }),
      ...(context.parentPolicy === undefined
        ? {}
        : { parentPolicy: context.parentPolicy.map(upper) }),
    });
    const property = fc.property(
      anyLayers,
      anyGroups,
      anyQuestion,
      (layers, own, [tool, context]) => {
        const loud = groupsOf(own).map(({ name, members }) => ({
          name: upper(name),
          members: members.map((member) => upper(String(member))),
        }));
        const before = compilePolicy(layers, { groups: groupsOf(own) });
        const after = compilePolicy(
          mapEntries(layers, (entries) => entries.map(upper)),
          { groups: loud },
        );
        const expected = JSON.stringify(before.decide(tool, context));
        return (
          before.hash === after.hash &&
          JSON.stringify(after.decide(shout(tool), shoutIn(context))) === expected
        );
      },
    );
    fc.assert(property, RUNS);
  });

  it("[POL-042] gives the same answer for a group and for its members", () => {
    const property = fc.property(anyLayers, anyGroups, anyQuestion, (layers, own, question) => {
      const members = new Map<string, readonly string[]>([
        ...GROUPS,
        ...Object.entries(own).map(([name, entries]) => [`group:${name}`, entries] as const),
      ]);
      const unfold = (entries: readonly string[]): readonly string[] =>
        entries.flatMap((entry) => {
          const found = members.get(entry);
          return found === undefined ? [entry] : unfold(found);
        });
      // Without members an allow list would become an empty one, which is silent.
      const unfolded = mapEntries(layers, (entries) =>
        entries.flatMap((entry) => {
          const found = unfold([entry]);
          return found.length === 0 ? [entry] : found;
        }),
      );
      const options = { groups: groupsOf(own) };
      const before = compilePolicy(layers, options).decide(...question);
      const after = compilePolicy(unfolded, options).decide(...question);
      const settler = ({ decidedBy }: typeof before) =>
        decidedBy.kind === "layer" ? `${decidedBy.layer} ${decidedBy.verdict}` : decidedBy.kind;
      return before.allowed === after.allowed && settler(before) === settler(after);
    });
    fc.assert(property, RUNS);
  });
});
