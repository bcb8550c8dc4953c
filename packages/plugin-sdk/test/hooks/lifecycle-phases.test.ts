import { describe, expect, it } from "vitest";
import { HOOK_NAMES, isHookName, LIFECYCLE_ALIASES, LIFECYCLE_PHASES } from "../../src/index.js";

const phases = Object.keys(LIFECYCLE_PHASES);
const aliases = Object.keys(LIFECYCLE_ALIASES);

function duplicates(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe("phases and aliases", () => {
  it("[LIFE-032] are unique, disjoint, one alias to a phase, and mapped to catalogued hooks", () => {
    expect(duplicates(phases)).toEqual([]);
    expect(duplicates(aliases)).toEqual([]);
    expect(duplicates([...HOOK_NAMES])).toEqual([]);
    expect(duplicates([...phases, ...aliases, ...HOOK_NAMES])).toEqual([]);
    expect(Object.values(LIFECYCLE_ALIASES).toSorted()).toEqual(phases.toSorted());
    const hooks = Object.values(LIFECYCLE_PHASES);
    expect(duplicates(hooks)).toEqual([]);
    expect(hooks.filter((hook) => !isHookName(hook))).toEqual([]);
    expect(phases).toHaveLength(19);
  });

  it("tell the two ends of a request apart", () => {
    expect(LIFECYCLE_PHASES[LIFECYCLE_ALIASES.postRequest]).toBe("agent_end");
    expect(LIFECYCLE_PHASES[LIFECYCLE_ALIASES.postRequestIngress]).toBe("request_post");
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(LIFECYCLE_PHASES)).toBe(true);
    expect(Object.isFrozen(LIFECYCLE_ALIASES)).toBe(true);
    expect(Object.isFrozen(HOOK_NAMES)).toBe(true);
  });
});
