import type { HookDefinition } from "../definition/definition.js";
import type { HookSource } from "../sources/source.js";

/**
 * Returns the definitions in force: a later one with the same name replaces the earlier one at its points (DHOOK-009).
 * @param sources - sources in order
 */
export function effectiveDefinitions(
  sources: readonly HookSource[],
): readonly { readonly definition: HookDefinition; readonly source: HookSource }[] {
  const taken = new Set<string>();
  return sources
    .flatMap((source) => source.definitions.map((definition) => ({ definition, source })))
    .toReversed()
    .flatMap(({ definition, source }) => {
      const points = definition.points.filter((point) => !taken.has(`${definition.name}@${point}`));
      for (const point of points) taken.add(`${definition.name}@${point}`);
      return points.length === 0 ? [] : { definition: { ...definition, points }, source };
    })
    .toReversed();
}
