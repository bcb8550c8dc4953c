import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Small parts of plugins. */
export const PLUGIN_KIT = mutantsOf("packages/plugin-sdk", [
  {
    source: "kit/sliding-window.ts",
    noticedBy: ["kit/sliding-window"],
    mutants: [
      ["limit-is-not-kept", "DHOOK-037", "if (oldest !== undefined) {", "if (oldest === 0) {"],
    ],
  },
]);
