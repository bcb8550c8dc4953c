import type { ServiceDefinition } from "../../src/service/definition.js";

/** Service whose paths and values have every character that a file format treats specially. */
export const AWKWARD: ServiceDefinition = {
  version: "1.2.3",
  node: "/opt/node 24%/bin/node",
  script: "/opt/50% off/$HOME/openclaw.cjs",
  args: ["gateway", "run", "--port", "18790"],
  workspaceDir: "/home/ann & bob/<work>",
  variables: { OPENCLAW_STATE_DIR: "/home/ann & bob/a\\b %h", PATH: "/usr/bin:/bin" },
  outputFile: "/home/ann & bob/logs/service.log",
};
