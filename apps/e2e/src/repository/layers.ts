/** Packages that may import packages of the layers below, and packages of the same layer listed in `imports`. */
export interface Layer {
  readonly name: string;
  /** Packages by folder name, each with the packages that it may import; `extensions/*` is every extension. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

const GROUND = ["foundation", "plugin-sdk", "hook-runner", "tool-policy", "safety", "protocol"];
const PLUGINS_AND_STORE = [
  ...GROUND,
  "models",
  "store",
  "plugin-discovery",
  "plugin-loader",
  "plugin-runtime",
];
const TOOLS_AND_APPROVALS = [...PLUGINS_AND_STORE, "approval-broker", "core-tools"];

/**
 * Every package with the workspace packages that it may import in sources, tests and benchmarks, lowest layer
 * first. The topology test enforces the table, and `pnpm architecture` writes docs/project/architecture.md from it.
 */
export const LAYERS: readonly Layer[] = [
  {
    name: "foundation",
    imports: {
      foundation: [],
      protocol: ["foundation"],
      "embeddings-en": [],
      "platform-fakes": [],
    },
  },
  {
    name: "contracts",
    imports: {
      "plugin-sdk": ["foundation"],
      "hook-runner": ["foundation"],
      "tool-policy": ["foundation"],
      safety: ["foundation"],
      client: ["foundation", "protocol"],
      "create-openclaw-plugin": ["foundation"],
    },
  },
  {
    name: "capabilities",
    imports: {
      models: ["foundation", "plugin-sdk"],
      store: ["foundation", "plugin-sdk"],
      "plugin-discovery": ["foundation", "plugin-sdk", "hook-runner"],
      "plugin-loader": ["foundation", "plugin-sdk", "plugin-discovery"],
      "plugin-runtime": [
        "foundation",
        "plugin-sdk",
        "hook-runner",
        "safety",
        "plugin-discovery",
        "plugin-loader",
      ],
    },
  },
  {
    name: "components",
    imports: { "wasm-host": ["foundation", "plugin-sdk"] },
  },
  {
    name: "tools and approvals",
    imports: {
      "approval-broker": ["foundation", "plugin-sdk", "safety", "store"],
      "core-tools": ["foundation", "plugin-sdk", "safety", "store"],
    },
  },
  {
    name: "installation",
    imports: {
      "plugin-install": [
        ...["foundation", "plugin-sdk", "safety", "store"],
        ...["plugin-discovery", "plugin-loader", "plugin-runtime"],
      ],
    },
  },
  { name: "agent", imports: { agent: TOOLS_AND_APPROVALS } },
  { name: "messaging", imports: { messaging: [...TOOLS_AND_APPROVALS, "agent"] } },
  {
    name: "server",
    imports: {
      "older-plugins": ["foundation", "plugin-sdk", "safety", "store", "messaging"],
      jobs: [
        ...["foundation", "plugin-sdk", "safety", "store", "core-tools"],
        ...["protocol", "messaging"],
      ],
      routines: [
        ...["foundation", "plugin-sdk", "safety", "store", "core-tools"],
        ...["protocol", "messaging", "jobs"],
      ],
      server: ["foundation", "plugin-sdk", "plugin-runtime", "store", "protocol", "messaging"],
    },
  },
  {
    name: "configuration",
    imports: {
      configuration: [...TOOLS_AND_APPROVALS, "agent", "messaging", "jobs", "routines", "server"],
    },
  },
  {
    name: "gateway",
    imports: {
      // Only its tests use the client.
      gateway: [
        ...TOOLS_AND_APPROVALS,
        "agent",
        "messaging",
        "older-plugins",
        "jobs",
        "routines",
        "server",
        "configuration",
        "plugin-install",
        "client",
        "embeddings-en",
      ],
    },
  },
  {
    name: "test kit",
    imports: {
      "plugin-testkit": [...TOOLS_AND_APPROVALS, "agent", "messaging", "configuration", "gateway"],
    },
  },
  {
    name: "extensions",
    imports: {
      // Only their tests and benchmarks use the test kit and the fakes of platforms.
      "extensions/*": ["plugin-sdk", "plugin-testkit", "platform-fakes"],
      // Installed with the library that runs components, which the host itself does not use.
      "extensions/wasm": ["plugin-sdk", "plugin-testkit", "platform-fakes", "wasm-host"],
    },
  },
  {
    name: "console",
    // The SDK only for the messages between the console and the panel of a plugin, which authors program against.
    imports: { "apps/control-ui": ["foundation", "protocol", "client", "plugin-sdk"] },
  },
  {
    name: "applications",
    imports: {
      "apps/gateway": [
        "foundation",
        "approval-broker",
        "configuration",
        "plugin-install",
        "gateway",
        "messaging",
        "older-plugins",
        "protocol",
        "client",
        // For `openclaw worker`, which runs without a gateway.
        "jobs",
        // For the MCP server over standard streams, which is one with that over HTTP.
        "server",
        "plugin-sdk",
        "safety",
        "plugin-testkit",
        "create-openclaw-plugin",
        "apps/control-ui",
        // Not imported, and installed beside the bundled gateway, which loads it.
        "embeddings-en",
        "extensions/*",
      ],
    },
  },
];

/** Whole-system tests, which may import every package. */
export const UNRESTRICTED = "apps/e2e";

/**
 * Returns the layer of a package, or undefined when the table does not name it.
 * @param folder - such as `packages/store` or `extensions/openai`
 */
export function layerOf(folder: string): Layer | undefined {
  return LAYERS.find(({ imports }) => keyOf(folder) in imports);
}

/**
 * Returns true when the table allows an import.
 * @param folder - folder of the importing package
 * @param imported - folder of the imported package
 */
export function mayImport(folder: string, imported: string): boolean {
  if (folder === UNRESTRICTED || folder === imported) return true;
  const allowed = layerOf(folder)?.imports[keyOf(folder)] ?? [];
  const key = keyOf(imported);
  return (
    allowed.includes(key) ||
    (imported.startsWith("extensions/") && allowed.includes("extensions/*"))
  );
}

/** Returns the name of a package in the table: packages go by their folder name, extensions by one pattern unless it names them. */
function keyOf(folder: string): string {
  if (folder.startsWith("extensions/")) {
    return LAYERS.some(({ imports }) => folder in imports) ? folder : "extensions/*";
  }
  return folder.replace(/^packages\//, "");
}
