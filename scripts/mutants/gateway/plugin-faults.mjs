import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Faults of plugins, which are logged and counted. */
export const FAULT_LOG = mutantsOf("packages/gateway", [
  {
    source: "plugins/faults.ts",
    noticedBy: ["plugins/faults"],
    mutants: [
      [
        "faults-disable-no-plugin",
        "PLUG-071",
        "disable(pluginId).catch(",
        "Promise.resolve().catch(",
      ],
      [
        "plugin-is-disabled-one-fault-late",
        "PLUG-071",
        "if (!isAtOnce && recent.length < FAULT_LIMIT) return;",
        "if (!isAtOnce && recent.length <= FAULT_LIMIT) return;",
      ],
      [
        "plugin-that-changes-the-language-stays",
        "PLUG-420",
        'const isAtOnce = fault.kind === "pollution";',
        "const isAtOnce = false;",
      ],
      ["faults-count-for-ever", "PLUG-071", "(at) => at > now() - FAULT_WINDOW_MS,", "() => true,"],
      [
        "disabled-plugin-is-disabled-again",
        "PLUG-071",
        "if (isInactive(pluginId)) return tellInactive(fault);",
        "",
      ],
      ["disabled-plugin-fills-the-log", "PLUG-071", "if (isTold) return;", ""],
    ],
  },
]);
