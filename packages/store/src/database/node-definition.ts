import type { ContextDefinition } from "./context-definition.js";
import { nodes } from "./migrations/0043-nodes.js";
import { callWindows } from "./migrations/0045-call-windows.js";
import type { NodeSchema } from "./node-schema.js";

/** The nodes context: the hosts that work on one database. */
export const NODES: ContextDefinition<NodeSchema> = {
  migrations: [nodes, callWindows],
  retentionDays: {},
  tables: {
    // A node removes its row when it stops, and those of nodes that died a day ago.
    nodes: { key: ["node_id"], retention: "kept", removal: "kept" },
    // A node removes those that are over.
    call_windows: { key: ["window_key"], retention: "kept", removal: "kept" },
    event_log: { key: ["name"], retention: "kept", removal: "kept" },
    // Nodes remove those that their clients cannot ask for any more (GW-023).
    client_events: {
      key: ["position"],
      retention: "kept",
      removal: (session_key, unit) =>
        unit.query().deleteFrom("client_events").where("session_key", "=", session_key).execute(),
    },
    // A node removes the notices of the last minute but one.
    node_notices: { key: ["number"], isNumbered: true, retention: "kept", removal: "kept" },
  },
};
