import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Files of installed plugins, and their rejections. */
const INSTALLATION = mutantsOf("packages/plugin-install", [
  {
    source: "files-check.ts",
    noticedBy: ["packages/gateway/test/plugins/files-check.test.ts"],
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
    source: "placement.ts",
    noticedBy: ["packages/gateway/test/methods/plugins.test.ts"],
    mutants: [["refused-plugin-stays", "PLUG-083", "await removeFolder(target);", ""]],
  },
]);

/** Installed plugins: their files, rejections, and plugins that the operator names. */
export const INSTALLED_PLUGINS = [
  ...INSTALLATION,
  ...mutantsOf("packages/gateway", [
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
  ]),
];
