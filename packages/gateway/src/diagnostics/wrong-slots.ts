import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { SLOTS } from "@openclaw/plugin-discovery";
import { dotted, isTouched } from "./unknown-names.js";

/** Plugin with the kinds that it declares. */
export interface SlotPlugin {
  readonly id: string;
  readonly kind?: string | readonly string[] | undefined;
}

/**
 * Returns the slots that a change gives to a plugin of another kind, which would leave them empty (GW-508).
 * @param configuration - configuration with the change
 * @param plugins - installed plugins
 * @param changed - paths of the change
 */
export function wrongSlots(
  { value, file = "", locate }: LoadedConfiguration,
  plugins: readonly SlotPlugin[],
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  return SLOTS.flatMap(({ name, kind, aliases }): EntryProblem[] => {
    const written = value.plugins?.slots?.[name];
    const path = ["plugins", "slots", name];
    if (written === undefined || !isTouched(dotted(path), changed)) return [];
    const id = aliases[written] ?? written;
    const plugin = plugins.find((each) => each.id === id);
    if (plugin === undefined || [plugin.kind ?? []].flat().includes(kind)) return [];
    const others = plugins.filter((each) => [each.kind ?? []].flat().includes(kind));
    const choice = ["none", ...others.map((each) => each.id)].map((each) => `"${each}"`);
    return [
      {
        key: dotted(path),
        message: `the plugin "${written}" is not of kind ${kind}`,
        suggestion: `use ${choice.join(" or ")}`,
        severity: "error",
        ...(locate(path) ?? { file, line: 1, column: 1 }),
      },
    ];
  });
}
