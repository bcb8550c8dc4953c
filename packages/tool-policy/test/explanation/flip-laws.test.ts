import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compilePolicy,
  layersFromConfig,
  type PolicyContext,
  type PolicyEdit,
  type PolicyLayer,
} from "../../src/index.js";
import { configured } from "../support/compiled-policy.js";
import {
  anyContext,
  anyGroups,
  anyList,
  anyTool,
  openContext,
  sparseLayers,
} from "../support/vocabulary.js";

type Json = Record<string, unknown>;

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Applies an edit to layers, by what its fields say. */
function applyToLayers(layers: readonly PolicyLayer[], edit: PolicyEdit): readonly PolicyLayer[] {
  const dot = edit.key.lastIndexOf(".");
  const layer = edit.key.slice(0, dot);
  const list = edit.key.slice(dot + 1);
  const known = layers.some((each) => each.layer === layer);
  const all: readonly PolicyLayer[] = known ? layers : [...layers, { layer: "global" }];
  return all.map((each) => {
    if (each.layer !== layer) return each;
    const entries = Object.entries(each).find(([name]) => name === list)?.[1] ?? [];
    const changed =
      edit.op === "add"
        ? [...entries, edit.value]
        : entries.filter((entry: unknown) => entry !== edit.value);
    return { ...each, [list]: changed };
  });
}

/** Applies an edit to configuration the way a person would: by pasting its line. */
function applyToConfig(config: Json, edit: PolicyEdit): Json {
  const changed = structuredClone(config);
  const [, key = "", line = ""] = /^(.*?): (\[.*\])$/s.exec(edit.text) ?? [];
  expect(key).toBe(edit.key);
  const entries: unknown = JSON.parse(line);
  const steps = [...key.matchAll(/\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  let node = changed;
  for (const step of steps.slice(0, -1)) {
    const next: unknown = Object.hasOwn(node, step) ? node[step] : undefined;
    const child = isJson(next) ? next : {};
    node[step] = child;
    node = child;
  }
  const list = steps.at(-1) ?? "";
  const before = node[list];
  if (Array.isArray(before)) {
    expect(entries).toEqual(
      edit.op === "add"
        ? [...before, edit.value]
        : before.filter((entry: unknown) => entry !== edit.value),
    );
  }
  node[list] = entries;
  return changed;
}

const questionContext = fc.oneof(
  { weight: 3, arbitrary: openContext },
  { weight: 1, arbitrary: anyContext },
);

/** Most objects of a configuration say little. */
const admission = fc.oneof(
  { weight: 1, arbitrary: fc.record({ allow: anyList }) },
  { weight: 1, arbitrary: fc.record({ alsoAllow: anyList }) },
  { weight: 3, arbitrary: fc.constant({}) },
);
const denial = fc.oneof(
  { weight: 1, arbitrary: fc.record({ deny: anyList }) },
  { weight: 2, arbitrary: fc.constant({}) },
);
const rules = fc.tuple(admission, denial).map(([first, second]): Json => ({ ...first, ...second }));
const profile = fc.constantFrom(
  {},
  { profile: "coding" },
  { profile: "mine" },
  { profile: "full" },
);
const groupRules = fc.record({ allow: anyList, deny: anyList }, { requiredKeys: [] });
const provider = fc.tuple(profile, rules).map((parts): Json => Object.assign({}, ...parts));
const agent = fc
  .tuple(profile, rules, provider)
  .map(
    ([chosen, lists, byModel]): Json => ({ ...chosen, ...lists, byProvider: { openai: byModel } }),
  );

const anyConfig = fc
  .record({
    tools: fc
      .tuple(
        profile,
        rules,
        fc.record(
          {
            default: fc.constantFrom("allow", "deny"),
            byProvider: fc.record(
              { openai: provider, "openai/gpt-4.1": provider },
              { requiredKeys: [] },
            ),
            sandbox: fc.record({ tools: groupRules }),
            subagents: fc.record({ tools: rules }),
          },
          { requiredKeys: [] },
        ),
      )
      .map(
        (parts): Json => Object.assign({ profiles: { mine: { allow: ["exec", "w*"] } } }, ...parts),
      ),
    agents: fc.record({ main: fc.record({ tools: agent }) }, { requiredKeys: [] }),
    groups: fc.record(
      {
        g: fc.record({
          tools: fc
            .tuple(groupRules, groupRules)
            .map(([own, sender]): Json => ({ ...own, toolsBySender: { "*": sender } })),
        }),
      },
      { requiredKeys: [] },
    ),
  })
  .map((config): Json => config);

const anyModel = fc.constantFrom<Partial<PolicyContext>>(
  {},
  { provider: "openai", model: "gpt-4.1" },
  { provider: "openai" },
);

describe("policy flip", { timeout: 30_000 }, () => {
  it("[POL-028] reverses the decision when applied to layers", () => {
    let edits = 0;
    fc.assert(
      fc.property(
        sparseLayers,
        anyGroups,
        anyTool,
        questionContext,
        (layers, own, tool, context) => {
          const groups = Object.entries(own).map(([name, members]) => ({ name, members }));
          const { allowed, flip } = compilePolicy(layers, { groups }).explain(tool, context);
          if (flip?.kind !== "edit") {
            expect(allowed).toBe(false);
            expect(flip?.steps.length).toBeGreaterThan(0);
            expect(flip?.steps.length).toBeLessThanOrEqual(3);
            return;
          }
          edits += 1;
          const after = compilePolicy(applyToLayers(layers, flip), { groups });
          expect(after.decide(tool, context).allowed).toBe(!allowed);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(edits).toBeGreaterThan(300);
  });

  it("[POL-028] is a single edit wherever a single edit is enough", () => {
    const singles = (layers: readonly PolicyLayer[], value: string): readonly PolicyEdit[] =>
      layers.flatMap(({ layer, allow, deny = [] }) => {
        const edit = (list: string, op: "add" | "remove", entry: unknown) =>
          ({ key: `${layer}.${list}`, op, value: String(entry), text: "" }) as const;
        const extendable = layer !== "group" && layer !== "sandbox";
        return [
          ...deny.map((entry) => edit("deny", "remove", entry)),
          ...(allow === undefined ? [] : [edit("allow", "add", value)]),
          ...(allow === undefined && extendable ? [edit("alsoAllow", "add", value)] : []),
        ];
      });
    fc.assert(
      fc.property(sparseLayers, anyTool, questionContext, (layers, tool, context) => {
        const { allowed, canonicalName, flip } = compilePolicy(layers).explain(tool, context);
        if (allowed || flip?.kind === "edit") return;
        for (const edit of singles(layers, canonicalName)) {
          const after = compilePolicy(applyToLayers(layers, edit)).decide(tool, context);
          expect(after.allowed, `${edit.op} ${edit.value} in ${edit.key}`).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("[POL-028] reverses the decision when pasted into the configuration", () => {
    let edits = 0;
    fc.assert(
      fc.property(anyConfig, anyTool, questionContext, anyModel, (config, tool, context, model) => {
        const asked = { ...context, ...model };
        const { allowed, flip } = configured(config).explain(tool, asked);
        if (flip?.kind !== "edit") {
          expect(allowed).toBe(false);
          return;
        }
        edits += 1;
        const changed = applyToConfig(config, flip);
        expect(layersFromConfig(changed).errors).toEqual([]);
        expect(configured(changed).decide(tool, asked).allowed).toBe(!allowed);
      }),
      { numRuns: 2_000 },
    );
    expect(edits).toBeGreaterThan(300);
  });
});
