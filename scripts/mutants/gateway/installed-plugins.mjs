import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Installed plugins: their files, rejections, and plugins that the operator names. */
export const INSTALLED_PLUGINS = mutantsOf("packages/gateway", [
  {
    source: "plugins/files-check.ts",
    noticedBy: ["plugins/files-check"],
    mutants: [
      ["changed-file-is-loaded", "PLUG-080", "...changed.map((file) => `${file} (changed)`),", ""],
      ["removed-file-is-loaded", "PLUG-080", "...removed.map((file) => `${file} (removed)`),", ""],
      [
        "damaged-list-skips-the-check",
        "PLUG-080",
        "if (digestOfInventory(now) === record.filesDigest) return undefined;",
        "return undefined;",
      ],
    ],
  },
  {
    source: "plugins/named-plugins.ts",
    noticedBy: ["plugins/named-plugins"],
    mutants: [
      [
        "start-without-a-named-plugin",
        "PLUG-086",
        "if (failures.length > 0) throw new NamedPluginError(failures);",
        "",
      ],
    ],
  },
  {
    source: "plugins/placement.ts",
    noticedBy: ["methods/plugins"],
    mutants: [["refused-plugin-stays", "PLUG-083", "await removeFolder(target);", ""]],
  },
]);
